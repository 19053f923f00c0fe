#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles a kernel file to PTX for one architecture and checks it.

FileCheck matches the file's own lines: prefix CHECK for every architecture, SM80 for 80 alone.
  // RUN-FLAGS: -DX=1                                more flags for nvcc
  // BUDGET: 90 KERNEL registers=32 spill=0 shared=4096   upper bounds, as ptxas counts
A BUDGET line holds for every entry whose mangled name contains KERNEL.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77


def run(line, **options):
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    return done.returncode, done.stdout


def resources(output):
    """Registers, spilled bytes and shared bytes of each entry in ptxas's -v output."""
    found = {}
    for part in re.split(r"Compiling entry function '", output)[1:]:
        spills = [int(n) for n in re.findall(r"(\d+) bytes spill", part)]
        shared = re.search(r"(\d+) bytes smem", part)
        registers = re.search(r"Used (\d+) registers", part)
        found[part.split("'")[0]] = {
            "registers": int(registers.group(1)),
            "spill": sum(spills),
            "shared": int(shared.group(1)) if shared else 0,
        }
    return found


def over_budget(args, text, flags, folder):
    """Every way in which a kernel passes the bounds that the file gives for this architecture."""
    lines = re.findall(rf"^// BUDGET: {args.arch} (\S+) (.*)$", text, re.M)
    if not lines:
        return []
    code = f"-gencode=arch=compute_{args.arch},code=sm_{args.arch}"
    status, output = run([args.nvcc, code, "-cubin", "-Xptxas=-v", "-o",
                          os.path.join(folder, "kernel.cubin"), *flags, args.file])
    if status != 0:
        return [output]
    kernels, found = resources(output), []
    for kernel, bounds in lines:
        used = {name: value for name, value in kernels.items() if kernel in name}
        if not used:
            found.append(f"no kernel's name contains {kernel}")
        for bound in bounds.split():
            what, most = bound.split("=")
            for name, value in used.items():
                print(f"{name}: {what} {value[what]}, budget {most}")
                if value[what] > int(most):
                    found.append(f"{name}: {what} is {value[what]}, the budget is {most}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--filecheck", default="FileCheck")
    parser.add_argument("--arch", required=True)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("file")
    args = parser.parse_args()
    if not args.filecheck or args.filecheck.endswith("NOTFOUND"):
        print("skipped: FileCheck was not found")
        return SKIPPED
    with open(args.file, encoding="utf-8") as file:
        text = file.read()
    flags = ["-std=c++17"] + [f"-I{folder}" for folder in args.include]
    for line in re.findall(r"^// RUN-FLAGS: (.*)$", text, re.M):
        flags += line.split()
    prefixes = [name for name in ("CHECK", f"SM{args.arch}")
                if re.search(rf"\b{name}(-[A-Z]+)?(\{{LITERAL\}})?:", text)]
    if not prefixes:
        print(f"the file checks nothing for {args.arch}: no line has CHECK: or SM{args.arch}:")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        ptx = os.path.join(folder, "kernel.ptx")
        status, output = run([args.nvcc, f"-arch=compute_{args.arch}", "-ptx", "-o", ptx, *flags, args.file])
        if status != 0:
            print(output)
            return 1
        status, output = run([args.filecheck, f"--check-prefixes={','.join(prefixes)}",
                              f"--input-file={ptx}", "--dump-input-context=20", args.file])
        print(output)
        found = over_budget(args, text, flags, folder)
        print("\n".join(found))
        return 1 if status != 0 or found else 0


if __name__ == "__main__":
    sys.exit(main())
