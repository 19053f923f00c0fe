#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds racecheck's word on a GPU beside the checker's, for mutants of waits, barriers, arrivals, counts and phases.

  racecheck.py choose BUILD_DIR CASES.json         without a GPU: runs each mutant's kernels in the checker until it has one
                                                   that the checker finds and one of which it says nothing
  racecheck.py run BUILD_DIR CASES.json OUT.json [--jobs N] [--seconds N]    on a GPU: racecheck's word on each of them
BUILD_DIR is what build.py made.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
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
PATIENCE = 20  # seconds that a kernel may take there
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
                                    listed], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                   start_new_session=True)
        # What waits beyond the runner's own patience ends here.
        timer = threading.Timer(PATIENCE + 5 + 2 * len(cases), lambda: os.killpg(process.pid, signal.SIGKILL))
        timer.start()
        output, _ = process.communicate()
        timer.cancel()
        self.log.append(output)
        answers = [(int(number), what) for number, what in re.findall(r"^(\d) (.*)", output, re.M)]
        nothing = {"errors": 0, "warnings": 0, "said": ""}
        words = {case["number"]: {"run": ENDS[number], "what": what[:200], **nothing}
                 for case, (number, what) in zip(cases, answers)}
        if len(words) < len(cases) and not (answers and answers[-1][0] in LOST):
            words[cases[len(words)]["number"]] = {"run": "no end" if process.returncode < 0 else "the tool ends",
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
    hangs = [case for case in cases if "deadlock" in case["checker"]["kinds"]]
    ends = [case for case in cases if case not in hangs]
    random.Random(1).shuffle(ends)
    random.Random(1).shuffle(hangs)
    lock = threading.Lock()
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        check = Racecheck(tool, os.path.abspath(os.path.join(folder, "runner")), place,
                          {job["id"]: job for job in run_gpu.all_jobs(folder, "")})

        for wanted, until in ((ends, end - seconds / 4), (hangs, end)):
            def batch(members, until=until):
                if time.monotonic() < until:
                    check.run(members)
                    with lock:  # what a run cut short has done is there
                        done = dict(check.words)
                        build.write(out, json.dumps({"version": version, "tiles": TILES, "cases": [
                            dict(case, racecheck=done[case["number"]]) for case in cases if case["number"] in done]}, indent=1))

            list(pool.map(batch, [wanted[at:at + TOGETHER] for at in range(0, len(wanted), TOGETHER)]))
    build.write(out + ".log", "\n".join(check.log)[:4_000_000])
    print(f"{len(check.words)} of {len(cases)} kernels under racecheck {version}: " +
          ", ".join(f"{n} {what}" for what, n in collections.Counter(
              word["run"] + (", reported" if word["said"] else "") for word in check.words.values()).most_common()))
    return 0


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
    args = parser.parse_args()
    if args.command == "choose":
        return choose(args.build_dir, args.cases)
    return run(args.build_dir, args.cases, args.out, args.jobs, args.seconds)


if __name__ == "__main__":
    sys.exit(main())
