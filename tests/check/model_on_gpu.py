#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the checker's model against a GPU: what it calls right, what it says hangs, and what racecheck says of the same.

Usage: model_on_gpu.py FOLDER OUT.json [--make] [--jobs N] [--runs N] [--seconds N]
With --make, nvcc makes in FOLDER what runs: ring_runner, runner (tests/mutants), and for each architecture the cubins rings_ARCH and library_ARCH,
from PTX for it, with the names of their kernels beside them. Each right ring and each kernel of the library runs N times
and must be right; each ring with a planted deadlock must hang, for a second and a half; each ring with another fault runs
under racecheck, if compute-sanitizer is there. What is not begun after so many seconds is left out, and said to be.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ARCHES = (75, 80, 90)
TILES = "13"  # 4 stages + 1 of three stages
RIGHT, HANG = 0, 5
# Faults of which check.rings says nothing but `deadlock`.
DEADLOCKS = ("no_release", "producer_parity_wrong", "expect_16_more", "full_count_plus_1")


def make(folder):
    os.makedirs(folder, exist_ok=True)
    for name, source in (("ring_runner", "ring_runner.cu"), ("runner", "../mutants/runner.cu")):
        subprocess.run(["nvcc", "-std=c++17", "-I" + os.path.join(HERE, "../../include"), "-o",
                        os.path.join(folder, name), os.path.join(HERE, source)], check=True)
    for arch in ARCHES:
        for name, source in (("rings", "rings.cu"), ("library", "library_kernels.cu")):
            made = os.path.join(folder, f"{name}_{arch}")
            subprocess.run(["nvcc", "-std=c++17", "-ptx", f"-arch=compute_{arch}", f"-DCHECK_ARCH={arch}",
                            "-I" + os.path.join(HERE, "../../include"), "-o", made + ".ptx",
                            os.path.join(HERE, source)], check=True)
            subprocess.run(["ptxas", "-arch=sm_90", "-o", made, made + ".ptx"], check=True)
            with open(made + ".ptx", encoding="utf-8") as ptx, open(made + ".txt", "w", encoding="utf-8") as listed:
                kernels = re.findall(r"^\.visible \.entry (\w+)", ptx.read(), re.M)
                listed.write("\n".join(k for k in kernels if k != "product") + "\n")


def call(command, lines=""):
    try:
        done = subprocess.run(command, input=lines, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=20)
    except subprocess.TimeoutExpired:
        return HANG, "does not end"
    return done.returncode, done.stdout.strip()


def threads(ring):
    return "64" if ring.startswith("roles") else "256"


def parts(items, most):
    return [items[i:i + most] for i in range(0, len(items), most)]


def tasks(folder, runs, sanitizer):
    """(expectation, command, its input, kernels), in the order in which they are begun."""
    right, deadlocks, others, library = [], [], [], []
    for arch in ARCHES:
        for kind in ("rings", "library"):
            code = os.path.join(folder, f"{kind}_{arch}")
            if not os.path.exists(code + ".txt"):
                continue
            with open(code + ".txt", encoding="utf-8") as file:
                kernels = file.read().split()
            if kind == "library":
                library += [("right", [os.path.join(folder, "runner")],
                           "".join(f"{code} {kernel} {TILES} {runs}\n" for kernel in part), part)
                          for part in parts(kernels, 3)]
                continue
            for kernel in kernels:
                fault = kernel.split("__")[1]
                command = [os.path.join(folder, "ring_runner"), code, threads(kernel), TILES]
                if fault == "none":
                    right.append(("right", command + [str(runs), kernel], "", [kernel]))
                elif fault in DEADLOCKS:
                    deadlocks.append(("hang", command + ["1", kernel], "", [kernel]))
                elif sanitizer:
                    others.append(("racecheck", [sanitizer, "--tool", "racecheck"] + command + ["1", kernel], "", [kernel]))
    return right + deadlocks + others + library


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=600)
    options = parser.parse_args()
    if options.make:
        make(options.folder)
    end = time.time() + options.seconds
    sanitizer = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")

    def judge(task):
        expected, command, lines, kernels = task
        arch = re.search(r"/(?:rings|library)_(\d+)\s", " ".join(command) + " " + lines).group(1)
        row = {"expected": expected, "arch": int(arch), "kernels": kernels}
        if time.time() > end:
            return dict(row, said="left out: no time")
        status, printed = call(command, lines)
        row["status"], row["said"] = status, printed.splitlines()[-1] if printed else ""
        if expected == "racecheck":
            found = re.search(r"RACECHECK SUMMARY: (.*)", printed)
            row["said"] = found.group(1) if found else printed[-200:]
        else:
            statuses = [int(line.split()[0]) for line in printed.splitlines()] if lines else [status]
            wanted = [RIGHT] * len(kernels) if lines else [RIGHT if expected == "right" else HANG]
            row["as_predicted"] = statuses == wanted
        return row

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(judge, tasks(options.folder, options.runs, sanitizer)))
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(json.dumps(rows, indent=1) + "\n")
    wrong = [row for row in rows if row.get("as_predicted") is False]
    for row in wrong:
        print(f"{row['expected']} for {row['arch']}: {' '.join(row['kernels'])}: status {row['status']}, {row['said']}")
    for expected in ("right", "hang", "racecheck"):
        of = [row for row in rows if row["expected"] == expected]
        done = sum(len(row["kernels"]) for row in of if "status" in row)
        print(f"{expected}: {done} of {sum(len(row['kernels']) for row in of)} kernels run")
    print(f"{len(wrong)} not as the checker says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
