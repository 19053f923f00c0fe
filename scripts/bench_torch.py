#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the rows of example 14 beside torch's softmax and layer norm, in one process, by CUDA events.

Usage: bench_torch.py LIBRARY OUT.jsonl [--quick]
LIBRARY is librows_torch.so of a build of bench/. Lines are appended to OUT as the programs of bench/ write
them; the machine's line is theirs. Without torch nothing is written, and the exit status is 77.
"""
import ctypes
import json
import statistics
import sys
import time

try:
    import torch
except ImportError:
    print("bench_torch.py: torch is not there, no rows")
    sys.exit(77)

ROWS, COLS = 32768, 8192
GIGABYTES = 4e-9 * ROWS * COLS  # read and written
WARM_UP = 3


def seconds(launch):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    launch()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1e-3


def most_wrong(out, right):
    """The largest relative error against a result in double, some rows at a time."""
    worst = 0.0
    for first in range(0, ROWS, 4096):
        expected = right(first, first + 4096)
        error = (out[first:first + 4096].double() - expected).abs() / expected.abs().clamp_min(1e-30)
        worst = max(worst, error.max().item())
    return worst


def clocks():
    return {"sm_mhz": -1, "memory_mhz": -1, "watts": -1.0, "celsius": -1}  # run_gpu.sh notes them twice a second


def main():
    library = ctypes.CDLL(sys.argv[1])
    quick = "--quick" in sys.argv[3:]
    rounds = 5 if quick else 21
    torch.manual_seed(14)
    x = (torch.rand(ROWS, COLS, device="cuda") * 16 - 8).bfloat16()
    weight = (torch.rand(COLS, device="cuda") * 2 - 1).bfloat16()
    out = torch.empty_like(x)

    def ours(norm):
        status = library.tilepipe_normalize_rows(
            norm, *(ctypes.c_void_p(t.data_ptr()) for t in (x, weight, out)))
        if status != 0:
            sys.exit(f"bench_torch.py: launch failed with CUDA error {status}")

    def softmax(first, last):
        return torch.softmax(x[first:last].double(), -1)

    def rms_norm(first, last):
        v = x[first:last].double()
        return v * weight.double() / (v.square().mean(-1, keepdim=True) + 1e-6).sqrt()

    functional = torch.nn.functional
    failed = 0
    with open(sys.argv[2], "a", encoding="utf-8") as file:
        for name, norm, right, peer, theirs in (
                ("softmax_torch", 0, softmax, "torch.softmax", lambda: torch.softmax(x, -1)),
                ("rmsnorm_torch", 1, rms_norm, "torch.nn.functional.layer_norm",
                 lambda: functional.layer_norm(x, (COLS,), weight))):
            out.fill_(float("nan"))
            ours(norm)
            worst = most_wrong(out, right)
            if not worst <= 0.004:
                print(f"{name}: wrong results, relative error {worst}")
                failed += 1
                continue
            sides = ([], [])
            for _ in range(WARM_UP):
                ours(norm)
                theirs()
            for turn in range(rounds):
                for side in (0, 1) if turn % 2 == 0 else (1, 0):
                    sides[side].append(seconds(lambda: ours(norm)) if side == 0 else seconds(theirs))
            speeds = [[float(f"{GIGABYTES / s:.6g}") for s in side] for side in sides]
            print(f"{name}: {statistics.median(speeds[0]):.0f} against {statistics.median(speeds[1]):.0f} GB/s")
            file.write(json.dumps({
                "bench": name, "config": f"bf16, {ROWS} x {COLS}", "unit": "GB/s", "data": "beyond L2",
                "peer": peer, "ours": [{"config": "example 14", "samples": speeds[0]}],
                "peers": [{"config": f"{peer}, torch {torch.__version__}", "samples": speeds[1]}],
                "quick": quick, "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                "clocks": clocks()}) + "\n")
    return failed


if __name__ == "__main__":
    sys.exit(main())
