#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints, for each label, how many tests passed, failed and were skipped. Usage: summary.py BUILD_DIR JUNIT_FILE"""
import collections
import json
import subprocess
import sys
import xml.etree.ElementTree


def labels(build_dir):
    """The label of each test."""
    shown = subprocess.run(["ctest", "--test-dir", build_dir, "--show-only=json-v1"],
                           check=True, stdout=subprocess.PIPE, text=True).stdout
    found = {}
    for test in json.loads(shown)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        found[test["name"]] = properties.get("LABELS", ["none"])[0]
    return found


def outcome(case):
    status = case.get("status")
    if case.find("skipped") is not None or status in ("notrun", "disabled"):
        # A test whose program is missing is "not run": that is a failure, not a skip.
        message = case.find("skipped").get("message", "") if case.find("skipped") is not None else ""
        return "skipped" if message.startswith("SKIP_RETURN_CODE") else "failed"
    return "passed" if status == "run" else "failed"


def main():
    label_of = labels(sys.argv[1])
    counts = collections.defaultdict(collections.Counter)
    listed = collections.defaultdict(list)
    for case in xml.etree.ElementTree.parse(sys.argv[2]).getroot().iter("testcase"):
        result = outcome(case)
        counts[label_of[case.get("name")]][result] += 1
        listed[result].append(case.get("name"))
    total = collections.Counter()
    print(f"{'label':<10}{'passed':>8}{'failed':>8}{'skipped':>9}")
    for label in sorted(counts):
        row = counts[label]
        total += row
        print(f"{label:<10}{row['passed']:>8}{row['failed']:>8}{row['skipped']:>9}")
    print(f"{'all':<10}{total['passed']:>8}{total['failed']:>8}{total['skipped']:>9}")
    for name in listed["failed"]:
        print(f"failed: {name}")
    return 1 if total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
