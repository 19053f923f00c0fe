#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the PTX instructions of each kernel: in all, and in each loop that waits or synchronizes.

A loop is the range of a backward branch. A wait's own retry loop is part of the loop around it.
Usage: ptx_count.py FILE.ptx...
"""
import re
import sys

INSTRUCTION = re.compile(r"^\s*\{?\s*(@!?%?\w+\s+)?[a-z][\w.:]*(\s|;)")
NO_INSTRUCTION = re.compile(r"^\s*\{?\s*(\.|//|\}|\w+:|\$)")
SYNCHRONIZES = re.compile(r"_wait|wait_group|\bbar\.|\bbarrier\.")


def is_instruction(line):
    return bool(INSTRUCTION.match(line)) and not NO_INSTRUCTION.match(line)


def kernels(ptx):
    """{kernel's name: the lines of its body}."""
    found = {}
    for part in re.split(r"\.entry\s+", ptx)[1:]:
        body = part[:part.index("\n}\n")] if "\n}\n" in part else part
        found[re.match(r"[\w$]+", part).group(0)] = body.split("\n")
    return found


def loops(lines):
    """(first line, last line) of each loop that waits or synchronizes, in the order of their branches."""
    label = {}
    found = []
    for number, line in enumerate(lines):
        here = re.match(r"^(\$\w+):", line)
        if here:
            label[here.group(1)] = number
        branch = re.search(r"\bbra(?:\.uni)?\s+(\$\w+)", line)
        if branch and branch.group(1) in label:
            found.append((label[branch.group(1)], number))
    return [(first, last) for first, last in found
            if any(SYNCHRONIZES.search(line) for line in lines[first:last + 1])]


def count(lines):
    return sum(is_instruction(line) for line in lines)


def summary(lines):
    """{"whole": instructions, "loops": [instructions of each], "local", "generic", "wide_division"}."""
    text = "\n".join(lines)
    inner = "\n".join("\n".join(lines[first:last + 1]) for first, last in loops(lines))
    return {
        "whole": count(lines),
        "loops": [count(lines[first:last + 1]) for first, last in loops(lines)],
        "local": len(re.findall(r"\b(?:ld|st)\.local", text)) + len(re.findall(r"\.local\s+\.align", text)),
        "generic": len(re.findall(r"\b(?:ld|st)\.(?!global|shared|local|param|const|volatile)", text)),
        "wide_division": len(re.findall(r"\b(?:div|rem)\.[su]64", inner)),
    }


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for name, lines in kernels(file.read()).items():
                found = summary(lines)
                shown = " + ".join(map(str, found["loops"])) or "-"
                print(f"{name}: {found['whole']} instructions, in loops {shown}; local {found['local']}, "
                      f"generic {found['generic']}, 64-bit divisions in loops {found['wide_division']}")


if __name__ == "__main__":
    main()
