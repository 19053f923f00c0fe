#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every mutant of the kernels' PTX on a GPU, each in a process of its own, and says what notices it.

Usage: run_gpu.py [--jobs N] [--seconds N] [--no-racecheck] [--only TEXT] BUILD_DIR OUT_DIR
BUILD_DIR is what build.py made. Writes OUT_DIR/mutants.json: for each mutant its id, class and
kernel, and what killed it: wrong result, hang, error (the kernel trapped, or its PTX was refused),
racecheck, or nothing (survived).
"""
import argparse
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

TILES, LAUNCHES = 150, 12
RACECHECK_TILES = 9
ENDS = 2  # places at each end of a kernel where an instruction is changed
TIMEOUT, RACECHECK_TIMEOUT = 20, 60
HANG, SKIPPED = 5, 77
# A wait that lasts longer than this many nanoseconds ends the kernel by a trap. For what waits elsewhere, the runner
# gives up after a second and a half.
LONGEST_WAIT = 500_000_000
WAIT = re.compile(r"^again:\n(.*?)^\s*@!done bra again;\n", re.M | re.S)


def bounded(ptx):
    """Each parity wait gives up in the end."""
    return WAIT.sub(lambda match: f""".reg .b64 begun, now;
.reg .pred late;
mov.u64 begun, %globaltimer;
again:
{match.group(1)}mov.u64 now, %globaltimer;
sub.u64 now, now, begun;
setp.gt.u64 late, now, {LONGEST_WAIT};
@late trap;
@!done bra again;
""", ptx)


def filled(template, match):
    """The template with {1} as group 1, {1+1} as the number one above it, {{ and }} as braces."""
    text = re.sub(r"(?<!\{)\{(\d)(\+1)?\}(?!\})",
                  lambda m: str(int(match.group(int(m.group(1)))) + 1) if m.group(2)
                  else match.group(int(m.group(1))), template)
    return text.replace("{{", "{").replace("}}", "}")


def ptx_mutants(kernel, text):
    """(mutant, number of the instance, changed text of the kernel)."""
    for mutant in build.mutants():
        if mutant["in"] != "ptx":
            continue
        places = list(enumerate(re.finditer(mutant["original"], text)))
        if len(places) > 2 * ENDS:  # what the compiler unrolled in between is the same statement
            places = places[:ENDS] + places[-ENDS:]
        for number, match in places:
            yield mutant, number, text[:match.start()] + filled(mutant["mutation"], match) + text[match.end():]


def all_jobs(folder, place, only):
    """[{id, of, class, kernel, file}]: the unchanged kernels first, then all mutants."""
    jobs = []

    def add(name, of, kind, kernel, ptx):
        path = os.path.join(place, name.replace("/", "_") + ".ptx")
        build.write(path, bounded(ptx))
        jobs.append({"id": name, "of": of, "class": kind, "kernel": kernel, "file": path})

    done = set()  # a kernel's mutants are run on the first architecture of 8.0 and later that has it
    for stem, archs in build.KERNELS.items():
        for arch in archs:
            head, kernels = build.split(build.read(os.path.join(folder, f"{stem}.{arch}.ptx")))
            for kernel, text in kernels.items():
                add(f"unchanged@{kernel}.{arch}", "unchanged", "unchanged", kernel, head + text)
                if kernel in done:
                    continue
                if arch >= "80":
                    done.add(kernel)
                for mutant, number, changed in ptx_mutants(kernel, text):
                    name = f"{mutant['id']}.{number}@{kernel}.{arch}"
                    if only in name:
                        add(name, mutant["id"], mutant["class"], kernel, head + changed)
    classes = {mutant["id"]: mutant["class"] for mutant in build.mutants()}
    for name in sorted(os.listdir(os.path.join(folder, "headers"))):
        of, rest = name[:-len(".ptx")].split("@")
        if only in name and of in classes:
            add(name[:-len(".ptx")], of, classes[of], rest.rsplit(".", 1)[0],
                build.read(os.path.join(folder, "headers", name)))
    return jobs


# Mutants whose headers give the same PTX for every kernel have nothing to run.
def without_effect(folder):
    index = json.loads(build.read(os.path.join(folder, "index.json")))
    return [name for name, entry in index["headers"].items() if not entry["kernels"]]


def execute(line, timeout):
    """(exit status, output); status None after the time-out."""
    try:
        done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout,
                              errors="replace")
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None, "time-out"


def plain(runner, job):
    status, output = execute([runner, job["file"], job["kernel"], str(TILES), str(LAUNCHES)], TIMEOUT)
    last = (output.strip().splitlines() or [""])[-1]
    if status in (None, HANG):
        return "hang", last
    if status == 3 and re.search(r"instruction|trap|unspecified launch failure|assert", last):
        return "hang", f"bounded wait: {last}"
    return {0: "survived", 1: "wrong result", SKIPPED: "skipped"}.get(status, "error"), last[:200]


def racecheck(tool, runner, job):
    status, output = execute([tool, "--tool", "racecheck", "--racecheck-report", "all", "--error-exitcode", "9", runner,
                              job["file"], job["kernel"], str(RACECHECK_TILES), "1"], RACECHECK_TIMEOUT)
    hazard = re.search(r"={5,} (Error|Warning): .*", output)
    if hazard or status == 9:
        return "racecheck", (hazard.group(0) if hazard else "")[:200]
    if status is None:
        return "hang", "time-out under racecheck"
    return {0: "survived", 1: "wrong result"}.get(status, "error"), (output.strip().splitlines() or [""])[-1][:200]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=min(12, os.cpu_count() or 1))
    parser.add_argument("--seconds", type=int, default=480, help="after that, what is left is not run")
    parser.add_argument("--no-racecheck", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("folder")
    parser.add_argument("out")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    end = time.monotonic() + args.seconds

    def in_time(run):
        return lambda job: run(job) if time.monotonic() < end else ("not run", "no time left")

    runner = os.path.abspath(os.path.join(args.folder, "runner"))
    tool = None if args.no_racecheck else shutil.which("compute-sanitizer") or shutil.which(
        "compute-sanitizer", path="/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer")
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        jobs = all_jobs(args.folder, place, args.only)
        print(f"{len(jobs)} kernels to run", flush=True)
        sound = [job for job in jobs if job["of"] == "unchanged"]
        for job, (killed, detail) in zip(sound, pool.map(lambda j: plain(runner, j), sound)):
            job["killed_by"], job["detail"] = killed, detail
            if killed == "skipped":
                print("skipped: no GPU")
                return SKIPPED
            if killed != "survived":
                print(f"{job['id']} is not right unchanged: {killed}: {detail}", flush=True)
        # racecheck's word counts only where it is silent on the unchanged kernel.
        silent = set()
        if tool:
            first, detail = racecheck(tool, runner, sound[0])
            if first == "error":
                print(f"racecheck does not run here: {detail}", flush=True)
                tool = None
        if tool:
            for job, (killed, detail) in zip(sound, pool.map(lambda j: racecheck(tool, runner, j), sound)):
                job["racecheck"] = f"{killed}: {detail}"
                if killed == "survived":
                    silent.add(job["id"].split("@")[1])
                else:
                    print(f"racecheck of {job['id']}: {killed}: {detail}", flush=True)
        rest = [job for job in jobs if job["of"] != "unchanged"]
        random.Random(1).shuffle(rest)  # so that a run cut short is a sample
        for job, (killed, detail) in zip(rest, pool.map(in_time(lambda j: plain(runner, j)), rest)):
            job["killed_by"], job["detail"] = killed, detail
        alive = [job for job in rest if job["killed_by"] == "survived" and job["id"].split("@")[1] in silent]
        print(f"{sum(j['killed_by'] == 'survived' for j in rest)} survived; racecheck for {len(alive)}", flush=True)
        for job, (killed, detail) in zip(alive, pool.map(in_time(lambda j: racecheck(tool, runner, j)), alive)):
            if killed not in ("survived", "not run"):
                job["killed_by"], job["detail"] = killed, detail
    for job in jobs:
        del job["file"]
    for name in without_effect(args.folder):
        jobs.append({"id": name, "of": name, "class": "", "kernel": "", "killed_by": "no effect", "detail": ""})
        print(f"no effect on the PTX of any kernel: {name}")
    build.write(os.path.join(args.out, "mutants.json"), json.dumps(jobs, indent=1) + "\n")
    survivors = [job for job in rest if job["killed_by"] in ("survived", "error", "not run")]
    for job in sorted(survivors, key=lambda j: j["id"]):
        print(f"{job['killed_by']}: {job['id']}: {job['detail']}")
    counts = {}
    for job in rest:
        counts[job["killed_by"]] = counts.get(job["killed_by"], 0) + 1
    print(f"{len(rest)} mutants: " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    broken = [job for job in sound if job["killed_by"] != "survived"]
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
