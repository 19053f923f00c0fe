#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the GEMM example is made of, for one architecture: paths, instructions in the PTX, registers, spills, memory.

Usage: gemm_report.py PTX PTXAS ARCH PLAN     PLAN is the program of gemm_plan.cu
"""
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

# What is counted, and how a PTX statement of it begins.
FAMILIES = (
    ("cp.async", r"cp\.async\.c[ag]\."), ("cp.async.commit_group", r"cp\.async\.commit_group"),
    ("cp.async.wait_group", r"cp\.async\.wait_(group|all)"), ("cp.async.bulk", r"cp\.async\.bulk\."),
    ("cp.async.mbarrier.arrive", r"cp\.async\.mbarrier\."), ("mbarrier", r"mbarrier\."),
    ("ld.global", r"ld\.global"), ("st.shared", r"st\.shared"), ("ldmatrix", r"ldmatrix"), ("mma", r"w?mma\."),
    ("fma", r"fma\.rn\.f32"), ("bar.sync", r"bar(rier)?(\.cta)?\.sync"),
)


def entries(ptx):
    """For each kernel its mangled name and its text, and what stands outside of all kernels."""
    found, outside, at = {}, [], 0
    for match in re.finditer(r"^(?:\.visible |\.weak )?\.entry (\w+)", ptx, re.M):
        if match.start() < at:
            continue
        outside.append(ptx[at:match.start()])
        depth, end = 0, ptx.index("{", match.start())
        while True:
            depth += {"{": 1, "}": -1}.get(ptx[end], 0)
            end += 1
            if depth == 0:
                break
        found[match.group(1)] = ptx[match.start():end]
        at = end
    outside.append(ptx[at:])
    return found, "".join(outside)


def key_of(mangled):
    """The kernel as gemm_plan names it: shape, piece, edge."""
    name = subprocess.run(["c++filt", mangled], check=True, stdout=subprocess.PIPE, text=True).stdout
    name = name.replace(" >", ">")
    match = re.search(r"gemm_kernel<.*?GemmShape<(\d+), (\d+), (\d+),[^>]*, ([\w ]+)>((?:, tilepipe::[\w:<>]+)*)>\(",
                      name)
    if not match:
        return name
    options = re.findall(r"tilepipe::(?:\w+::)?(\w+(?:<\d+>)?)", match.group(5))
    return " ".join(["x".join(match.group(1, 2, 3)), match.group(4), *options])


def count(text):
    counts = collections.Counter()
    for statement in re.findall(r"^\s*(?:@!?%p\d+\s+)?([a-z][\w.:]*)", text, re.M):
        for family, pattern in FAMILIES:
            if re.match(pattern, statement):
                counts[family] += 1
    return ", ".join(f"{counts[family]} {family}" for family, _ in FAMILIES if counts[family])


def resources(ptxas, arch, text):
    """What ptxas says of one kernel alone."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([ptxas, "-v", f"-arch=sm_{arch}", "-o", os.devnull, file.name],
                              stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout)
    registers = re.search(r"Used (\d+) registers", done.stdout).group(1)
    stores, loads = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", done.stdout).groups()
    smem = re.search(r"(\d+) bytes smem", done.stdout)
    return registers, int(stores) + int(loads), int(smem.group(1)) if smem else 0


def main():
    path, ptxas, arch, plan = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        kernels, outside = entries(file.read())
    kernels = {key_of(name): text for name, text in kernels.items()}
    plans = subprocess.run([plan, "kernels", arch], check=True, stdout=subprocess.PIPE, text=True).stdout
    blocks = [block.splitlines() for block in plans.split("kernel\t")[1:]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        used = {}
        for head, *lines in blocks:
            key = head.split("\t")[0]
            if key not in kernels:
                sys.exit(f"{path} has no kernel {key}")
            if not any("does not fit" in line for line in lines):
                used[key] = pool.submit(resources, ptxas, arch, outside + kernels[key])
        for head, *lines in blocks:
            key, what = head.split("\t")
            print(f"  {what}")
            print("\n".join(line for line in lines if not line.startswith("  sm_")))
            print(f"    in the PTX: {count(kernels[key])}", flush=True)
            if key in used:
                registers, spilled, static = used[key].result()
                print(f"    ptxas: {registers} registers, {spilled} bytes spilled, {static} bytes of static shared "
                      "memory", flush=True)


if __name__ == "__main__":
    main()
