#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests that need no GPU on the mutants they are to notice: missing fences and clobbers.

A mutant's "checks" name files of tests/ptx, or "every_function", which reads the headers' text. Usage: run_checks.py [--only TEXT] OUT.json
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


def killer(mutant, filecheck, nvcc):
    """(what noticed the mutant or "survived", the line that says so)."""
    with tempfile.TemporaryDirectory() as place:
        include = build.edited_copy(mutant, place)
        for check in mutant["checks"]:
            if check == "every_function":
                folder = os.path.join(place, "tests", "ptx")
                shutil.copytree(os.path.join(build.ROOT, "tests", "ptx"), folder)
                done = subprocess.run([sys.executable, os.path.join(folder, "every_function.py")],
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                if done.returncode == 1 and mutant["file"] in done.stdout:
                    return "lint", done.stdout.strip().splitlines()[0]
                continue
            source = os.path.join(build.ROOT, "tests", "ptx", check + ".cu")
            for arch in re.search(r"^// RUN-ARCH: (.*)$", build.read(source), re.M).group(1).split():
                done = subprocess.run(
                    [sys.executable, os.path.join(build.ROOT, "cmake", "check_ptx.py"), "--nvcc", nvcc, "--filecheck",
                     filecheck, "--arch", arch, "--include", include, "--include",
                     os.path.join(build.ROOT, "tests"), source],
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                said = re.search(rf"{check}\.cu:\d+:\d+: (error: .*)", done.stdout)
                if done.returncode != 0 and said:
                    line = int(re.search(rf"{check}\.cu:(\d+)", done.stdout).group(1))
                    return "filecheck", f"{check}.cu: {build.read(source).splitlines()[line - 1].strip('/ ')}"
                if done.returncode != 0:
                    return "error", done.stdout.strip()[:300]
    return "survived", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--filecheck", default=shutil.which("FileCheck", path=os.environ.get("PATH", "") +
                                                            ":/usr/lib/llvm-14/bin"))
    parser.add_argument("--only", default="")
    parser.add_argument("out")
    args = parser.parse_args()
    found, bad = [], 0
    for mutant in build.mutants():
        if not mutant.get("checks") or args.only not in mutant["id"]:
            continue
        killed, detail = killer(mutant, args.filecheck, args.nvcc)
        found.append({"id": mutant["id"], "of": mutant["id"], "class": mutant["class"], "killed_by": killed,
                      "detail": detail})
        bad += killed not in ("filecheck", "lint")
        print(f"{mutant['id']}: {killed}: {detail}", flush=True)
    build.write(args.out, json.dumps(found, indent=1) + "\n")
    print(f"{len(found)} mutants, {bad} not noticed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
