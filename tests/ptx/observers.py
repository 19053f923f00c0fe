#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The default observer costs nothing: the PTX is that of an empty observer. TILEPIPE_CHECKS changes it.

Also that the comparison can tell: an observer that counts gives other PTX.
Usage: observers.py [--nvcc NVCC] ARCH
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def ptx(nvcc, arch, *flags):
    """The PTX without comments, and with mangled names numbered in the order of their appearance."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "kernel.ptx")
        done = subprocess.run([nvcc, "-std=c++17", f"-I{ROOT}/include", f"-arch=compute_{arch}", "-ptx", "-o", out,
                               *flags, os.path.join(HERE, "kernels", "observed.cu")],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout)
        with open(out, encoding="utf-8") as file:
            text = re.sub(r"//.*", "", file.read())
    names = {}
    return re.sub(r"\b_Z\w+", lambda match: names.setdefault(match.group(0), f"name{len(names)}"), text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("arch")
    args = parser.parse_args()
    default = ptx(args.nvcc, args.arch, "-DOBSERVED=0")
    problems = []
    if default.count(".entry") != 2:
        problems.append("two kernels were to be compiled")
    if ptx(args.nvcc, args.arch, "-DOBSERVED=1") != default:
        problems.append("an empty observer gives other PTX than the default")
    if ptx(args.nvcc, args.arch, "-DOBSERVED=2") == default:
        problems.append("an observer that counts gives the same PTX: the comparison is blind")
    checked = ptx(args.nvcc, args.arch, "-DOBSERVED=0", "-DTILEPIPE_CHECKS")
    if checked == default or "vprintf" not in checked:
        problems.append("TILEPIPE_CHECKS changes nothing, or prints nothing")
    if "vprintf" in default or "trap" in default:
        problems.append("checks are compiled in without TILEPIPE_CHECKS")
    print("\n".join(problems) or "identical")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
