#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the reference kernels of tests/ptx/kernels take of the machine, against tests/ptx/budgets.json.

Compared: registers, spilled bytes, stack and static shared memory as ptxas counts them; PTX instructions of the whole
kernel and of its loops. No kernel may use local memory, generic loads or stores, or divide 64 bits in a loop.
More than the budget fails, and so does less by over a tenth: then write the lower number down. Raising a
budget needs a line in CHANGELOG.md.
Usage: budgets.py [--nvcc NVCC] [--update] [KERNEL.ARCH]
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import ptx_count  # noqa: E402

STORED = os.path.join(HERE, "budgets.json")
KERNELS = ["registers.75", "registers.90", "groups.80", "mbarrier.80", "mbarrier.90", "bulk.90", "specialized.90"]


def run(line):
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout)
    return done.stdout


def measure(nvcc, kernel, arch):
    source = os.path.join(HERE, "kernels", kernel + ".cu")
    with tempfile.TemporaryDirectory() as folder:
        ptx = os.path.join(folder, "kernel.ptx")
        run([nvcc, "-std=c++17", f"-I{ROOT}/include", f"-arch=compute_{arch}", "-ptx", "-o", ptx, source])
        said = run([os.path.join(os.path.dirname(nvcc), "ptxas"), f"-arch=sm_{arch}", "-v", "-o",
                    os.path.join(folder, "kernel.cubin"), ptx])
        with open(ptx, encoding="utf-8") as file:
            counted = ptx_count.summary(ptx_count.kernels(file.read())[kernel])

    def number(pattern):
        found = re.search(pattern, said)
        return int(found.group(1)) if found else 0

    return {
        "registers": number(r"Used (\d+) registers"),
        "spilled": number(r"(\d+) bytes spill stores") + number(r"(\d+) bytes spill loads"),
        "stack": number(r"(\d+) bytes stack frame"),
        "shared": number(r"(\d+) bytes smem"),
        **counted,
    }


def compare(name, measured, budget):
    problems = []
    for what in ("local", "generic", "wide_division"):
        if measured[what] != 0:
            problems.append(f"{name}: {what} is {measured[what]}, and must be 0")
    if set(measured) != set(budget):
        return problems + [f"{name}: the budget has other entries: {sorted(set(measured) ^ set(budget))}"]
    for what, most in budget.items():
        if what == "loops" and len(most) != len(measured[what]):
            problems.append(f"{name}: the loops are {measured[what]}, the budget is {most}")
            continue
        pairs = zip(measured[what], most) if what == "loops" else [(measured[what], most)]
        for value, bound in pairs:
            if value > bound:
                problems.append(f"{name}: {what} is {value}, the budget is {bound}")
            elif value < bound * 0.9:
                problems.append(f"{name}: {what} is {value}, well below its budget of {bound}: write it down (--update)")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", default="/usr/local/cuda/bin/nvcc")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("kernel", nargs="?")
    args = parser.parse_args()
    with open(STORED, encoding="utf-8") as file:
        stored = json.load(file)
    problems = []
    for name in [args.kernel] if args.kernel else KERNELS:
        measured = measure(args.nvcc, *name.split("."))
        print(f"{name}: {json.dumps(measured)}")
        if args.update:
            stored[name] = measured
        problems += compare(name, measured, stored.get(name, {}))
    if not args.kernel and set(stored) != set(KERNELS):
        problems.append(f"{STORED} has other kernels than {KERNELS}")
    if args.update:
        rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(stored[name])}" for name in KERNELS if name in stored)
        with open(STORED, "w", encoding="utf-8") as file:
            file.write("{\n" + rows + "\n}\n")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
