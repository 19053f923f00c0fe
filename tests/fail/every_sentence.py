#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each sentence that the headers can refuse with has a file in tests/fail that expects it, and no file expects another.

Sentences are the texts of static_assert and those in lists X(name, "text") under include/.
Usage: every_sentence.py [--list] [INCLUDE]
"""
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Sentences that no file can provoke, and why.
UNREACHABLE = {
    "tilepipe: long long must have 64 bits": "it has on every platform that nvcc supports",
    "tilepipe::TensorMap: CUtensorMap has 128 bytes": "it has in every toolkit that has one",
    "tilepipe::check: a tensor map holds its layout": "both are the library's own",
}
# Files that expect a message of the compiler's own, where a deleted function or a missing constructor refuses.
COMPILERS = {"pipeline_copied", "pipeline_temporary_loader"}
STRINGS = r'(?:\s*"(?:[^"\\\n]|\\.)*")+'


def joined(strings):
    return "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', strings)).replace('\\"', '"')


def sentences(folder):
    """{sentence: header} of all headers."""
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.*"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"\\\n", "\n", re.sub(r"//[^\n]*(?=\n)", "", file.read()))
        name = os.path.relpath(path, folder)
        for match in re.finditer(r"\bstatic_assert\s*\(", text):
            depth, end = 1, match.end()
            in_string = False
            while depth:
                char = text[end]
                if char == '"' and text[end - 1] != "\\":
                    in_string = not in_string
                elif not in_string:
                    depth += {"(": 1, ")": -1}.get(char, 0)
                end += 1
            strings = re.search(rf",({STRINGS})\s*$", text[match.end():end - 1])
            if strings:
                found[joined(strings.group(1))] = name
            elif not re.search(r",\s*text\s*$", text[match.end():end - 1]):
                found[f"(no text) {' '.join(text[match.start():end].split())}"] = name
        for match in re.finditer(rf"\bX\(\w+,({STRINGS})\s*\)", text):
            found[joined(match.group(1))] = name
    return found


def expectations():
    """{file's stem: what it expects}."""
    found = {}
    for path in sorted(glob.glob(os.path.join(HERE, "*.cu")) + glob.glob(os.path.join(HERE, "*.cpp"))):
        with open(path, encoding="utf-8") as file:
            match = re.search(r"^// expect: *(.*(?:\n//   .*)*)", file.read(), re.M)
        stem = os.path.splitext(os.path.basename(path))[0]
        found[stem] = " ".join(re.sub(r"\n//", " ", match.group(1)).split()) if match else ""
    return found


def main():
    arguments = [a for a in sys.argv[1:] if a != "--list"]
    said = sentences(arguments[0] if arguments else os.path.join(ROOT, "include"))
    expected = expectations()
    problems = []
    for sentence, header in said.items():
        files = [stem for stem, text in expected.items() if text == " ".join(sentence.split())]
        if "--list" in sys.argv:
            print(f"{header}: {sentence}\n    {', '.join(files) or UNREACHABLE.get(sentence, '-')}")
        if not files and sentence not in UNREACHABLE:
            problems.append(f"{header}: no file in tests/fail expects: {sentence}")
    for stem, text in expected.items():
        if stem not in COMPILERS and text not in {" ".join(s.split()) for s in said}:
            problems.append(f"tests/fail/{stem}: no header says what it expects: {text}")
    problems += [f"no header says any more: {s}" for s in UNREACHABLE if s not in said]
    problems += [f"tests/fail/{stem} is not there any more" for stem in COMPILERS if stem not in expected]
    if len(said) < 40:
        problems.append(f"only {len(said)} sentences were found: this script misses some")
    print("\n".join(problems) or f"{len(said)} sentences, each expected by a file")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
