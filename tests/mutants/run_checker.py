#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs in the checker, without a GPU, the mutants that survived on one, or were not run: what shows only if a thread
sleeps between two instructions. A finding counts only where the kernel as it is has none.

Usage: run_checker.py BUILD_DIR GPU.json OUT.json   BUILD_DIR and GPU.json: of build.py and run_gpu.py
"""
import json
import os
import subprocess
import sys
import tempfile

import build
import run_gpu

TIMEOUT = 20


def finding(checker, job, place):
    """What the checker says of the kernel; None if nothing, or if it refuses the kernel."""
    path = os.path.join(place, "kernel.ptx")
    build.write(path, job["ptx"])
    try:
        done = subprocess.run([checker, path, job["kernel"]], stdout=subprocess.PIPE, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"no end in {TIMEOUT} s"
    return (done.stdout.splitlines() or [""])[0][:200] if done.returncode == 1 else None


def main():
    folder, gpu, out = sys.argv[1:]
    checker = os.path.join(folder, "checker")
    subprocess.run(["g++", "-std=c++17", "-O2", "-I" + os.path.join(build.ROOT, "include"), "-o", checker,
                    os.path.join(build.HERE, "checker.cpp")], check=True)
    alive = {entry["id"]: entry for entry in json.loads(build.read(gpu))
             if entry["killed_by"] in ("survived", "not run") and entry["of"] != "unchanged"}
    groups, whole = {}, {}
    for job in run_gpu.all_jobs(folder, ""):
        groups.setdefault(job["group"], []).append(job)
        if job["of"] == "unchanged":
            whole[job["id"].split("@")[1]] = job
    found = []
    with tempfile.TemporaryDirectory() as place:
        for name, entry in alive.items():
            result = {"id": name, "of": entry["of"], "class": entry["class"], "killed_by": "survived", "detail": ""}
            for job in groups.get(name, []):
                said = finding(checker, job, place)
                if said and finding(checker, whole[job["id"].split("@")[1]], place) is None:
                    result.update(kernel=job["kernel"], killed_by="checker", detail=said)
                    break
            found.append(result)
            print(f"{name}: {result['killed_by']}: {result['detail']}", flush=True)
    build.write(out, json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
