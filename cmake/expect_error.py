#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles a file that must fail, and its twin that must not.

Comment lines of the file say what is expected:
  // expect: the whole sentence of the error; lines that start with three spaces continue it
  // arch: 75          the architecture nvcc compiles for (90 if not given)
  // flags: -DX=1      more flags
The twin is the same file with -DTILEPIPE_FAIL_TWIN; it differs in one token.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

FIRST_LINES = 10


def comment(text, key):
    """The value of `// key: value` with its continuation lines, or None."""
    found = re.search(rf"^// {key}: *(.*(?:\n//   .*)*)", text, re.M)
    return " ".join(re.sub(r"\n//", " ", found.group(1)).split()) if found else None


def command(args, text, folder):
    flags = (comment(text, "flags") or "").split()
    flags += ["-std=c++17"] + [f"-I{folder}" for folder in args.include]
    if args.file.endswith(".cpp"):
        return [args.cxx, "-fsyntax-only", *flags, args.file]
    arch = comment(text, "arch") or "90"
    return [args.nvcc, f"-arch=compute_{arch}", "-ptx", "-o",
            os.path.join(folder, "out.ptx"), *flags, args.file]


def run(line):
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def problems(args, text, folder):
    """What is wrong with the outcome: an empty list is a pass."""
    sentence = comment(text, "expect")
    if not sentence:
        return ["the file has no line '// expect: SENTENCE'"]
    if "TILEPIPE_FAIL_TWIN" not in text:
        return ["the file has no twin: nothing depends on TILEPIPE_FAIL_TWIN"]
    line = command(args, text, folder)
    status, output = run(line)
    found = []
    if status == 0:
        found.append("the file compiles")
    # Compilers echo source lines too: only a line that says "error" counts.
    whole = re.compile(rf'\berror\b.*["\u2018\': ]{re.escape(sentence)}(["\u2019\']|$)')
    if not any(whole.search(part.rstrip()) for part in output.splitlines()):
        found.append(f"the whole sentence is not in the output: {sentence}")
    name = re.escape(os.path.basename(args.file))
    first = "\n".join([part for part in output.splitlines() if part.strip()][:FIRST_LINES])
    if not re.search(rf"{name}[(:]\d+|line \d+ of \S*{name}", first):
        found.append(f"the user's line is not within the first {FIRST_LINES} lines of the output")
    twin_status, twin_output = run(line[:1] + ["-DTILEPIPE_FAIL_TWIN"] + line[1:])
    if twin_status != 0:
        found.append("the twin does not compile:\n" + twin_output[:3000])
    if found:
        found.append("command: " + " ".join(line) + "\noutput:\n" + output[:3000])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("file")
    args = parser.parse_args()
    with open(args.file, encoding="utf-8") as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as folder:
        found = problems(args, text, folder)
    print("\n".join(found) if found else "fails as expected; the twin compiles")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
