#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes bench/results/ from raw samples, renders the README's tables from it, and checks both.

Usage: bench_results.py merge RAW.jsonl... [--sass SASS.json] [--cutlass VERSION] [--peer NAME=VERSION]...
                              what the programs of bench/ wrote, to h200.json and h200_samples.jsonl
       bench_results.py render      tables between <!-- results:NAME --> markers, and the pictures
       bench_results.py check       recomputes rows, tables and pictures; says whether the hash is the tree's
       bench_results.py stamp FILE  a header with the tree's hash and commit, for the programs
"""
import argparse
import hashlib
import json
import os
import re
import subprocess
import sys

import bench_curve
import bench_paths
import bench_tables

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = ("include", "bench", "examples/03_gemm_tensor_core", "examples/04_gather_rows", "examples/05_any_alignment",
           "examples/11_sgemm", "examples/10_stencil", "examples/12_bgmv", "examples/13_decode_attention",
           "examples/14_row_softmax", "examples/support")
LEFT_OUT = ("bench/results/", "bench/README.md")
OF_THE_TOOLKIT = "cuda::pipeline, cub::DeviceTransform"
PICTURES = {"curve": bench_curve, "paths": bench_paths}  # NAME.svg in bench/results/
MOST_SPREAD = 0.03
FEWEST_SAMPLES = 15


def percentile(values, share):
    """Linear interpolation between the sorted values."""
    values = sorted(values)
    at = share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def median(values):
    return percentile(values, 0.5)


def spread(values):
    return (percentile(values, 0.9) - percentile(values, 0.1)) / median(values)


def rounded(value, digits=6):
    return float(f"{value:.{digits}g}")


def chosen(sides, by=max):
    """The fastest side by its median (or the slowest: min), its median and its spread; a published figure has none."""
    def speed(side):
        return side["figure"] if "figure" in side else median(side["samples"])
    side = by(sides, key=speed)
    return side, speed(side), 0.0 if "figure" in side else spread(side["samples"])


def make_row(raw):
    ours, our_speed, our_spread = chosen(raw["ours"], min if raw.get("counts") == "slowest" else max)
    peer, peer_speed, peer_spread = chosen(raw["peers"])
    widest = max(our_spread, peer_spread)
    row = {
        "bench": raw["bench"], "config": raw["config"],
        "ours": rounded(our_speed), "unit": raw["unit"], "ours_config": ours["config"],
        "peer": raw["peer"], "peer_config": peer["config"], "peer_value": rounded(peer_speed),
        "ratio": rounded(our_speed / peer_speed), "spread": rounded(widest, 3),
        "unstable": widest > MOST_SPREAD, "data": raw["data"], "clocks": raw["clocks"],
    }
    if "figure" in peer:
        row["peer_is"] = "a published figure, not run here"
    return row


def judge(rows, bounds):
    """For each bound: its rows' least ratio, and whether every row holds it."""
    verdicts = []
    for bench, bound in bounds.items():
        ratios = [row["ratio"] for row in rows if row["bench"] == bench]
        verdicts.append({
            "bench": bench, "bound": bound["bound"], "rows": len(ratios),
            "least": min(ratios) if ratios else None,
            "below": sum(ratio < bound["bound"] for ratio in ratios),
            "holds": bool(ratios) and min(ratios) >= bound["bound"],
        })
    return verdicts


def git(*arguments):
    shown = subprocess.run(["git", "-c", f"safe.directory={ROOT}", *arguments], cwd=ROOT,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return shown.stdout.strip() if shown.returncode == 0 else ""


def source_files():
    for top in SOURCES:
        folder, prefix = os.path.split(top)
        start = os.path.join(ROOT, top)
        if not os.path.isdir(start):
            start = os.path.join(ROOT, folder)
        for place, folders, names in os.walk(start):
            folders.sort()
            for name in sorted(names):
                path = os.path.relpath(os.path.join(place, name), ROOT).replace(os.sep, "/")
                if path.startswith(top) and not path.startswith(LEFT_OUT) and not path.endswith(".pyc"):
                    yield path


def source_hash():
    digest = hashlib.sha256()
    for path in sorted(set(source_files())):
        with open(os.path.join(ROOT, path), "rb") as file:
            content = file.read()
        digest.update(f"{path}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def tree_is_clean():
    changed = [line[3:] for line in git("status", "--porcelain").splitlines()]
    return not [name for name in changed if not name.startswith("bench/results/")]


def cccl_version():
    """As the toolkit's own header says; empty if there is none."""
    for root in (os.environ.get("CUDA_HOME", ""), "/usr/local/cuda"):
        for part in ("include/cccl", "include"):
            path = os.path.join(root, part, "cuda/std/__cccl/version.h")
            if root and os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    found = re.search(r"define CCCL_VERSION (\d+)", file.read())
                number = int(found.group(1))
                return f"{number // 1000000}.{number // 1000 % 1000}.{number % 1000}"
    return ""


def stamp(path):
    # A copy of the tree without its history is told which commit it is; the hash shows whether that is so.
    copied = os.environ.get("TILEPIPE_COPY_OF", "")
    text = ("// SPDX-License-Identifier: Apache-2.0\n"
            "// Written by scripts/bench_results.py: what this build was made from.\n#pragma once\n\n"
            f'#define TILEPIPE_BENCH_SOURCES "{source_hash()}"\n'
            f'#define TILEPIPE_BENCH_COMMIT "{copied or git("rev-parse", "HEAD")}"\n'
            f'#define TILEPIPE_BENCH_CLEAN {"true" if copied or tree_is_clean() else "false"}\n'
            f'#define TILEPIPE_BENCH_CCCL "{cccl_version()}"\n')
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read_lines(paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            yield from (json.loads(line) for line in file if line.strip())


def compute(lines, bounds, extra):
    """The results file from the raw lines; the machine's lines have to agree."""
    lines = list(lines)
    machines = [line for line in lines if "machine" in line]
    raws = [line for line in lines if "bench" in line]
    for key in ("machine", "driver", "cuda", "cccl", "sources", "commit"):
        values = {line.get(key, "") for line in machines}
        if len(values) != 1:
            raise SystemExit(f"the raw files differ in {key}: {sorted(values)}")
    for raw in raws:
        if raw["quick"]:
            raise SystemExit(f"{raw['bench']}, {raw['config']}: a --quick sample is no result")
        for side in raw["ours"] + raw["peers"]:
            if "samples" in side and len(side["samples"]) < FEWEST_SAMPLES:
                raise SystemExit(f"{raw['bench']}, {raw['config']}: fewer than {FEWEST_SAMPLES} samples")
    rows = [make_row(raw) for raw in raws]
    first = machines[0]
    return {
        "machine": first["machine"], "driver": first["driver"], "cuda": first["cuda"],
        "cccl": first["cccl"],
        "peers": {OF_THE_TOOLKIT: f"CCCL {first['cccl']}", **extra["peers"]},
        "date": min(raw["time"] for raw in raws)[:10], "commit": first["commit"],
        "clean": all(line["clean"] for line in machines), "sources": first["sources"],
        "spread_is": "(p90 - p10) / median, the larger of both sides",
        "bounds": judge(rows, bounds), "rows": rows, "sass": extra["sass"],
    }


def dump(results):
    """One line a row, so that a new run makes a readable difference."""
    parts = []
    for key, value in results.items():
        if isinstance(value, list):
            inner = ",\n".join("    " + json.dumps(item) for item in value)
            parts.append(f"  {json.dumps(key)}: [\n{inner}\n  ]" if value else f"  {json.dumps(key)}: []")
        else:
            parts.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


class Place:
    """Where results lie: the repository's, or a folder given by a test."""

    def __init__(self, root=ROOT):
        self.results = os.path.join(root, "bench/results/h200.json")
        self.samples = os.path.join(root, "bench/results/h200_samples.jsonl")
        self.bounds = os.path.join(root, "bench/results/bounds.json")
        self.curve = os.path.join(root, "bench/results/curve.svg")
        self.paths = os.path.join(root, "bench/results/paths.svg")
        self.readme = os.path.join(root, "README.md")

    def load(self, name):
        with open(getattr(self, name), encoding="utf-8") as file:
            return json.load(file)

    def text(self, name):
        with open(getattr(self, name), encoding="utf-8") as file:
            return file.read()


def merge(place, raw, sass, peers):
    extra = {"sass": [], "peers": peers}
    if sass:
        with open(sass, encoding="utf-8") as file:
            extra["sass"] = json.load(file)
    results = compute(read_lines(raw), place.load("bounds"), extra)
    with open(place.samples, "w", encoding="utf-8") as file:
        for line in read_lines(raw):
            file.write(json.dumps(line) + "\n")
    with open(place.results, "w", encoding="utf-8") as file:
        file.write(dump(results))
    for verdict in results["bounds"]:
        print(f"{verdict['bench']:<26} bound {verdict['bound']:.2f}  least {verdict['least'] or 0:.3f}  "
              f"rows {verdict['rows']:>2}  {'holds' if verdict['holds'] else 'MISSED' if verdict['rows'] else 'no rows'}")


def render(place):
    results = place.load("results")
    text = bench_tables.fill(place.text("readme"), results, place.load("bounds"))
    with open(place.readme, "w", encoding="utf-8") as file:
        file.write(text)
    for name, picture in PICTURES.items():
        with open(getattr(place, name), "w", encoding="utf-8") as file:
            file.write(picture.svg(results["rows"]))


def check(place, tree_hash):
    """What does not follow from the samples, and a note if the results are of another tree."""
    wrong = []
    stored = place.load("results")
    again = compute(read_lines([place.samples]), place.load("bounds"),
                    {"sass": stored["sass"],
                     "peers": {k: v for k, v in stored["peers"].items() if k != OF_THE_TOOLKIT}})
    for key in again:
        if again[key] == stored.get(key):
            continue
        if key != "rows":
            wrong.append(f"h200.json: {key} does not follow from h200_samples.jsonl")
            continue
        for number, (new, old) in enumerate(zip(again["rows"], stored["rows"])):
            if new != old:
                wrong.append(f"h200.json: row {number}, {old['bench']}, {old['config']}: recomputed {new}")
        if len(again["rows"]) != len(stored["rows"]):
            wrong.append("h200.json: rows and samples differ in number")
    readme = place.text("readme")
    if bench_tables.fill(readme, again, place.load("bounds")) != readme:
        wrong.append("README.md: its tables do not follow from h200.json; scripts/bench_results.py render")
    for name, picture in PICTURES.items():
        if place.text(name) != picture.svg(again["rows"]):
            wrong.append(f"{name}.svg does not follow from h200.json; scripts/bench_results.py render")
    if stored["sources"] != tree_hash:
        print(f"note: measured at commit {stored['commit']}; include/ or bench/ has changed since")
        if stored["commit"][:7] not in readme:
            wrong.append(f"README.md: does not say that the results are of commit {stored['commit'][:7]}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    merging = commands.add_parser("merge")
    merging.add_argument("raw", nargs="+")
    merging.add_argument("--sass")
    merging.add_argument("--cutlass", default="published figures, not run")
    merging.add_argument("--peer", action="append", default=[], metavar="NAME=VERSION")
    commands.add_parser("render")
    commands.add_parser("check")
    commands.add_parser("stamp").add_argument("file")
    given = parser.parse_args()
    place = Place()
    if given.command == "merge":
        others = dict(peer.split("=", 1) for peer in given.peer)
        merge(place, given.raw, given.sass, {"CUTLASS": given.cutlass, **others})
    elif given.command == "render":
        render(place)
    elif given.command == "stamp":
        stamp(given.file)
    else:
        if not os.path.exists(place.results):
            print("bench/results/h200.json is missing: there is nothing to check")
            return 1
        wrong = check(place, source_hash())
        print("\n".join(wrong) if wrong else "rows, tables and pictures follow from the samples")
        return 1 if wrong else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
