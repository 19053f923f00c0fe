#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the checker's model against a GPU: what it calls right, what it says hangs, and what racecheck says of the same.

Usage: model_on_gpu.py FOLDER OUT.json [--make] [--jobs N] [--runs N]
With --make, nvcc makes in FOLDER what runs: ring_runner and runner (tests/mutants/runner.cu), and for each architecture the
cubins rings_ARCH and library_ARCH, from PTX for it, with the names of their kernels beside them. Each right ring and each kernel of the
library runs N times and must be right; each ring with a planted deadlock must hang, for a second and a half; each ring
runs under racecheck once, if compute-sanitizer is there.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ARCHES = (75, 80, 90)
TILES = 13  # 4 stages + 1 of three stages
HANG = 5
# Faults of which check.rings says nothing but `deadlock`.
DEADLOCKS = ("no_release", "producer_parity_wrong", "expect_16_more", "full_count_plus_1")


def call(command, seconds=60):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return HANG, "does not end"
    return done.returncode, done.stdout.strip()


def make(folder):
    os.makedirs(folder, exist_ok=True)
    for name, source in (("ring_runner", "ring_runner.cu"), ("runner", "../mutants/runner.cu")):
        subprocess.run(["nvcc", "-std=c++17", "-o", os.path.join(folder, name), os.path.join(HERE, source)], check=True)
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


def names(path):
    with open(path, encoding="utf-8") as file:
        return file.read().split()


def ring(folder, arch, kernel, runs, sanitizer):
    threads = "64" if kernel.startswith("roles") else "256"
    fault = kernel.split("__")[1]
    command = [os.path.join(folder, "ring_runner"), os.path.join(folder, f"rings_{arch}"), kernel, threads, str(TILES)]
    status, text = call(command + [str(runs if fault == "none" else 100)])
    row = {"kernel": kernel, "arch": arch, "status": status, "said": text.splitlines()[-1] if text else ""}
    row["as_predicted"] = status == 0 if fault == "none" else status == HANG if fault in DEADLOCKS else None
    if sanitizer and status != HANG:
        said = call([sanitizer, "--tool", "racecheck", "--error-exitcode", "99"] + command + ["1"])[1]
        found = re.search(r"RACECHECK SUMMARY: (.*)", said)
        row["racecheck"] = found.group(1) if found else said[-200:]
    return row


def library(folder, arch, kernel, runs):
    status, text = call([os.path.join(folder, "runner"), os.path.join(folder, f"library_{arch}"), kernel, str(TILES),
                         str(runs)])
    return {"kernel": kernel, "arch": arch, "status": status, "said": text.splitlines()[-1] if text else "",
            "as_predicted": status == 0}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--runs", type=int, default=1000)
    options = parser.parse_args()
    if options.make:
        make(options.folder)
    sanitizer = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")
    found = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for arch in ARCHES:
            listed = os.path.join(options.folder, f"rings_{arch}.txt")
            if os.path.exists(listed):
                found += [pool.submit(ring, options.folder, arch, k, options.runs, sanitizer) for k in names(listed)]
        for arch in ARCHES:
            listed = os.path.join(options.folder, f"library_{arch}.txt")
            if os.path.exists(listed):
                found += [pool.submit(library, options.folder, arch, k, options.runs) for k in names(listed)]
        rows = [f.result() for f in found]
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(json.dumps(rows, indent=1) + "\n")
    wrong = [row for row in rows if row["as_predicted"] is False]
    for row in wrong:
        print(f"{row['kernel']} for {row['arch']}: {row['said']}")
    print(f"{len(rows)} kernels, {len(wrong)} not as the checker says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
