#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs launches of the device tests in the checker, and compares their number with what is stored.

Usage: device_launches.py BINARY ARCH [--update]
The budget is a minute for each architecture, and of a launch 64 MiB a buffer and 100 million instructions a block.
Within it are the cases below: every number of stages, layout, edge, element and alignment, and each pair of these with
every path, completion and team. The other cases of the device tests are listed.
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
CASES = ("every pair of settings*,every layout and edge*,every number of stages*,elements of 1 to 48*,NaN payloads*,"
         "any offset and length*")


def launches(binary, arch):
    """The exit status, what was printed, and the launches of each case."""
    with tempfile.TemporaryDirectory() as folder:
        records = os.path.join(folder, "records")
        env = dict(os.environ, TILEPIPE_TEST_BACKEND="check", TILEPIPE_TEST_CHECK_ARCH=arch,
                   TILEPIPE_TEST_TIGHT="1", TILEPIPE_TEST_RECORDS=records)
        done = subprocess.run([binary, CASES], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
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
    status, printed, run = launches(binary, arch)
    print(printed[-20000:])
    if status != 0:
        print(f"the checker's run of the device tests for {arch} failed: status {status}")
        return 1
    left = [case for case in all_cases() if case not in run]
    print(f"{arch}: {sum(run.values())} launches of {len(run)} cases; {len(left)} cases are left out:")
    print("\n".join("  " + case for case in left))
    found = run  # the number of all cases is in tests/expected_counts.json
    with open(STORED, encoding="utf-8") as file:
        stored = json.load(file)
    if "--update" in sys.argv:
        stored[arch] = found
        with open(STORED, "w", encoding="utf-8") as file:
            file.write(json.dumps(stored, indent=1, sort_keys=True) + "\n")
        return 0
    if found != stored.get(arch):
        print(f"{os.path.basename(STORED)} has other numbers: {json.dumps(stored.get(arch))}")
        print("If this is meant, call this with --update; fewer launches need a line in the CHANGELOG.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
