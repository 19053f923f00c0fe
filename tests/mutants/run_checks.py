#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests that need no GPU on the mutants they are to notice: missing fences, clobbers and the like.

A mutant's "checks" name files of tests/ptx, or "every_function", which reads the headers' text. A check counts only if
it passes on the headers as they are. Usage: run_checks.py [--only PATTERN] OUT.json
Exit status 1 if a mutant survives.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import build


def run(*line):
    return subprocess.run([sys.executable, *line], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def complaint(check, include, place, args):
    """What the check says against the headers in `include`: (kind, line), or None."""
    if check == "every_function":
        folder = os.path.join(place, "tests", "ptx")
        os.makedirs(folder, exist_ok=True)
        for name in ("every_function.py", "every_instruction.cu"):
            shutil.copy(os.path.join(build.ROOT, "tests", "ptx", name), folder)
        done = run(os.path.join(folder, "every_function.py"))
        return ("lint", done.stdout.strip().splitlines()[0]) if done.returncode == 1 else None
    source = os.path.join(build.ROOT, "tests", "ptx", check + ".cu")
    lines = build.read(source).splitlines()
    for arch in next(line.split()[2:] for line in lines if line.startswith("// RUN-ARCH:")):
        done = run(os.path.join(build.ROOT, "cmake", "check_ptx.py"), "--nvcc", args.nvcc, "--filecheck",
                   args.filecheck, "--arch", arch, "--include", include, "--include",
                   os.path.join(build.ROOT, "tests"), source)
        said = re.search(rf"{check}\.cu:(\d+):\d+: error: ", done.stdout)
        if said:
            return "filecheck", f"{check}.cu: {lines[int(said.group(1)) - 1].strip('/ ')}"
        if done.returncode != 0:
            return "error", done.stdout.strip()[:300]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--filecheck", default=shutil.which("FileCheck", path=os.environ.get("PATH", "") +
                                                            ":/usr/lib/llvm-14/bin"))
    parser.add_argument("--only", default="")
    parser.add_argument("out")
    args = parser.parse_args()
    mutants = [mutant for mutant in build.mutants() if mutant.get("checks") and re.search(args.only, mutant["id"])]
    found, bad = [], 0
    for check in sorted({check for mutant in mutants for check in mutant["checks"]}):
        with tempfile.TemporaryDirectory() as place:
            include = os.path.join(place, "include")
            shutil.copytree(os.path.join(build.ROOT, "include"), include)
            said = complaint(check, include, place, args)
        if said:
            print(f"{check} does not pass on the headers as they are: {said}")
            bad += 1
    for mutant in mutants:
        with tempfile.TemporaryDirectory() as place:
            include = build.edited_copy(mutant, place)
            said = [complaint(check, include, place, args) for check in mutant["checks"]]
        killed, detail = next((s for s in said if s), ("survived", ""))
        found.append({"id": mutant["id"], "of": mutant["id"], "class": mutant["class"], "killed_by": killed,
                      "detail": detail})
        bad += killed not in ("filecheck", "lint")
        print(f"{mutant['id']}: {killed}: {detail}", flush=True)
    build.write(args.out, json.dumps(found, indent=1) + "\n")
    print(f"{len(found)} mutants, {bad} not noticed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
