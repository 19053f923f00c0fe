#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `#include <tilepipe/tilepipe.cuh>` adds to an empty .cu: preprocessed lines, and time to compile."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

MOST_LINES = 3000
MOST_RATIO = 1.3
ROUNDS = 5


def lines(nvcc, source):
    """Preprocessed lines of the device pass, which has all of the host's and more; no line markers, no blank ones."""
    text = subprocess.run([*nvcc, "-E", source], check=True, stdout=subprocess.PIPE, text=True).stdout
    return sum(1 for line in text.splitlines() if line.strip() and not line.startswith("#"))


def seconds(nvcc, source, output):
    start = time.perf_counter()
    subprocess.run([*nvcc, "-c", source, "-o", output], check=True)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--include", required=True)
    args = parser.parse_args()
    nvcc = [args.nvcc, "-std=c++17", "-gencode=arch=compute_90,code=sm_90", f"-I{args.include}"]
    with tempfile.TemporaryDirectory() as folder:
        sources = {}
        for name, text in {"empty": "", "include": "#include <tilepipe/tilepipe.cuh>\n"}.items():
            sources[name] = os.path.join(folder, name + ".cu")
            with open(sources[name], "w", encoding="utf-8") as file:
                file.write(text)
        added = lines(nvcc, sources["include"]) - lines(nvcc, sources["empty"])
        # The two take turns, so that a busy machine slows both.
        times = {name: [] for name in sources}
        for _ in range(ROUNDS):
            for name, source in sources.items():
                times[name].append(seconds(nvcc, source, source + ".o"))
    median = {name: statistics.median(values) for name, values in times.items()}
    ratio = median["include"] / median["empty"]
    print(f"lines added: {added}, at most {MOST_LINES}")
    print(f"time: {median['include']:.2f} s over {median['empty']:.2f} s = {ratio:.2f}, at most {MOST_RATIO}")
    return 0 if added <= MOST_LINES and ratio <= MOST_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
