#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes copy_pairs.cu: cases in which every pair of settings that may go together does so once.

A seeded greedy cover, so that its output is always the same. Usage: pairwise.py [--check] (compares instead of writing)
"""
import argparse
import itertools
import os
import random
import sys

AXES = {
    "way": ["RegistersGroups", "RegistersMbarrier", "RegistersNamed", "CpAsyncGroups", "CpAsyncMbarrier", "Bulk"],
    "team": ["Block<64>", "Block<>", "Warp", "GroupTeam<LaneGroup<16>>", "Thread", "Specialized<32, 64>"],
    "edge": ["Exact", "ZeroFill", "Skip"],
    "layout": ["Tile<{t}, {e}>", "PaddedTile<16, {t}, {e}>", "SwizzledTile<{t}, {e}>"],
    "type": ["unsigned char", "unsigned short", "float", "Element<16, 16>"],
    "extents": ["1", "2", "3"],
    "stages": ["1", "2", "3", "5"],
    "promise": ["Aligned<16>", "Aligned<4>", "AnyAlignment"],
}
BYTES = {"unsigned char": 1, "unsigned short": 2, "float": 4, "Element<16, 16>": 16}
NAMES = {
    "RegistersGroups": "registers-groups", "RegistersMbarrier": "registers-mbarrier",
    "RegistersNamed": "registers-named_barrier", "CpAsyncGroups": "cp_async-groups",
    "CpAsyncMbarrier": "cp_async-mbarrier", "Bulk": "bulk-mbarrier",
}


def possible(case):
    """Whether the settings made so far may stand together; refused combinations are in refused_test.cpp."""
    way, team, edge = case.get("way"), case.get("team"), case.get("edge")
    layout, promise = case.get("layout", ""), case.get("promise")
    if way and team:
        roles = team.startswith("Specialized")
        if roles and way.endswith("Groups") or not roles and way == "RegistersNamed":
            return False
        if team == "Thread" and not way.endswith("Groups"):
            return False
    if way == "Bulk" and (edge == "ZeroFill" or layout.startswith("Swizzled") or promise not in (None, "Aligned<16>")):
        return False
    if layout.startswith("Swizzled") and case.get("extents") == "1":
        return False
    return True


def pairs(case):
    return set(itertools.combinations(sorted(case.items()), 2))


def cover():
    rng = random.Random(20)
    left = set()
    for a, b in itertools.combinations(sorted(AXES), 2):
        for x, y in itertools.product(AXES[a], AXES[b]):
            if possible({a: x, b: y}):
                left.add(((a, x), (b, y)))
    cases = []
    while left:
        best = None
        for _ in range(60):
            case = dict(rng.choice(sorted(left)))
            for axis in rng.sample(sorted(AXES), len(AXES)):
                if axis in case:
                    continue
                options = [v for v in AXES[axis] if possible({**case, axis: v})]
                if not options:
                    break
                case[axis] = max(options, key=lambda v: (len(pairs({**case, axis: v}) & left), rng.random()))
            if len(case) == len(AXES) and (best is None or len(pairs(case) & left) > len(pairs(best) & left)):
                best = case
        if best is None or not pairs(best) & left:
            break
        left -= pairs(best)
        cases.append(best)
    return cases, left


def line(number, case):
    size = BYTES[case["type"]]
    row = 64 // size
    extents = {"1": f"{2 * row}", "2": f"5, {row}", "3": f"2, 3, {row}"}[case["extents"]]
    tile = case["layout"].format(t=case["type"], e=extents)
    team = {"Specialized<32, 64>": "-roles", "GroupTeam<LaneGroup<16>>": "-lanes16"}.get(case["team"], "")
    name = f"pairs/{number}-{NAMES[case['way']]}{team}"
    return (f'  add_ring<{case["way"]}<{case["team"]}>::With<{case["edge"]}, {case["promise"]}>,\n'
            f'           {tile}, {case["stages"]}>("{name}");')


def text():
    cases, left = cover()
    arch = {"RegistersGroups": 75, "RegistersNamed": 75, "Bulk": 90}
    groups = {75: [], 80: [], 90: []}
    for number, case in enumerate(cases):
        groups[arch.get(case["way"], 80)].append(line(number, case))
    out = ["// SPDX-License-Identifier: Apache-2.0",
           "// Copy cases in which every pair of settings occurs. Written by pairwise.py, not by hand.",
           '#include "hows.cuh"', "", "namespace tilepipe_test {", "namespace {", "",
           "// clang-format off", "const bool added = [] {", "  using namespace tilepipe;"]
    out += groups[75]
    for least in (80, 90):
        out += [f"#if TILEPIPE_TEST_ARCH >= {least}"] + groups[least] + ["#endif"]
    out += ["  return true;", "}();", "// clang-format on", "", "}  // namespace", "}  // namespace tilepipe_test", ""]
    return "\n".join(out), len(cases), left


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "copy_pairs.cu")
    wanted, count, left = text()
    for pair in sorted(left):
        print("not covered, since no third setting goes with both:", pair)
    print(count, "cases")
    if args.check:
        with open(path, encoding="utf-8") as file:
            if file.read() != wanted:
                print("copy_pairs.cu is not what pairwise.py writes")
                return 1
        return 0
    with open(path, "w", encoding="utf-8") as file:
        file.write(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
