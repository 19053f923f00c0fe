#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the device tests' launches in the checker; a case may not have fewer than are stored.

Usage: device_launches.py BINARY ARCH [--update]
The budget is two minutes of one core for each architecture, and of a launch 64 MiB a buffer and 100 million instructions a
block. All cases of the device tests are run but those below, which are listed with why.
"""
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
STORED = os.path.join(HERE, "device_launches.json")
GPU = "is about the driver or the end of a process"
TIME = "is over the budget"
TARGET = "is of a binary for 9.0a, which the checker does not read"
LEFT_OUT = {
    "each check prints its sentence and ends the kernel": GPU,
    "the host reads what a kernel printed before its trap": GPU,
    "a kernel that does not end ends the process with the test's name": GPU,
    "the workaround for small tensors changes one bit of the map and no element": GPU,
    "roles have the registers that setmaxnreg gives them where the target has it": TARGET,
    "sources of more than 2^31 elements are read at their last row and last tile": TIME,
    "boxes of 1 to 256 rows are whole or cut or outside when they start anywhere": TIME,
    "the GEMM is within the error of its formats when extents are any pair of fifteen": TIME,
    "the GEMM is within the error of its formats when rows are apart": TIME,
    "the GEMM is within the error of its formats when tiles are whole": TIME,
    "the GEMM gives the same bits each time when patches are cut along K": TIME,
}
MASKED = "reads keys that were skipped, and masks what they give: `unwritten`; see check.examples"
LEFT_OUT.update({f"attention of one token is right for {of}": MASKED for of in (
    "keys around each tile and stage", "heads that share keys, and chunks that are merged", "8191 keys")})
# Kernels that poll barriers to find out which phase they are in, which the checker takes for waiting.
EXCEPTED = "*used_barriers*"


def launches(binary, arch):
    """The exit status, what was printed, and the launches of each case."""
    cases = ",".join(case.replace(",", "\\,") for case in all_cases() if case not in LEFT_OUT)
    with tempfile.TemporaryDirectory() as folder:
        records = os.path.join(folder, "records")
        env = dict(os.environ, TILEPIPE_TEST_BACKEND="check", TILEPIPE_TEST_CHECK_ARCH=arch,
                   TILEPIPE_TEST_TIGHT="1", TILEPIPE_TEST_RECORDS=records, TILEPIPE_TEST_EXCEPT=EXCEPTED)
        done = subprocess.run([binary, cases], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        found = collections.Counter()
        if os.path.exists(records):
            with open(records, encoding="utf-8") as file:
                for line in file:
                    found[json.loads(line)["test"]] += 1
    return done.returncode, done.stdout, dict(sorted(found.items()))


def all_cases():
    found = []
    for name in glob.glob(os.path.join(HERE, "../device/*_test.cpp")):
        with open(name, encoding="utf-8") as file:
            found += re.findall(r'^TEST_CASE\(\s*"([^"]*)"', file.read(), re.M)
    return sorted(found)


def main():
    binary, arch = sys.argv[1:3]
    gone = sorted(set(LEFT_OUT) - set(all_cases()))
    if gone:
        print("left out, and no case of the device tests: " + "; ".join(gone))
        return 1
    status, printed, run = launches(binary, arch)
    print(printed[-20000:])
    if status != 0:
        print(f"the checker's run of the device tests for {arch} failed: status {status}")
        return 1
    print(f"{arch}: {sum(run.values())} launches of {len(run)} cases; {len(LEFT_OUT)} cases are left out:")
    print("\n".join(f"  {case}: {why}" for case, why in LEFT_OUT.items()))
    print(f"and of the others the kernels {EXCEPTED}")
    idle = [case for case in all_cases() if case not in LEFT_OUT and case not in run]
    print(f"{len(idle)} cases launch nothing for {arch}: " + "; ".join(idle))
    with open(STORED, encoding="utf-8") as file:
        stored = json.load(file)
    if "--update" in sys.argv:
        stored[arch] = run
        with open(STORED, "w", encoding="utf-8") as file:
            file.write(json.dumps(stored, indent=1, sort_keys=True) + "\n")
        return 0
    fewer = [case for case, count in stored[arch].items() if run.get(case, 0) < count]
    if fewer:
        print(f"fewer launches than in {os.path.basename(STORED)}: " + "; ".join(fewer))
        print("If this is meant, call this with --update, and say so in the CHANGELOG.")
    return 1 if fewer else 0


if __name__ == "__main__":
    sys.exit(main())
