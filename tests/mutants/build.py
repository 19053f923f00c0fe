#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds what the mutants need on a machine without a GPU: the runner, and the PTX of the kernels.

The PTX is made from the headers as they are, and from edited copies of them, one for each entry of
mutants.json that is in "include". Of an edited copy only the kernels that come out different are kept.
Usage: build.py [--nvcc NVCC] [--jobs N] [--only PATTERN] BUILD_DIR
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# The architectures for which each file of kernels/ is compiled.
KERNELS = {
    "groups": ["80"],
    "registers": ["75"],
    "mbarrier": ["80"],
    "bulk": ["90"],
    "roles": ["75", "80", "90"],
    "consumers": ["75", "80", "90"],
    "verbs": ["75", "80", "90"],
    "stop": ["75", "80", "90"],
    "ends": ["75", "80", "90"],
    "apart": ["80", "90"],
    "exchange": ["75", "80", "90"],
    "stores": ["80", "90"],
    "in_place": ["80", "90"],
    "tensor": ["90"],
    "checked": ["90"],
    "foreign": ["80", "90"],
}
# Kernels whose instructions are another library's: mutants of the PTX are not made of them.
FOREIGN = ["foreign"]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def mutants():
    return json.loads(read(os.path.join(HERE, "mutants.json")))


def places(mutant, text):
    """Where the mutant's original stands: one place, or with "nth" that many and more; else none."""
    found = list(re.finditer(r"\s+".join(re.escape(word) for word in mutant["original"].split()), text))
    return found if len(found) == 1 or len(found) > mutant.get("nth", len(found)) else []


def edited_copy(mutant, folder):
    """include/ with the one change of the mutant, in folder/include. Space counts as space, however much."""
    include = os.path.join(folder, "include")
    shutil.copytree(os.path.join(ROOT, "include"), include)
    path = os.path.join(include, "tilepipe", mutant["file"])
    text = read(path)
    found = places(mutant, text)
    if not found:
        raise LookupError(f"{mutant['file']} has it not, or not once:\n{mutant['original']}")
    place = found[mutant.get("nth", 0)]
    write(path, text[:place.start()] + mutant["mutation"] + text[place.end():])
    return include


def digest(*folders):
    """Of all files below the folders."""
    state = hashlib.sha256()
    for folder in folders:
        for where, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                state.update(os.path.relpath(os.path.join(where, name), folder).encode())
                with open(os.path.join(where, name), "rb") as file:
                    state.update(file.read())
    return state.hexdigest()


def compile_ptx(nvcc, include, stem, arch, out):
    """Compiles kernels/<stem>.cu; an error message if it does not compile."""
    done = subprocess.run(
        [nvcc, "-std=c++17", f"-arch=compute_{arch}", "-ptx", f"-I{include}", "-w", "-o", out,
         os.path.join(HERE, "kernels", stem + ".cu")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return "" if done.returncode == 0 else done.stdout


def split(ptx):
    """(what stands outside of entries, {kernel: its text})."""
    parts = re.split(r"(?m)^(?=\.visible \.entry |\s*// \.globl|\.extern |\.func)", ptx)
    head, kernels = "", {}
    for part in parts:
        name = re.match(r"\.visible \.entry (\w+)", part)
        if not name:
            head += part
            continue
        end = part.index("\n}\n") + 3  # shared variables of the next kernel may follow
        kernels[name.group(1)] = part[:end]
        head += part[end:]
    return head, kernels


def baseline(nvcc, folder, pool):
    def one(unit):
        stem, arch = unit
        return compile_ptx(nvcc, os.path.join(ROOT, "include"), stem, arch, os.path.join(folder, f"{stem}.{arch}.ptx"))

    units = [(stem, arch) for stem, archs in KERNELS.items() for arch in archs]
    for unit, problem in zip(units, pool.map(one, units)):
        print("unchanged", *unit, flush=True)
        if problem:
            sys.exit(problem)


def header_mutant(nvcc, folder, mutant):
    """Writes the kernels that differ from the baseline; returns their names."""
    changed, seen = [], set()
    with tempfile.TemporaryDirectory() as place:
        try:
            include = edited_copy(mutant, place)
        except LookupError as missing:
            return str(missing)
        for unit in mutant["kernels"]:
            stem, arch = unit.split(":")
            out = os.path.join(place, "mutant.ptx")
            problem = compile_ptx(nvcc, include, stem, arch, out)
            if problem:
                return f"does not compile: {problem[:500]}"
            _, before = split(read(os.path.join(folder, f"{stem}.{arch}.ptx")))
            head, after = split(read(out))
            for kernel, text in after.items():
                if text != before.get(kernel) and kernel not in seen:
                    seen.add(kernel)
                    name = f"{mutant['id']}@{kernel}.{arch}"
                    write(os.path.join(folder, "headers", name + ".ptx"), head + text)
                    changed.append(name)
    return changed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("folder")
    args = parser.parse_args()
    os.makedirs(os.path.join(args.folder, "headers"), exist_ok=True)
    runner = os.path.join(args.folder, "runner")
    done = subprocess.run([args.nvcc, "-std=c++17", "-O2", "-cudart", "static", "-I" + os.path.join(ROOT, "include"),
                           "-o", runner, os.path.join(HERE, "runner.cu")])
    if done.returncode != 0:
        return 1
    state = digest(os.path.join(ROOT, "include"), os.path.join(HERE, "kernels"))
    index_path = os.path.join(args.folder, "index.json")
    index = json.loads(read(index_path)) if os.path.exists(index_path) else {}
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        if index.get("digest") != state:
            index = {"digest": state, "headers": {}}
            shutil.rmtree(os.path.join(args.folder, "headers"))
            os.makedirs(os.path.join(args.folder, "headers"))
            baseline(args.nvcc, args.folder, pool)
        keys = {mutant["id"]: hashlib.sha256(json.dumps(mutant).encode()).hexdigest() for mutant in mutants()}
        missing = [mutant for mutant in mutants()
                   if mutant.get("kernels") and re.search(args.only, mutant["id"])
                   and index["headers"].get(mutant["id"], {}).get("key") != keys[mutant["id"]]]
        for mutant, changed in zip(missing, pool.map(lambda m: header_mutant(args.nvcc, args.folder, m), missing)):
            print(f"{mutant['id']}: {changed if isinstance(changed, str) else len(changed)} kernels", flush=True)
            if isinstance(changed, str):
                bad += 1
                continue
            index["headers"][mutant["id"]] = {"key": keys[mutant["id"]], "kernels": changed}
            write(index_path, json.dumps(index, indent=1))
    write(index_path, json.dumps(index, indent=1))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
