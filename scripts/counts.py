#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the number of tests of each label with tests/expected_counts.json.

Usage: counts.py CTEST BUILD_DIR host|cuda [--update]
A test that vanished must not go unnoticed: a number changes only in a commit that says so. Test binaries
hold many cases each, so the cases are counted too.
"""
import collections
import glob
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STORED = os.path.join(ROOT, "tests/expected_counts.json")


def cases(folder):
    """The number of Catch2 cases that the sources in a folder of tests/ define."""
    found = 0
    for name in glob.glob(os.path.join(ROOT, "tests", folder, "*.c*")):
        with open(name, encoding="utf-8") as file:
            found += len(re.findall(r"^(?:TEMPLATE_)?(?:TEST_CASE|SCENARIO)\w*\(", file.read(), re.M))
    return found


def counted(ctest, build_dir, configuration):
    shown = subprocess.run([ctest, "--test-dir", build_dir, "--show-only=json-v1"],
                           check=True, stdout=subprocess.PIPE, text=True).stdout
    found = collections.Counter()
    for test in json.loads(shown)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        found[properties.get("LABELS", ["none"])[0]] += 1
    for folder in ("core", "host", "device", "check") if configuration == "cuda" else ("core", "check"):
        found["cases in tests/" + folder] = cases(folder)
    return dict(sorted(found.items()))


def main():
    ctest, build_dir, configuration = sys.argv[1:4]
    found = counted(ctest, build_dir, configuration)
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
        print(f"{label:<24}{has:>5}, stored {should:>5}{note}")
    if wrong:
        print("If this is meant: scripts/count-tests writes the numbers; fewer needs a CHANGELOG line.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
