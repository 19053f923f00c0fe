#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stores what killed each mutant, and writes docs/mutants.md.

  results.py --store GPU.json CHECKER.json CHECKS.json   from run_gpu.py, run_checker.py and run_checks.py
  results.py --check                        every mutant of the list has a stored result, and what survives has
                                            a reason; each line that synchronises has a mutant;
                                            docs/mutants.md is what the results say
A survivor's reason is in equivalent.json: {pattern of the survivors' ids: why the change is none}.
"""
import json
import os
import pathlib
import re
import sys

import build

RESULTS = os.path.join(build.HERE, "results.json")
EQUIVALENT = os.path.join(build.HERE, "equivalent.json")
PAGE = os.path.join(build.ROOT, "docs", "mutants.md")
SKIPPED = 77
KILLED = ["wrong result", "hang", "error", "racecheck", "checker", "filecheck", "lint"]
HEAD = """# Mutants

Each wait, barrier, arrival, commit, count, fence and step of a position is removed or shifted by one, in an edited
copy of the headers or in the PTX of small kernels; then a test must fail. A mutant of the PTX is tried for each file
of kernels and each architecture, at the places where its instruction stands, a mutant of the headers on the kernels
that it changes, until one notices. *wrong result*, *hang* (a wait of more than a fifth of a second, a kernel of twice
more than three), *error* (a trap, a bad address) and *racecheck* come from `tests/mutants/run_gpu.sh` on an H200;
without one come *checker*, by `run_checker.py` for what it did not notice or not run, and *filecheck* and *lint*, by
`run_checks.py`. *Alive* is what nothing noticed; the reasons are below. What racecheck and the checker say of the same mutants is in
[racecheck.md](racecheck.md).

This page is written by `tests/mutants/results.py`.

"""


def load(path):
    return json.loads(build.read(path))


# Calls that synchronise, outside of ptx/; there, what the compiler is told.
CALL = re.compile(r"""ptx::(?:mbarrier_|named_barrier_|fence_|compiler_barrier|elect_sync|bulk_commit_group|bulk_wait_group
                      |cp_async_(?:commit_group|wait_group|mbarrier_))\w*
                      |__sync\w+|__threadfence\w*|\b(?:team_?|group)\.sync\w*|team\.(?:wait_for|pass)_turn
                      |barriers\.(?:acquire|publish|commit|arrive_stored|wait|release|finish|give_back|close)\b
                      |cuda::(?:pipeline_consumer|device::barrier_expect)\w*|\bpipeline_\.(?:producer|consumer)_\w+
                      |barriers_\[[^]]*\]\.\w*(?:arrive|wait)\w*""", re.X)
CLOBBER = re.compile('"memory"')
WITHOUT = ("check", "host", "core")  # folders without such calls, or of code that runs on the CPU


def without_mutant():
    """Each line of the library that synchronises and that no mutant of the headers touches."""
    found = []
    for path in sorted(pathlib.Path(build.ROOT, "include", "tilepipe").rglob("*.cuh")):
        name = path.relative_to(pathlib.Path(build.ROOT, "include", "tilepipe")).as_posix()
        if name.startswith(WITHOUT):
            continue
        text = build.read(path)
        spans = [build.places(mutant, text)[mutant.get("nth", 0)].span() for mutant in build.mutants()
                 if mutant["in"] == "include" and mutant["file"] == name and build.places(mutant, text)]
        for call in (CLOBBER if name.startswith("ptx/") else CALL).finditer(text):
            line = text[text.rfind("\n", 0, call.start()) + 1:text.find("\n", call.start())].strip()
            if not line.startswith("//") and not any(begin <= call.start() < end for begin, end in spans):
                found.append(f"{name}:{text.count(chr(10), 0, call.start()) + 1}: {line}")
    return found


def reason_for(name, equivalent):
    return next((why for pattern, why in equivalent.items() if re.search(pattern, name)), None)


def store(paths):
    runs = [run for path in paths for run in load(path)]
    stored = {}
    for mutant in build.mutants():
        mine = [run for run in runs if run["of"] == mutant["id"]]
        killed = {what: sum(run["killed_by"] == what for run in mine) for what in KILLED}
        dead = {run["id"] for run in mine if run["killed_by"] in KILLED}  # by one of the two programs at least
        stored[mutant["id"]] = {
            "killed_by": {what: number for what, number in killed.items() if number},
            "alive": sorted({run["id"] for run in mine} - dead),
        }
    unchanged = [run for run in runs if run["of"] == "unchanged"]
    stored["unchanged"] = {"right": sum(run["killed_by"] == "survived" for run in unchanged), "of": len(unchanged)}
    build.write(RESULTS, json.dumps(stored, indent=1) + "\n")


def page():
    stored, equivalent = load(RESULTS), load(EQUIVALENT)
    mutants = [mutant for mutant in build.mutants() if mutant["id"] in stored]
    lines = ["| mutant | class | of | " + " | ".join(KILLED) + " | alive |", "|---|---|---|" + "--:|" * (len(KILLED) + 1)]
    for mutant in mutants:
        entry = stored[mutant["id"]]
        cells = [str(entry["killed_by"].get(what, "")) for what in KILLED]
        lines.append(f"| `{mutant['id']}` | {mutant['class']} | `{mutant['file']}` | " + " | ".join(cells) +
                     f" | {len(entry['alive']) or ''} |")
    total = sum(sum(stored[m["id"]]["killed_by"].values()) + len(stored[m["id"]]["alive"]) for m in mutants)
    alive = [name for m in mutants for name in stored[m["id"]]["alive"]]
    text = HEAD + f"{len(mutants)} mutants, tried in {total} groups of kernels, {total - len(alive)} killed, {len(alive)} alive.\n\n"
    text += "\n".join(lines) + "\n\n## Alive, and why\n\n"
    for pattern, why in equivalent.items():
        number = sum(bool(re.search(pattern, name)) for name in alive)
        if number:
            text += f"- `{pattern}` ({number}): {why}\n"
    for name in alive:
        if reason_for(name, equivalent) is None:
            text += f"- `{name}`: **not explained**\n"
    return text


def check():
    if not os.path.exists(RESULTS):
        print("skipped: no results are stored; run run_gpu.sh and run_checks.py, then results.py --store")
        sys.exit(SKIPPED)
    problems = []
    stored, equivalent = load(RESULTS), load(EQUIVALENT)
    ids = [mutant["id"] for mutant in build.mutants()]
    problems += [f"two mutants are called {name}" for name in sorted({n for n in ids if ids.count(n) > 1})]
    problems += [f"{name} has no stored result: run it" for name in ids if name not in stored]
    problems += [f"{name} has a stored result and is no mutant any more" for name in stored
                 if name not in ids and name != "unchanged"]
    alive = [name for entry in stored.values() for name in entry.get("alive", [])]
    for name, entry in stored.items():
        if name != "unchanged" and not entry["killed_by"] and not entry["alive"]:
            problems.append(f"{name} was never run")
    problems += [f"{name} survives, and equivalent.json has no reason" for name in alive
                 if reason_for(name, equivalent) is None]
    problems += [f"equivalent.json: nothing that survives is called {pattern}" for pattern in equivalent
                 if not any(re.search(pattern, name) for name in alive)]
    unchanged = stored.get("unchanged", {"right": 0, "of": 1})
    if unchanged["right"] != unchanged["of"]:
        problems.append(f"of {unchanged['of']} unchanged kernels, {unchanged['right']} were right")
    for mutant in build.mutants():  # every place is still there
        if mutant["in"] == "include":
            path = os.path.join(build.ROOT, "include", "tilepipe", mutant["file"])
            if not build.places(mutant, build.read(path)):
                problems.append(f"{mutant['id']}: not in {mutant['file']} any more")
    problems += [f"no mutant touches {line}" for line in without_mutant()]
    if not os.path.exists(PAGE) or build.read(PAGE) != page():
        problems.append("docs/mutants.md is not what the results say: run results.py --page")
    return problems


def main():
    if sys.argv[1:2] == ["--store"]:
        store(sys.argv[2:])
    if sys.argv[1:2] in (["--store"], ["--page"]):
        os.makedirs(os.path.dirname(PAGE), exist_ok=True)
        build.write(PAGE, page())
    if sys.argv[1:2] not in (["--store"], ["--page"], ["--check"]):
        print(__doc__)
        return 2
    problems = check()
    print("\n".join(problems) or f"{len(build.mutants())} mutants, each with a result")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
