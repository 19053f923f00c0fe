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
import subprocess
import sys
import tempfile
import time

import build
import run_gpu

TRIED = 8  # kernels and places of a mutant
TIMEOUT = 20  # of the checker
RACECHECK_TIMEOUT = 15
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


def racechecks_word(tool, runner, place, job):
    """{"errors", "warnings": numbers of reports, "said": the first, "run": how the kernel ended under the tool}."""
    status, output = run_gpu.execute([tool, "--tool", "racecheck", "--racecheck-report", "all", runner,
                                      run_gpu.file_of(job, place), job["kernel"], str(run_gpu.RACECHECK_TILES), "1"],
                                     RACECHECK_TIMEOUT)
    reports = re.findall(r"={5,} ((?:Error|Warning): .*)", output)
    summary = re.search(r"RACECHECK SUMMARY: (.*)", output)
    ended = re.findall(r"^([0-7]{1,2}) (.*)", output, re.M)
    run = "no end" if status is None else "unknown"
    if ended:
        number, what = ended[-1]
        run = {"0": "right", "1": "wrong result", "3": "failed", "4": "not loaded", "5": "hang"}.get(number, number)
        if number == "3" and re.search(r"instruction|trap|unspecified launch failure", what):
            run = "bounded wait"
    word = {"run": run, "errors": sum(report.startswith("Error") for report in reports),
            "warnings": sum(report.startswith("Warning") for report in reports),
            "said": reports[0][:300] if reports else "", "summary": summary.group(1) if summary else None}
    if summary is None:
        word["output"] = output[-400:]
    return word


def run(folder, chosen, out, jobs, seconds):
    end = time.monotonic() + seconds
    tool = shutil.which("compute-sanitizer") or shutil.which(
        "compute-sanitizer", path="/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer")
    if tool is None:
        print("skipped: no compute-sanitizer")
        return run_gpu.SKIPPED
    version = subprocess.run([tool, "--version"], stdout=subprocess.PIPE, text=True, check=False).stdout
    version = (re.search(r"Version (\S+)", version) or re.search(r"(\d\S+)", version) or [None, ""])[1]
    runner = os.path.abspath(os.path.join(folder, "runner"))
    cases = json.loads(build.read(chosen))
    of = {job["id"]: job for job in run_gpu.all_jobs(folder, "")}
    mutants = [case for case in cases if case["of"] != "unchanged"]
    # One kernel of each mutant comes first, in a random order, so that a run cut short is a sample.
    first = list({case["group"]: case for case in reversed(mutants)}.values())
    second = [case for case in mutants if case not in first]
    order = random.Random(1).sample(first, len(first)) + random.Random(2).sample(second, len(second))

    def word(case):
        if time.monotonic() < end:
            case["racecheck"] = racechecks_word(tool, runner, place, of[case["id"]])

    def save():
        with open(out, "w", encoding="utf-8") as file:
            json.dump({"version": version, "tiles": run_gpu.RACECHECK_TILES, "cases": cases}, file, indent=1)

    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        tried = racechecks_word(tool, runner, place, of[next(case for case in cases if case["of"] == "unchanged")["id"]])
        if tried["summary"] is None:
            print(f"racecheck does not run here: {tried['output']}")
            return run_gpu.SKIPPED
        for number, _ in enumerate(pool.map(word, order)):
            if number % 50 == 0:
                save()
        save()
        # What racecheck says of a mutant counts where it is silent on the kernel as it is.
        spoken = {case["unchanged"] for case in order if case.get("racecheck", {}).get("said")}
        whole = [case for case in cases if case["of"] == "unchanged"]
        list(pool.map(word, sorted(whole, key=lambda case: case["unchanged"] not in spoken)))
    save()
    done = [case for case in cases if "racecheck" in case]
    print(f"{len(done)} of {len(cases)} kernels under racecheck {version}: "
          f"{sum(bool(case['racecheck']['said']) for case in done)} with hazards, "
          f"{sum(case['racecheck']['summary'] is None for case in done)} without a summary")
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
    of_run.add_argument("--jobs", type=int, default=min(14, os.cpu_count() or 1))
    of_run.add_argument("--seconds", type=float, default=300)
    args = parser.parse_args()
    if args.command == "choose":
        return choose(args.build_dir, args.cases)
    return run(args.build_dir, args.cases, args.out, args.jobs, args.seconds)


if __name__ == "__main__":
    sys.exit(main())
