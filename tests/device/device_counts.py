#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what run_gpu.sh left in a folder, writes device_counts.json there, and fails if anything failed.

Usage: device_counts.py FOLDER SUITE_SECONDS SANITIZER_SECONDS
       device_counts.py --exceptions TOOL BUILD    the cases that sanitizer_exceptions.json keeps from a tool
"""
import glob
import json
import os
import re
import sys

BUILDS = ("native", "ptx75", "ptx80", "checks", "layout_fat", "register_split")
TOOLS = ("memcheck", "racecheck", "synccheck", "initcheck")


# What compute-sanitizer 2025.3 says of right kernels: the exit status, 99 for a report. Another tool may say otherwise;
# then docs/sanitizers.md and the exceptions are to be looked at again.
PROBES = {"memcheck-partial_copy": 99, "memcheck-whole_copy": 0, "synccheck-plain_pipeline": 99,
          "synccheck-token_barrier": 0, "synccheck-parity_barrier": 0, "synccheck-tested_barrier": 0,
          "synccheck-narrow_barrier": 99, "synccheck-counted_arrivals": 99, "synccheck-noinc_arrivals": 0,
          "racecheck-warp_barrier": 0, "racecheck-half_warp_barriers": 99, "racecheck-named_barriers": 99,
          "racecheck-elected_arrival": 99,
          "racecheck-plain_pipeline-ptx75": 99, "racecheck-token_barrier-ptx75": 99}


def exceptions(tool, build):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sanitizer_exceptions.json")
    return [pattern for entry in json.loads(read(path)) if entry["tool"] == tool and build in entry["builds"]
            for pattern in entry["cases"]]


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def totals(text, element):
    """The last element of Catch2's XML report of this name: of the whole run."""
    found = re.findall(rf'<{element} successes="(\d+)" failures="(\d+)"', text)
    return [int(n) for n in found[-1]] if found else None


def suite(folder, build):
    xml = read(os.path.join(folder, build + ".xml"))
    status = read(os.path.join(folder, build + ".status")).strip()
    assertions, tests = totals(xml, "OverallResults"), totals(xml, "OverallResultsCases")
    result = {"status": int(status) if status else None}
    if status == "127":
        result["missing"] = True
    if status == "77":
        result["skipped"] = True
    if assertions:
        result.update(assertions=sum(assertions), assertions_failed=assertions[1])
    if tests is None and assertions:  # Catch2 version 2 counts test cases in none but its console report
        cases = re.findall(r'<OverallResult success="(\w+)"', xml)
        tests = [cases.count("true"), cases.count("false")]
    if tests:
        result.update(tests=sum(tests), passed=tests[0], failed=tests[1])
    result["hangs"] = len(re.findall(r"^HANG:", read(os.path.join(folder, build + ".log")), re.M))
    return result


def sanitizer(folder, tool, build):
    name = os.path.join(folder, f"{tool}-{build}")
    if not os.path.exists(name + ".status"):
        return None
    text, status = read(name + ".log"), int(read(name + ".status"))
    result = {"status": status}
    if status == 127:
        result["missing"] = True
    errors = re.findall(r"ERROR SUMMARY: (\d+) error", text)
    hazards = re.findall(r"RACECHECK SUMMARY: (\d+) hazards? displayed \((\d+) errors?, (\d+) warnings?\)", text)
    if errors:
        result["errors"] = sum(int(n) for n in errors)
    if hazards:
        result["hazards"] = sum(int(h[0]) for h in hazards)
        result["errors"] = sum(int(h[1]) for h in hazards)
    tests = re.findall(r"All tests passed \((\d+) assertions? in (\d+) test cases?\)", text)
    if tests:
        result.update(assertions=int(tests[-1][0]), tests=int(tests[-1][1]))
    result["excepted"] = len(set(re.findall(r"^excepted: (.+)$", text, re.M)))
    kernels = re.findall(r"Race reported.*? in ([^\n]+)|=========     at ([^\n]+?)\+0x", text)
    result["where"] = sorted({(a or b)[:200] for a, b in kernels})[:40]
    return result


def main():
    if sys.argv[1] == "--exceptions":
        print(" ".join(exceptions(*sys.argv[2:])))
        return 0
    folder = sys.argv[1]
    counts = {
        "seconds": {"suite": int(sys.argv[2]), "sanitizers": int(sys.argv[3])},
        "suite": {build: suite(folder, build) for build in BUILDS},
        "sanitizers": {f"{tool}-{build}": result for tool in TOOLS for build in BUILDS
                       for result in [sanitizer(folder, tool, build)] if result is not None},
    }
    probes = {name: int(read(os.path.join(folder, name + ".probe")) or -1) for name in PROBES
              if os.path.exists(os.path.join(folder, name + ".probe"))}
    counts["probes"] = probes
    path = os.path.join(folder, "device_counts.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(counts, file, indent=1)
        file.write("\n")
    print(json.dumps(counts, indent=1))
    for log in sorted(glob.glob(os.path.join(folder, "*.xml"))):
        for failure in re.findall(r"<Expanded>\s*(.*?)\s*</Expanded>", read(log), re.S)[:15]:
            print(os.path.basename(log), failure.replace("\n", " ")[:400])
    bad = [name for group in ("suite", "sanitizers") for name, r in counts[group].items() if r["status"] != 0]
    bad += [f"probe {name}: {status}, not {PROBES[name]}" for name, status in probes.items() if status != PROBES[name]]
    if bad:
        print("not passed:", ", ".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
