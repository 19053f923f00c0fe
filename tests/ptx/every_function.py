#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each function of include/tilepipe/ptx is called in tests/ptx/every_instruction.cu; each asm there is volatile with a
memory clobber. Without the call, a wrong asm string would not even be assembled."""
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(os.path.dirname(os.path.dirname(HERE)), "include", "tilepipe", "ptx")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def statements(text):
    """Each asm statement, from the word to its closing parenthesis."""
    for match in re.finditer(r"\basm\b[^(]*\(", text):
        depth, end, quoted = 1, match.end(), False
        while depth:
            char = text[end]
            if char == '"' and text[end - 1] != "\\":
                quoted = not quoted
            elif not quoted:
                depth += {"(": 1, ")": -1}.get(char, 0)
            end += 1
        yield text[match.start():end]


def main():
    calls = read(os.path.join(HERE, "every_instruction.cu"))
    problems, functions, asms = [], 0, 0
    for path in sorted(glob.glob(os.path.join(FOLDER, "*.cuh"))):
        text = re.sub(r"//[^\n]*", "", read(path))
        name = os.path.basename(path)
        for function in re.findall(r"TILEPIPE_D\s+[\w\s&*]*?\b(\w+)\(", text):
            functions += 1
            called = re.search(rf"ptx::{function}\b", calls) or \
                (function[-2:] in ("ca", "cg") and f"COPIES({function[-2:]}," in calls)
            if not called:
                problems.append(f"ptx/{name}: {function} is not called in every_instruction.cu")
        for statement in statements(text):
            asms += 1
            if re.match(r'asm\s*\(\s*""', statement):  # no instruction: it may be moved
                continue
            # An election touches no memory.
            clobbers = re.search(r':\s*"memory"\s*\)$', statement) or "elect.sync" in statement
            if not re.match(r"asm\s+volatile\b", statement) or not clobbers:
                problems.append(f"ptx/{name}: asm without volatile, or whose only clobber is not memory: "
                                f"{' '.join(statement.split())[:80]}")
    if functions < 15 or asms < 15:
        problems.append(f"only {functions} functions and {asms} asm statements were found: this script misses some")
    print("\n".join(problems) or f"{functions} functions, {asms} asm statements")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
