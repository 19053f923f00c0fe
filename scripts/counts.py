#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the number of tests of each label with tests/expected_counts.json.

Usage: counts.py CTEST BUILD_DIR host|cuda [--update]
A test that vanished must not go unnoticed: a number changes only in a commit that says so. Device test
binaries hold many cases each, which are counted too, as device_cases.
"""
import collections
import json
import os
import subprocess
import sys

STORED = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests/expected_counts.json")


def cases(binary):
    """The number of Catch2 cases in a binary; both versions print one a line or count them at the end."""
    shown = subprocess.run([binary, "--list-tests"], stdout=subprocess.PIPE, text=True).stdout
    last = [line for line in shown.splitlines() if line.strip()][-1]
    return int(last.split()[0])


def counted(ctest, build_dir):
    shown = subprocess.run([ctest, "--test-dir", build_dir, "--show-only=json-v1"],
                           check=True, stdout=subprocess.PIPE, text=True).stdout
    found = collections.Counter()
    for test in json.loads(shown)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        label = properties.get("LABELS", ["none"])[0]
        found[label] += 1
        if label in ("core", "device"):
            found[label + "_cases"] += cases(test["command"][0])
    return dict(sorted(found.items()))


def main():
    ctest, build_dir, configuration = sys.argv[1:4]
    found = counted(ctest, build_dir)
    with open(STORED, encoding="utf-8") as file:
        stored = json.load(file)
    expected = stored.get(configuration, {})
    if "--update" in sys.argv:
        stored[configuration] = found
        with open(STORED, "w", encoding="utf-8") as file:
            file.write(json.dumps(stored, indent=2, sort_keys=True) + "\n")
        return 0
    wrong = 0
    for label in sorted({*found, *expected}):
        has, should = found.get(label, 0), expected.get(label, 0)
        note = "" if has == should else "  FEWER than stored" if has < should else "  more than stored"
        wrong += has != should
        print(f"{label:<14}{has:>5}, stored {should:>5}{note}")
    if wrong:
        print("If this is meant: scripts/count-tests writes the numbers; fewer needs a CHANGELOG line.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
