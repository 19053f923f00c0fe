#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds racecheck's word on a GPU beside the checker's, for mutants of waits, barriers, arrivals, counts and phases.

  racecheck.py choose BUILD_DIR CASES.json         without a GPU: runs each mutant's kernels in the checker until it has one
                                                   that the checker finds and one of which it says nothing
  racecheck.py run BUILD_DIR CASES.json OUT.json [--jobs N] [--seconds N]    on a GPU: racecheck's word on each of them
  racecheck.py store OUT.json...                   keeps what was said in racecheck.json, and writes docs/racecheck.md
  racecheck.py page | check                        writes the page anew; or holds it, and that each difference has its reason,
                                                   against what is kept
BUILD_DIR is what build.py made. A difference's reason is in racecheck_reasons.json: {"checker", "racecheck", "pattern", "why"},
the first that fits; the pattern is one of the case's id and of what the checker said.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import build
import run_gpu

TRIED = 8  # kernels and places of a mutant
TIMEOUT = 20  # of the checker
TILES = 9
TOGETHER = 25  # kernels a process under racecheck
PATIENCE = 8  # seconds that a kernel may take there
BEGIN = 30  # seconds until the first is through
LONGEST_WAIT = 1_000_000_000  # nanoseconds, see run_gpu.bounded
KINDS = ("race", "unwritten", "bounds", "alignment", "protocol", "deadlock", "abandoned", "proxy")


def checkers_word(checker, job, place):
    """{"kinds": of the findings, "said": the first line}; without kinds if it is clean, with "wrong" for wrong results."""
    path = os.path.join(place, job["id"] + ".ptx")
    build.write(path, job["ptx"])
    try:
        done = subprocess.run([checker, path, job["kernel"]], stdout=subprocess.PIPE, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return {"kinds": ["no end"], "said": ""}
    finally:
        os.remove(path)
    said = (done.stdout.splitlines() or [""])[0][:300]
    kinds = sorted(set(re.findall(r"^\w+: ([\w-]+): ", done.stdout, re.M)))
    if done.returncode > 1:
        return {"kinds": ["refused"], "said": said}
    return {"kinds": kinds or ([] if done.returncode == 0 else ["wrong"]), "said": said}


def choose(folder, out):
    checker = os.path.join(folder, "checker")
    subprocess.run(["g++", "-std=c++17", "-O2", "-I" + os.path.join(build.ROOT, "include"), "-o", checker,
                    os.path.join(build.HERE, "checker.cpp")], check=True)
    jobs = run_gpu.all_jobs(folder, "")
    groups, whole = collections.defaultdict(list), {}
    for job in jobs:
        if job["of"] == "unchanged":
            whole[job["id"].split("@")[1]] = job
        else:
            groups[job["group"]].append(job)

    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(2) as pool:
        names = sorted(whole)
        clean = dict(zip(names, pool.map(lambda name: not checkers_word(checker, whole[name], place)["kinds"], names)))
        for name in names:
            if not clean[name]:
                print(f"{name} is not clean unchanged", flush=True)

        def chosen(group):
            found = silent = None
            members = [job for job in groups[group] if clean[job["id"].split("@")[1]]]
            for job in random.Random(1).sample(members, len(members))[:TRIED]:
                word = checkers_word(checker, job, place)
                if word["kinds"]:
                    found = found or (job, word)
                else:
                    silent = silent or (job, word)
                if found and silent:
                    break
            return [pair for pair in (found, silent) if pair]

        cases = []
        for group, pairs in zip(sorted(groups), pool.map(chosen, sorted(groups))):
            if not pairs:
                print(f"{group}: no kernel of it is clean unchanged")
            for job, word in pairs:
                cases.append({"id": job["id"], "group": group, "of": job["of"], "class": job["class"],
                              "kernel": job["kernel"], "unchanged": job["id"].split("@")[1], "checker": word})
    for name in sorted({case["unchanged"] for case in cases}):
        job = whole[name]
        cases.append({"id": job["id"], "group": "", "of": "unchanged", "class": "unchanged", "kernel": job["kernel"],
                      "unchanged": name, "checker": {"kinds": [], "said": ""}})
    build.write(out, json.dumps(cases, indent=1) + "\n")
    counts = collections.Counter("+".join(case["checker"]["kinds"]) or "clean" for case in cases)
    print(f"{len(groups)} groups, {len(cases)} kernels to run: " + ", ".join(f"{n} {what}" for what, n in counts.most_common()))
    return 0


# How the runner's statuses are called.
ENDS = {0: "right", 1: "wrong result", 2: "gives up a wait", 3: "fails", 4: "not loaded", 5: "hang"}
LOST = (3, 5)  # the process ended with it
REPORT = re.compile(r"^={5,} (Error|Warning): (.*(?:\n={5,}  .*)*)", re.M)


class Racecheck:
    """Runs kernels of cases under racecheck, many in a process: each has a name of its own, which the reports name."""

    def __init__(self, tool, runner, place, jobs):
        self.tool, self.runner, self.place, self.jobs = tool, runner, place, jobs
        self.log, self.words = [], {}  # the tool's output; by the number of the case, its "racecheck"

    def line(self, case):
        name = f"case{case['number']}__{case['kernel']}"
        path = os.path.join(self.place, f"{case['number']}.ptx")
        build.write(path, run_gpu.bounded(self.jobs[case["id"]]["ptx"], LONGEST_WAIT).replace(case["kernel"], name))
        return f"{path} {name} {TILES} 1\n"

    def run(self, cases):
        """Those behind one that ends its process run in another."""
        while cases:
            cases = cases[self.run_once(cases):]

    def run_once(self, cases):
        """How many have their answer."""
        listed = os.path.join(self.place, f"jobs{cases[0]['number']}.txt")
        build.write(listed, "".join(self.line(case) for case in cases))
        begun = time.monotonic()
        process = subprocess.Popen([self.tool, "--tool", "racecheck", "--print-limit", "100000", self.runner, str(PATIENCE),
                                    listed], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        output, ended = self.read(process)
        self.log.append(output)
        answers = [(int(number), what) for number, what in re.findall(r"^(\d) (.*)", output, re.M)]
        nothing = {"errors": 0, "warnings": 0, "said": ""}
        words = {case["number"]: {"run": ENDS[number], "what": what[:200], **nothing}
                 for case, (number, what) in zip(cases, answers)}
        if len(words) < len(cases) and not (answers and answers[-1][0] in LOST):
            words[cases[len(words)]["number"]] = {"run": "the tool ends" if ended else "no end",
                                                  "what": output[-300:], **nothing}
        for severity, text in REPORT.findall(output):
            named = re.search(r"\bcase(\d+)__", text)
            if named and int(named.group(1)) in words:
                word = words[int(named.group(1))]
                word["errors" if severity == "Error" else "warnings"] += 1
                word["said"] = word["said"] or f"{severity}: {text}"[:400]
        words[cases[0]["number"]]["seconds"] = round(time.monotonic() - begun, 2)  # of the process
        self.words.update(words)
        return len(words)


    def read(self, process):
        """(the output, whether it came to its end). A process whose kernel hangs takes long to die, and is not waited for."""
        output, end = b"", time.monotonic() + BEGIN
        while True:
            left = end - time.monotonic()
            if left <= 0 or not select.select([process.stdout], [], [], left)[0]:
                os.killpg(process.pid, signal.SIGKILL)
                return output.decode(errors="replace"), False
            piece = os.read(process.stdout.fileno(), 1 << 16)
            if not piece:
                return output.decode(errors="replace"), True
            output += piece
            latest = output[-len(piece) - 2:]
            if re.search(rb"(?m)^\d ", latest):
                end = time.monotonic() + PATIENCE + 5
            if re.search(rb"(?m)^[35] ", latest):
                end = time.monotonic() + 2  # for the last reports


def may_hang(case):
    """In a barrier that no wait of ours gives up."""
    return bool(re.search(r"named|roles_registers|turns|groups[23]|exchange|block_barrier|team\.|groups\.", case["id"])
                and case["checker"]["kinds"] not in ([], ["race"]))


def run(folder, chosen, out, jobs, seconds):
    end = time.monotonic() + seconds
    tool = shutil.which("compute-sanitizer") or shutil.which(
        "compute-sanitizer", path="/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer")
    if tool is None:
        print("skipped: no compute-sanitizer")
        return run_gpu.SKIPPED
    version = subprocess.run([tool, "--version"], stdout=subprocess.PIPE, text=True, check=False).stdout
    version = (re.search(r"Version (\S+)", version) or re.search(r"(\d\S+)", version) or [None, ""])[1]
    cases = json.loads(build.read(chosen))
    for number, case in enumerate(cases):
        case["number"] = number
    random.Random(1).shuffle(cases)
    hangs = [case for case in cases if may_hang(case)]
    waits = [case for case in cases if case not in hangs and "deadlock" in case["checker"]["kinds"]]
    ends = [case for case in cases if case not in hangs and case not in waits]
    lock = threading.Lock()
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        check = Racecheck(tool, os.path.abspath(os.path.join(folder, "runner")), place,
                          {job["id"]: job for job in run_gpu.all_jobs(folder, "")})

        for wanted, until, together in ((ends, end - seconds / 2, TOGETHER), (waits, end - seconds / 4, 8), (hangs, end, 2)):
            def batch(members, until=until):
                if time.monotonic() < until:
                    check.run(members)
                    with lock:  # what a run cut short has done is there
                        done = dict(check.words)
                        build.write(out, json.dumps({"version": version, "tiles": TILES, "cases": [
                            dict(case, racecheck=done[case["number"]]) for case in cases if case["number"] in done]}, indent=1))

            list(pool.map(batch, [wanted[at:at + together] for at in range(0, len(wanted), together)]))
    build.write(out + ".log", "\n".join(check.log)[:4_000_000])
    print(f"{len(check.words)} of {len(cases)} kernels under racecheck {version}: " +
          ", ".join(f"{n} {what}" for what, n in collections.Counter(
              word["run"] + (", reported" if word["said"] else "") for word in check.words.values()).most_common()))
    return 0


STORED = os.path.join(build.HERE, "racecheck.json")
REASONS = os.path.join(build.HERE, "racecheck_reasons.json")
PAGE = os.path.join(build.ROOT, "docs", "racecheck.md")


def store(paths):
    runs = [json.loads(build.read(path)) for path in paths]
    cases = {case["id"]: case for run in runs for case in run["cases"]}
    kept = []
    for name in sorted(cases):
        case = cases[name]
        word = case["racecheck"]
        kept.append(json.dumps({"id": name, "of": case["of"], "class": case["class"], "unchanged": case["unchanged"],
                                "checker": case["checker"]["kinds"], "checker_said": case["checker"]["said"][:240],
                                "run": word["run"], "racecheck": word["said"][:160]}))
    build.write(STORED, json.dumps({"racecheck": runs[-1]["version"], "tiles": runs[-1]["tiles"]})[:-1] +
                ', "cases": [\n' + ",\n".join(kept) + "\n]}\n")


CLASSES = ("wait", "barrier", "arrive", "count", "phase", "commit")
CHECKER = {"race": "a race, or a read of what nothing wrote", "deadlock": "a deadlock", "protocol": "a protocol error",
           "abandoned": "a copy that nobody waits for", "proxy": "a proxy fence missing", "wrong": "nothing, but wrong results",
           "clean": "nothing"}


def checkers(case):
    """The kind under which a case is listed: what racecheck looks for too comes first."""
    kinds = case["checker"]
    if not kinds:
        return "clean"
    if "unwritten" in kinds:
        return "race"
    return next((kind for kind in CHECKER if kind in kinds), "deadlock")


RACECHECK = ("reports", "silent, right", "silent, wrong result", "silent, a wait does not end", "silent, an error", "no word")


def racechecks(case, quiet):
    if case["run"] in ("no end", "the tool ends", "not loaded") or (case["racecheck"] and case["unchanged"] not in quiet):
        return "no word"
    if case["racecheck"]:
        return "reports"
    return {"right": "silent, right", "wrong result": "silent, wrong result", "fails": "silent, an error"}.get(
        case["run"], "silent, a wait does not end")


def differs(kind, word):
    """Where one says something of data and the other does not."""
    return word != "no word" and (kind == "race") != (word == "reports")


def page():
    stored = json.loads(build.read(STORED))
    reasons = json.loads(build.read(REASONS))
    whole = [case for case in stored["cases"] if case["of"] == "unchanged"]
    quiet = {case["unchanged"] for case in whole if not case["racecheck"]}
    cases = [case for case in stored["cases"] if case["class"] in CLASSES]
    table = collections.Counter((checkers(case), racechecks(case, quiet)) for case in cases)
    problems, found = [], collections.defaultdict(list)
    for case in cases:
        kind, word = checkers(case), racechecks(case, quiet)
        if not differs(kind, word):
            continue
        text = case["id"] + " " + case["checker_said"]
        number = next((n for n, reason in enumerate(reasons) if reason["checker"] == kind and word.startswith(reason["racecheck"])
                       and re.search(reason["pattern"], text)), None)
        if number is None:
            problems.append(f"no reason for {case['id']}: the checker says {kind}, racecheck {word}")
        else:
            found[number].append(case)
    problems += [f"racecheck_reasons.json: nothing fits {reason['pattern']}" for n, reason in enumerate(reasons) if n not in found]
    mutants = len({case["of"] for case in cases})
    text = HEAD.format(cases=len(cases), mutants=mutants, version=stored["racecheck"], tiles=stored["tiles"], whole=len(whole),
                       silent=len(quiet))
    text += "| the checker says | " + " | ".join(RACECHECK) + " |\n|---|" + "--:|" * len(RACECHECK) + "\n"
    for kind, name in CHECKER.items():
        if any(table[kind, word] for word in RACECHECK):
            text += f"| {name} | " + " | ".join(str(table[kind, word] or "") for word in RACECHECK) + " |\n"
    both = sum(not differs(checkers(case), racechecks(case, quiet)) for case in cases)
    text += "\n" + AGREE.format(
        both=table["race", "reports"], none=sum(table["clean", word] for word in RACECHECK if word.startswith("silent")),
        hangs=sum(table["deadlock", word] for word in RACECHECK), differ=len(cases) - both)
    text += "\n## Where they differ, and why\n\n| the checker says | racecheck | kernels | why |\n|---|---|--:|---|\n"
    for number, reason in enumerate(reasons):
        if found[number]:
            text += f"| {CHECKER[reason['checker']]} | {reason['racecheck']} | {len(found[number])} | {reason['why']} |\n"
    there = {case["of"] for case in cases}
    left = [mutant["id"] for mutant in build.mutants() if mutant["class"] in CLASSES and mutant["id"] not in there]
    if left:
        text += f"\n## Not under racecheck\n\n{len(left)} mutants, of most of which the kernels stay in a barrier: " + ", ".join(f"`{name}`" for name in left) + ".\n"
    return text, problems


HEAD = """# The checker beside racecheck

Of each mutant of [mutants.md](mutants.md) that concerns a wait, a barrier, an arrival, a count, a commit or a phase, and for each
file of kernels and architecture, one kernel in which the checker finds something and one of which it says nothing, as far as there
are such among eight: {cases} kernels of {mutants} mutants. Each ran under compute-sanitizer's racecheck ({version}) on an H200, for up
to {tiles} tiles; a parity wait that lasts too long ends its thread there, so that the kernel ends. Of {whole} kernels
without a mutation racecheck says nothing of {silent}; what it reports of mutants of others does not count (*no word*, as where the kernel or
the tool came to no end). All of those others but one have roles, groups of threads, or lanes that go apart and one that arrives for its
warp; why racecheck reports these is in [sanitizers.md](sanitizers.md). In `closed_bulk` it sets bulk copies to one stage, a lap of the
ring apart, against each other; the checker finds them ordered, by the waits between, and the results are right.

This page is written by `tests/mutants/racecheck.py`.

"""
AGREE = """Both report {both}, neither reports {none}. Of what hangs ({hangs} kernels) racecheck has nothing to say, and does not claim to: a wait
that never ends is no hazard. What it reports there and of protocol errors is how data goes wrong behind the broken phase, where the
checker's run has ended with the first error.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    of_choose = commands.add_parser("choose")
    of_choose.add_argument("build_dir")
    of_choose.add_argument("cases")
    of_run = commands.add_parser("run")
    of_run.add_argument("build_dir")
    of_run.add_argument("cases")
    of_run.add_argument("out")
    of_run.add_argument("--jobs", type=int, default=min(8, os.cpu_count() or 1))
    of_run.add_argument("--seconds", type=float, default=300)
    commands.add_parser("store").add_argument("out", nargs="+")
    commands.add_parser("page")
    commands.add_parser("check")
    args = parser.parse_args()
    if args.command in ("store", "page", "check"):
        if args.command == "store":
            store(args.out)
        text, problems = page()
        if args.command != "check":
            build.write(PAGE, text)
        elif not os.path.exists(PAGE) or build.read(PAGE) != text:
            problems.append("docs/racecheck.md is not what was kept: run racecheck.py page")
        print("\n".join(problems) or "each difference has its reason")
        return 1 if problems else 0
    if args.command == "choose":
        return choose(args.build_dir, args.cases)
    return run(args.build_dir, args.cases, args.out, args.jobs, args.seconds)


if __name__ == "__main__":
    sys.exit(main())
