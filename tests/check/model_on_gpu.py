#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the checker's model against a GPU: what it calls right, what it says hangs, and what racecheck says of the same.

Usage: model_on_gpu.py FOLDER OUT.json [--make] [--jobs N] [--runs N] [--seconds N]
With --make, nvcc makes in FOLDER what runs: ring_runner, runner (tests/mutants), and for each architecture cubins of the
rings and of the library's kernels, from PTX for it, with the names of their kernels beside them. Each right ring and each
kernel of the library runs N times and must be right: a process a cubin. Each ring with a planted deadlock must hang, for a
second and a half; each ring with another fault runs under racecheck, if compute-sanitizer is there. What is not begun
after so many seconds is left out, and said to be.
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


# The kernels whose cleanness check.library shows, and for which architectures they have code.
LIBRARY = {"library": ARCHES, "consumers": ARCHES, "ends": ARCHES, "exchange": ARCHES, "stores": ARCHES, "apart": (80, 90)}


def make(folder):
    os.makedirs(folder, exist_ok=True)
    for name, source in (("ring_runner", "ring_runner.cu"), ("runner", "../mutants/runner.cu")):
        subprocess.run(["nvcc", "-std=c++17", "-O2", "-cudart", "static", "-arch=sm_90",
                        "-I" + os.path.join(HERE, "../../include"), "-o", os.path.join(folder, name),
                        os.path.join(HERE, source)], check=True)
    for name, arches in {"rings": ARCHES, **LIBRARY}.items():
        source = {"rings": "rings.cu", "library": "library_kernels.cu"}.get(name, f"../mutants/kernels/{name}.cu")
        for arch in arches:
            made = os.path.join(folder, f"{name}_{arch}")
            subprocess.run(["nvcc", "-std=c++17", "-ptx", f"-arch=compute_{arch}", f"-DCHECK_ARCH={arch}",
                            "-I" + os.path.join(HERE, "../../include"), "-o", made + ".ptx",
                            os.path.join(HERE, source)], check=True)
            subprocess.run(["ptxas", "-arch=sm_90", "-o", made, made + ".ptx"], check=True)
            with open(made + ".ptx", encoding="utf-8") as ptx, open(made + ".txt", "w", encoding="utf-8") as listed:
                kernels = re.findall(r"^\.visible \.entry (\w+)", ptx.read(), re.M)
                listed.write("\n".join(k for k in kernels if k != "product") + "\n")
            os.remove(made + ".ptx")


def call(command, lines, seconds):
    """(status, what it printed)."""
    try:
        done = subprocess.run(command, input=lines, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds)
    except subprocess.TimeoutExpired as late:
        return HANG, (late.stdout or b"").decode() + "does not end"
    return done.returncode, done.stdout.strip()


def threads(ring):
    return "64" if ring.startswith("roles") else "256"


def tasks(folder, runs, sanitizer):
    """(expectation, architecture, command, its input, kernels), in the order in which they are begun."""
    right, deadlocks, others = [], [], []
    for name, arches in LIBRARY.items():
        for arch in arches:
            code = os.path.join(folder, f"{name}_{arch}")
            with open(code + ".txt", encoding="utf-8") as file:
                kernels = file.read().split()
            right.append(("right", arch, [os.path.join(folder, "runner")],
                          "".join(f"{code} {kernel} {TILES} {runs}\n" for kernel in kernels), kernels))
    for arch in ARCHES:
        code = os.path.join(folder, f"rings_{arch}")
        with open(code + ".txt", encoding="utf-8") as file:
            kernels = file.read().split()
        for number in ("64", "256"):
            command = [os.path.join(folder, "ring_runner"), code, number, TILES]
            mine = [kernel for kernel in kernels if threads(kernel) == number]
            sound = [kernel for kernel in mine if kernel.endswith("__none")]
            if sound:
                right.append(("right", arch, command + [str(runs)] + sound, "", sound))
            for kernel in mine:
                fault = kernel.split("__")[1]
                if fault in DEADLOCKS:
                    deadlocks.append(("hang", arch, command + ["1", kernel], "", [kernel]))
                elif fault != "none" and sanitizer:
                    others.append(("racecheck", arch, [sanitizer, "--tool", "racecheck"] + command + ["1", kernel], "", [kernel]))
    right.sort(key=lambda task: -len(task[4]))
    return right + deadlocks + others


def right_ones(printed, lines, kernels):
    """Of a process of the runner, which answers each kernel by a status, or of the ring_runner, which names it."""
    if lines:
        return [kernel for kernel, line in zip(kernels, printed.splitlines()) if line.startswith(f"{RIGHT} ")]
    return [kernel for kernel in kernels if kernel in printed.split()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=600)
    options = parser.parse_args()
    if options.make:
        make(options.folder)
    end = time.time() + options.seconds
    sanitizer = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")

    def judge(task):
        expected, arch, command, lines, kernels = task
        row = {"expected": expected, "arch": arch, "kernels": kernels}
        begun = time.time()
        if begun > end:
            return dict(row, said="left out: no time")
        status, printed = call(command, lines, 60 if expected == "right" else 20)
        row["status"], row["said"] = status, printed.splitlines()[-1] if printed else ""
        row["seconds"] = round(time.time() - begun, 2)
        if expected == "racecheck":
            found = re.search(r"RACECHECK SUMMARY: (.*)", printed)
            row["said"] = found.group(1) if found else printed[-200:]
        elif expected == "right":
            sound = right_ones(printed, lines, kernels)
            row["right"], row["as_predicted"] = len(sound), sound == kernels
            row["others"] = [kernel for kernel in kernels if kernel not in sound]
        else:
            row["as_predicted"] = status == HANG
        return row

    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(judge, tasks(options.folder, options.runs, sanitizer)):
            rows.append(row)
            with open(options.out, "w", encoding="utf-8") as file:
                file.write(json.dumps(rows, indent=1) + "\n")
    wrong = [row for row in rows if row.get("as_predicted") is False]
    for row in wrong:
        print(f"{row['expected']} for {row['arch']}: {' '.join(row.get('others', row['kernels']))}: status {row['status']}, {row['said']}")
    for expected in ("right", "hang", "racecheck"):
        of = [row for row in rows if row["expected"] == expected]
        done = sum(len(row["kernels"]) for row in of if "status" in row)
        print(f"{expected}: {done} of {sum(len(row['kernels']) for row in of)} kernels run")
    print(f"{len(wrong)} not as the checker says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
