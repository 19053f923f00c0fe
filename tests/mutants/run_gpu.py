#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the mutants on a GPU, until one of a mutant's kernels notices it.

Usage: run_gpu.py [--jobs N] [--seconds N] [--tries N] [--no-racecheck] [--only PATTERN] [--before FILE] BUILD_DIR OUT_DIR
BUILD_DIR is what build.py made. A mutant of the headers is run on the kernels that it changes, one of the PTX on those
of each file and architecture, at each place. Writes OUT_DIR/mutants.json: for each mutant its id, class, the kernel and
the place that noticed it, and what killed it there: wrong result, hang, error (the kernel trapped), racecheck; or
survived, if nothing did. What FILE, such a mutants.json of the same headers, has a result for is taken from there.
"""
import argparse
import concurrent.futures
import functools
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

TILES, LAUNCHES = 150, 12
RACECHECK_TILES = 9
RACECHECKED = 2  # kernels of a mutant that nothing else noticed
ENDS = 4  # places at each end of a kernel where an instruction is changed
TIMEOUT, RACECHECK_TIMEOUT = 20, 30
GAVE_UP, FAILED, NOT_LOADED, HANG, SKIPPED = 2, 3, 4, 5, 77
EXPECTED = ("filecheck", "lint", "wrong result", "error", "hang", "equivalent")  # soonest first
KILLING = ("wrong result", "hang", "error", "racecheck")
# A wait that lasts longer than this many nanoseconds is given up: the thread sets a flag and exits, so that the context
# lives on. For what waits elsewhere, the runner gives up after three seconds.
LONGEST_WAIT = 200_000_000
WAIT = re.compile(r"^again:\n(.*?)^\s*@!done bra again;\n", re.M | re.S)
FLAG = ".visible .global .align 4 .u32 tilepipe_gave_up = 0;\n"


def bounded(ptx, longest=LONGEST_WAIT):
    """Each parity wait gives up in the end."""
    return WAIT.sub(lambda match: f""".reg .b64 begun, now;
.reg .pred late;
mov.u64 begun, %globaltimer;
again:
{match.group(1)}mov.u64 now, %globaltimer;
sub.u64 now, now, begun;
setp.gt.u64 late, now, {longest};
@late st.volatile.global.u32 [tilepipe_gave_up], 1;
@late exit;
@!done bra again;
""", re.sub(r"(?m)^(\.address_size 64\n)", r"\1" + FLAG, ptx, count=1))


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


def file_of(job, place):
    """The job's PTX in a file, which is written when it is wanted."""
    path = os.path.join(place, job["id"] + ".ptx")
    if not os.path.exists(path):
        build.write(path, bounded(job["ptx"]))
    return path


def all_jobs(folder, only):
    """[{id, group, of, class, kernel, ptx}]: the unchanged kernels, and every place of every mutant."""
    jobs = []

    def add(name, group, of, kind, kernel, ptx):
        jobs.append({"id": name, "group": group, "of": of, "class": kind, "kernel": kernel, "ptx": ptx})

    done = set()  # a kernel's mutants are run on the first architecture of 8.0 and later that has it
    for stem, archs in build.KERNELS.items():
        for arch in archs:
            head, kernels = build.split(build.read(os.path.join(folder, f"{stem}.{arch}.ptx")))
            for kernel, text in kernels.items():
                add(f"unchanged@{kernel}.{arch}", "", "unchanged", "unchanged", kernel, head + text)
                if kernel in done or stem in build.FOREIGN:
                    continue
                if arch >= "80":
                    done.add(kernel)
                for mutant, number, changed in ptx_mutants(kernel, text):
                    name = f"{mutant['id']}.{number}@{kernel}.{arch}"
                    if re.search(only, name):
                        group = f"{mutant['id']}@{stem}.{arch}"
                        add(name, group, mutant["id"], mutant["class"], kernel, head + changed)
    classes = {mutant["id"]: mutant["class"] for mutant in build.mutants()}
    for name in sorted(os.listdir(os.path.join(folder, "headers"))):
        of, rest = name[:-len(".ptx")].split("@")
        if re.search(only, name) and of in classes:
            add(name[:-len(".ptx")], of, of, classes[of], rest.rsplit(".", 1)[0],
                build.read(os.path.join(folder, "headers", name)))
    return jobs


# Mutants whose headers give the same PTX for every kernel have nothing to run.
def without_effect(folder):
    index = json.loads(build.read(os.path.join(folder, "index.json")))
    return [name for name, entry in index["headers"].items() if not entry["kernels"]]


class Runner:
    """A process of the runner, kept from kernel to kernel while they leave its context alive. For one thread."""

    def __init__(self, path, place):
        self.path, self.place, self.process = path, place, None

    def ask(self, job):
        """(status, what was seen); status None where no answer comes in time."""
        if self.process is None:
            self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL)
        try:
            self.process.stdin.write(f"{file_of(job, self.place)} {job['kernel']} {TILES} {LAUNCHES}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        answer, end = b"", time.monotonic() + TIMEOUT
        while not answer.endswith(b"\n"):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                self.stop()
                return None, "no answer"
            piece = os.read(self.process.stdout.fileno(), 4096)
            if not piece:
                break
            answer += piece
        status, _, what = answer.decode(errors="replace").strip().partition(" ")
        if not status:
            self.stop()
            return FAILED, "the runner ended"
        if int(status) in (FAILED, HANG, SKIPPED):
            self.stop()
        return int(status), what

    def stop(self):
        if self.process is not None:
            self.process.kill()  # and not waited for: where a kernel hangs, that takes long
        self.process = None


class Runners:
    """One for each thread."""

    def __init__(self, path, place):
        self.path, self.place, self.mine, self.all = path, place, threading.local(), []

    def ask(self, job):
        if not hasattr(self.mine, "runner"):
            self.mine.runner = Runner(self.path, self.place)
            self.all.append(self.mine.runner)
        return self.mine.runner.ask(job)

    def stop(self):
        for runner in self.all:
            runner.stop()


def plain(runners, job):
    status, what = runners.ask(job)
    if status in (None, HANG):  # or did the GPU do something else meanwhile?
        status, what = runners.ask(job)
    if status in (None, HANG):
        return "hang", what
    if status == GAVE_UP:
        return "hang", f"bounded wait: {what}"
    named = {0: "survived", 1: "wrong result", NOT_LOADED: "not loaded", SKIPPED: "skipped"}
    return named.get(status, "error"), what[:200]


def execute(line, timeout):
    """(exit status, output); status None after the time-out, when all that it started ends."""
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               start_new_session=True)
    try:
        output, _ = process.communicate(timeout=timeout)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None, "time-out"


def racecheck(tool, runner, place, job):
    status, output = execute([tool, "--tool", "racecheck", "--racecheck-report", "all", "--error-exitcode", "9", runner,
                              file_of(job, place), job["kernel"], str(RACECHECK_TILES), "1"], RACECHECK_TIMEOUT)
    hazard = re.search(r"={5,} (Error|Warning): .*", output)
    if hazard or status == 9:
        return "racecheck", (hazard.group(0) if hazard else "")[:200]
    return "survived" if status == 0 else "not checked", (output.strip().splitlines() or [""])[-1][:200]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=min(12, os.cpu_count() or 1))
    parser.add_argument("--seconds", type=int, default=300, help="after that, what is left is not run")
    parser.add_argument("--tries", type=int, default=1000, help="of a mutant's kernels and places, no more are run")
    parser.add_argument("--no-racecheck", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--before")
    parser.add_argument("folder")
    parser.add_argument("out")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    end = time.monotonic() + args.seconds

    runner = os.path.abspath(os.path.join(args.folder, "runner"))
    tool = None if args.no_racecheck else shutil.which("compute-sanitizer") or shutil.which(
        "compute-sanitizer", path="/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer")
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runners = Runners(runner, place)
        jobs = all_jobs(args.folder, args.only)
        print(f"{len(jobs)} kernels to run", flush=True)
        sound = [job for job in jobs if job["of"] == "unchanged"]
        for job, (killed, detail) in zip(sound, pool.map(lambda j: plain(runners, j), sound)):
            job["killed_by"], job["detail"] = killed, detail
            if killed == "skipped":
                print("skipped: no GPU")
                return SKIPPED
            if killed != "survived":
                print(f"{job['id']} is not right unchanged: {killed}: {detail}", flush=True)
        # racecheck's word counts only where it is silent on the unchanged kernel.
        whole = {job["id"].split("@")[1]: job for job in sound}

        @functools.lru_cache(maxsize=None)
        def racecheck_is_silent(kernel):
            return racecheck(tool, runner, place, whole[kernel])[0] == "survived"

        def checked(job):
            if tool is None or not racecheck_is_silent(job["id"].split("@")[1]):
                return "survived", ""
            return racecheck(tool, runner, place, job)

        groups = {}
        for job in jobs:
            if job["of"] != "unchanged":
                groups.setdefault(job["group"], []).append(job)

        def first_kill(members):
            """What notices the mutant, of a random order of its kernels and places."""
            members = random.Random(1).sample(members, len(members))[:args.tries]
            tries = [(functools.partial(plain, runners), job) for job in members]
            tries += [(checked, job) for job in members[:RACECHECKED]]
            seen = ""
            for number, (run, job) in enumerate(tries):
                if time.monotonic() > end:
                    return members[0], "not run", f"no time left after {number} runs", number
                killed, detail = run(job)
                if killed in KILLING:
                    return job, killed, detail, number + 1
                if killed != "survived":
                    seen = f"{killed}: {detail}"
            return members[0], "survived", seen, len(tries)

        found = [{key: job[key] for key in ("id", "of", "class", "kernel", "killed_by", "detail")} for job in sound]
        known = {}
        if args.before:
            known = {entry["id"]: entry for entry in json.loads(build.read(args.before))
                     if entry["id"] in groups and entry["killed_by"] != "not run"}
        found += known.values()
        groups = {group: members for group, members in groups.items() if group not in known}
        # What is noticed soon comes first, and otherwise a random order, so that a run cut short is a sample.
        expected = {mutant["id"]: EXPECTED.index(mutant["expected"]) for mutant in build.mutants()}
        order = sorted(random.Random(1).sample(sorted(groups), len(groups)),
                       key=lambda group: expected[groups[group][0]["of"]])
        for group, (job, killed, detail, runs) in zip(order, pool.map(lambda g: first_kill(groups[g]), order)):
            found.append({"id": group, "of": job["of"], "class": job["class"], "kernel": job["id"].split("@")[1],
                          "place": job["id"].split("@")[0], "killed_by": killed, "detail": detail, "runs": runs})
        runners.stop()
    for name in without_effect(args.folder):
        found.append({"id": name, "of": name, "class": "", "kernel": "", "killed_by": "no effect", "detail": ""})
        print(f"no effect on the PTX of any kernel: {name}")
    build.write(os.path.join(args.out, "mutants.json"), json.dumps(found, indent=1) + "\n")
    counts = {}
    for entry in sorted(found, key=lambda e: e["id"]):
        if entry["of"] == "unchanged":
            continue
        counts[entry["killed_by"]] = counts.get(entry["killed_by"], 0) + 1
        if entry["killed_by"] in ("survived", "error", "not run"):
            print(f"{entry['killed_by']}: {entry['id']}: {entry['detail']}")
    print(f"{sum(counts.values())} mutants, {sum(e.get('runs', 0) for e in found)} runs: " +
          ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    broken = [job for job in sound if job["killed_by"] != "survived"]
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
