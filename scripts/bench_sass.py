#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the SASS instructions of the steady-state loops: tilepipe's beside the same loop by hand.

Usage: bench_sass.py [--cuobjdump PROGRAM] [--out SASS.json] PROGRAM_OR_OBJECT...
The objects are those of bench/stream/handwritten.cu and shapes.cu, or stream_bench itself. A loop is the
smallest run of instructions that ends in a branch back to its first and holds the work of at least one
tile; what is counted is instructions a tile. Exit status 1 if a loop of tilepipe's has more
than TOLERANCE instructions more.
"""
import argparse
import json
import re
import shutil
import subprocess
import sys

TOLERANCE = 2


COMPILER, IN_ORDER = 1, 2  # bench::Order


def stream(order, path, completion, team):
    return (rf"bench::stream<\(bench::Order\){order}, 0, @N, @S, \S*::{team}, \S*Policy<\(\S*Completion\){completion}, .*"
            rf"Via<\(\S*Path\){path}>")


# What a loop is called; tile and stages; ours and the one by hand; the instruction that marks work, and
# how many of it a tile has.
STORE, BULK, ASYNC = r"STG?\.E\.128", r"UBLKCP", r"LDGSTS"
CASES = []
for floats, stages in ((4096, 4), (4096, 2)):
    CASES += [
        ("cp_async, groups", floats, stages, stream(IN_ORDER, 2, 1, "Block<256>"),
         "baseline::stream_groups<0, @N, @S, 256>", STORE, 4),
        ("cp_async, mbarrier", floats, stages, stream(IN_ORDER, 2, 2, "Block<256>"),
         "baseline::stream_cp_async_mbarrier<0, @N, @S, 256>", STORE, 4),
        ("bulk", floats, stages, stream(IN_ORDER, 3, 0, "Block<256>"),
         "baseline::stream_bulk<0, @N, @S, 256>", STORE, 4),
        ("bulk, roles, consumer", floats, stages, stream(COMPILER, 3, 0, r"Specialized<32, 256[^>]*>"),
         "baseline::stream_bulk_specialized<0, @N, @S, 256>", STORE, 4),
        ("bulk, roles, producer", floats, stages, stream(COMPILER, 3, 0, r"Specialized<32, 256[^>]*>"),
         "baseline::stream_bulk_specialized<0, @N, @S, 256>", BULK, 1),
    ]
CASES += [
    ("registers", 4096, 2, stream(COMPILER, 1, 0, "Block<256>"), "baseline::stream_registers<0, @N, @S, 256>",
     STORE, 4),
    ("2-D with edges", 4096, 4, "bench::matrix<0, 32, 128, @S, 256,", "baseline::matrix_groups<0, 32, 128, @S, 256>",
     ASYNC, 4),
    ("two tiles in slices", 4096, 3, "bench::sliced<0, @N, @S, 256,", "baseline::sliced_groups<0, @N, @S, 256>",
     ASYNC, 8),
]


def demangled(names):
    shown = subprocess.run(["c++filt"], input="\n".join(names), stdout=subprocess.PIPE, text=True,
                           check=True)
    return shown.stdout.splitlines()


def kernels(cuobjdump, files):
    """{demangled name: [(address, instruction)]}"""
    found = {}
    for file in files:
        shown = subprocess.run([cuobjdump, "-sass", file], stdout=subprocess.PIPE, text=True, check=True)
        name = None
        for line in shown.stdout.splitlines():
            function = re.match(r"\s*Function : (\S+)", line)
            if function:
                name = function.group(1)
                found[name] = []
            instruction = re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(.*?);", line)
            if instruction and name:
                found[name].append((int(instruction.group(1), 16), instruction.group(2).strip()))
    return dict(zip(demangled(list(found)), found.values()))


def loop_length(code, marker, each):
    """Instructions a tile of the smallest backward loop that has whole tiles of the marker."""
    least = None
    index = {address: i for i, (address, _) in enumerate(code)}
    for last, (address, text) in enumerate(code):
        target = re.search(r"\bBRA(?:\.\S+)?\s+(?:\S+,\s+)?`?\(?(?:\.L_\S+|0x([0-9a-f]+))", text)
        if not target or not target.group(1):
            continue
        to = int(target.group(1), 16)
        if to >= address or to not in index:
            continue
        body = [line for _, line in code[index[to]:last + 1] if line != "NOP"]
        marks = sum(re.search(marker, line) is not None for line in body)
        tiles = marks // each  # the rest is of a slow way beside it
        if tiles == 0:
            continue
        if not any(re.search(r"\b(BAR\.|SYNCS|DEPBAR)", line) for line in body):
            continue
        if least is None or len(body) / tiles < least[0]:
            least = (len(body) / tiles, tiles)
    return least


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--cuobjdump", default=shutil.which("cuobjdump") or "cuobjdump")
    parser.add_argument("--out")
    given = parser.parse_args()
    code = kernels(given.cuobjdump, given.files)
    records, wrong = [], 0
    for what, floats, stages, ours, by_hand, marker, each in CASES:
        counts = []
        for pattern in (ours, by_hand):
            pattern = pattern.replace("@N", str(floats)).replace("@S", str(stages))
            names = [name for name in code if re.search(pattern, name)]
            length = loop_length(code[names[0]], marker, each) if names else None
            if length is None:
                print(f"{what}, {floats} x {stages}: no loop found in {names[:1] or pattern}")
            counts.append(length)
        if None in counts:
            wrong += 1
            continue
        (mine, unrolled), (theirs, their_unrolled) = counts
        differ = mine - theirs
        within = differ <= TOLERANCE
        wrong += not within
        records.append({"config": f"{what}, {floats // 256} KiB x {stages}, W0", "ours": round(mine, 1),
                        "by_hand": round(theirs, 1), "within": within})
        print(f"{what:<24} {floats:>5} x {stages}: tilepipe {mine:6.1f} (by {unrolled}), by hand "
              f"{theirs:6.1f} (by {their_unrolled}), {differ:+.1f} {'' if within else '<--'}")
    if given.out:
        with open(given.out, "w", encoding="utf-8") as file:
            json.dump(records, file, indent=1)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
