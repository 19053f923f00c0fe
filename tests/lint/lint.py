#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules of the repository that a compiler does not check. Usage: lint.py RULE, or lint.py --list."""
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INCLUDE = "include/tilepipe/"
SKIPPED = 77
CODE = (".hpp", ".cuh", ".cpp", ".cu")
MOST_LINES = 400
SHOWN = "01_double_buffer"  # the README's first screen
TIMED = "bench/stream_readme.cuh"

# What a file of a layer may include of ours; a folder names all its files. Includes only go down.
BASE = ["version.hpp", "config.hpp"]
INNER = ["core", "ptx", "copy", "sync"]
TOP = "top-level headers"
LAYERS = {
    "version": [],
    "config": ["version.hpp"],
    "core": BASE + ["core"],
    "ptx": BASE + ["ptx"],
    "copy": BASE + ["core", "ptx", "copy"],
    "sync": BASE + ["core", "ptx", "sync"],
    "top": BASE + INNER + [TOP],
    "umbrella": BASE + INNER + [TOP],
    "host": BASE + ["core", "host"],
    "interop": BASE + INNER + [TOP, "tilepipe.cuh", "host", "interop"],
    "check": BASE + ["core", "check"],
}
# What users include: everything else of ours is inner.
PUBLIC = re.compile(r"tilepipe/((version|config)\.hpp|(tilepipe|pipeline|tile_loader|tile_storer|observer)\.cuh|"
                    r"(host|interop|check)/\w+\.(cuh|hpp))$")
CUDA_HEADERS = re.compile(r"(cuda|cuda_runtime|cuda_runtime_api|cuda_bf16|cuda_fp16|cuda_fp8)\.h$")
CCCL = re.compile(r"(cuda/(?!.*\.h$)|cub/|thrust/|nv/|cooperative_groups)")


def tracked(*prefixes, suffixes=None):
    """Files of the repository, tracked or not yet added, that are not ignored."""
    listed = subprocess.run(["git", "-c", f"safe.directory={ROOT}", "ls-files", "-co", "--exclude-standard"],
                            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if listed.returncode == 0:
        names = listed.stdout.splitlines()
    else:  # an unpacked archive
        names = [os.path.relpath(os.path.join(folder, name), ROOT)
                 for folder, _, files in os.walk(ROOT) for name in files]
        names = [name for name in names if not re.match(r"(\.git|build)/", name)]
    names = [name for name in sorted(names) if os.path.isfile(os.path.join(ROOT, name))]
    return [name for name in names
            if (not prefixes or name.startswith(prefixes)) and (suffixes is None or name.endswith(suffixes))]


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8", errors="replace") as file:
        return file.read()


def blank_comments(text):
    """The text without comments and string literals; the lines stay where they are."""
    def blank(match):
        kept = "" if match.group(0)[0] == "/" else '""'
        return kept + "\n" * match.group(0).count("\n")
    return re.sub(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def includes(name):
    """(line, target, own): own headers as paths below include/tilepipe, others as written."""
    for number, line in enumerate(read(name).splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if not found:
            continue
        quote, target = found.groups()
        if target.startswith("tilepipe/"):
            yield number, target[len("tilepipe/"):], True
        elif quote == '"' and name.startswith(INCLUDE):
            path = os.path.normpath(os.path.join(os.path.dirname(name), target))
            yield number, os.path.relpath(path, INCLUDE), True
        else:
            yield number, target, False


def layer_of(name):
    path = name[len(INCLUDE):]
    if "/" in path:
        return path.split("/")[0]
    stem = path.split(".")[0]
    return {"version": "version", "config": "config", "tilepipe": "umbrella"}.get(stem, "top")


def may_include(layer, target):
    if "/" not in target and target.endswith(".cuh") and target != "tilepipe.cuh" and TOP in LAYERS[layer]:
        return True
    return any(target == allowed or target.startswith(allowed + "/") for allowed in LAYERS[layer])


def layers():
    """Includes go down only; a .hpp needs no nvcc, so it includes no .cuh (interop excepted)."""
    for name in tracked(INCLUDE, suffixes=CODE):
        layer = layer_of(name)
        if layer not in LAYERS:
            yield f"{name}: the folder {layer}/ is no layer; add it to LAYERS with what it may include"
            continue
        for number, target, own in includes(name):
            if own and not may_include(layer, target):
                yield f"{name}:{number}: layer {layer} may not include {target}"
            if own and target.endswith(".cuh") and name.endswith(".hpp"):
                yield f"{name}:{number}: a .hpp compiles with g++ alone and includes no .cuh"
            if own and not os.path.isfile(os.path.join(ROOT, INCLUDE, target)):
                yield f"{name}:{number}: there is no {target}"


def foreign():
    """Of foreign headers: CCCL and cooperative groups in interop/ only, std in core/std.hpp, CUDA's in host/."""
    for name in tracked(INCLUDE, suffixes=CODE):
        layer = layer_of(name)
        for number, target, own in includes(name):
            if own or layer in ("interop", "check"):
                continue
            if CCCL.match(target):
                yield f"{name}:{number}: {target} is allowed in interop/ only"
            elif CUDA_HEADERS.match(target):
                if layer != "host":
                    yield f"{name}:{number}: {target} is allowed in host/ only"
            elif layer != "host" and name != INCLUDE + "core/std.hpp":
                yield f"{name}:{number}: {target}: standard headers are included in core/std.hpp only"
        text = blank_comments(read(name))
        if layer != "interop" and re.search(r"\b(cuda::(?!ptx\b)\w|cooperative_groups)", text):
            yield f"{name}: names of CCCL or cooperative groups outside interop/"
        if "std.hpp" not in name and layer not in ("host", "interop", "check") and re.search(r"\bstd::", text):
            yield f"{name}: std:: outside core/std.hpp, host/ and check/"


def asm():
    """Inline assembly is in ptx/ and examples/support; the library's is volatile with a memory clobber.

    An asm without an instruction is exempt: it does nothing that could be moved or left out, it only hides a value
    from the compiler, and a clobber would make the compiler read all memory again there. An election touches no memory.
    """
    for name in tracked("include/", "examples/", suffixes=CODE):
        raw, text = read(name), blank_comments(read(name))
        places = [match.start() for match in re.finditer(r"\basm\b", text)]
        if not places:
            continue
        in_ptx = name.startswith(INCLUDE + "ptx/")
        if not in_ptx and not name.startswith("examples/support/"):
            yield f"{name}: inline assembly outside ptx/ and examples/support"
        if in_ptx:
            statements = re.findall(r"\basm\b(\s+volatile)?\s*\((.*?)\);", re.sub(r"//[^\n]*", "", raw), re.S)
            for volatile, body in statements:
                if re.match(r'\s*""\s*(:|$)', body):
                    continue
                if not volatile or ('"memory"' not in body and "elect.sync" not in body):
                    yield f"{name}: asm without volatile or without a memory clobber: {' '.join(body.split())[:60]}"


def architecture():
    """__CUDA_ARCH__ is read in config.hpp, and in function bodies of ptx/ and copy/."""
    for name in tracked(INCLUDE, suffixes=CODE):
        if name == INCLUDE + "config.hpp" or layer_of(name) in ("ptx", "copy"):
            continue
        for number, line in enumerate(blank_comments(read(name)).splitlines(), 1):
            if re.search(r"__CUDA_ARCH\w*__", line):
                yield f"{name}:{number}: __CUDA_ARCH__ outside config.hpp, ptx/ and copy/; use tilepipe::this_arch"


def architecture_in_types():
    """In ptx/ and copy/ __CUDA_ARCH__ stands inside braces deeper than a namespace's: in a function body."""
    for name in tracked(INCLUDE + "ptx/", INCLUDE + "copy/", suffixes=CODE):
        depth = 0
        for number, line in enumerate(blank_comments(read(name)).splitlines(), 1):
            if re.search(r"__CUDA_ARCH\w*__", line) and depth < 1:
                yield f"{name}:{number}: __CUDA_ARCH__ outside a function body"
            if not line.lstrip().startswith("#"):
                # Namespaces are opened by macros, or by lines that say so.
                if not re.match(r"\s*(inline )?namespace\b", line):
                    depth += line.count("{") - line.count("}")


def public_names():
    """Benchmarks and examples include public headers and name no inner namespace."""
    for name in tracked("bench/", "examples/", suffixes=CODE):
        for number, target, own in includes(name):
            if own and not PUBLIC.match("tilepipe/" + target):
                yield f"{name}:{number}: tilepipe/{target} is an inner header"


def first_lines():
    """The SPDX line first (after #! and a pragma line for the linter), then what the file is."""
    wanted = "SPDX-License-Identifier: Apache-2.0"
    for name in tracked():
        if not name.endswith(CODE + (".in", ".py", ".sh", ".cmake", "CMakeLists.txt")) and \
                not name.startswith(("scripts/", ".ci/")):
            continue
        if name.endswith((".json", ".md", ".txt")) and not name.endswith("CMakeLists.txt"):
            continue
        lines = read(name).splitlines()
        at = next((i for i, line in enumerate(lines[:3]) if wanted in line), None)
        if at is None:
            yield f"{name}: no line '{wanted}' at the top"
        elif len(lines) <= at + 1 or not re.match(r'(//|#|""")\s*\S', lines[at + 1]):
            yield f"{name}: the line after SPDX does not say what the file is"


def sizes():
    """No source over 400 lines; each file of an example up to 150, of examples/support up to 250."""
    for name in tracked(suffixes=CODE + (".py", ".sh", ".cmake", "CMakeLists.txt")):
        count = len(read(name).splitlines())
        most = MOST_LINES
        if name.startswith("examples/support/"):
            most = 250
        elif name.startswith("examples/") and name.endswith(CODE):
            most = 150
        if count > most:
            yield f"{name}: {count} lines, at most {most}"


def readme():
    """Each example is named in the README; what the README shows of one, between marks, is its code."""
    names = sorted({name.split("/")[1].split(".")[0] for name in tracked("examples/")
                    if re.match(r"examples/\d\d_", name)})
    text = read("README.md") if os.path.exists(os.path.join(ROOT, "README.md")) else ""
    for name in names:
        if name not in text:
            yield f"README.md: does not name examples/{name}"
    shown = re.findall(r"<!-- example:(\w+) -->\n```\w*\n(.*?)```\n<!-- /example:\1 -->", text, re.S)
    if len(shown) != text.count("<!-- example:"):
        yield "README.md: a mark of an example without its end, or without a block of code between"
    if SHOWN in names and SHOWN not in [name for name, _ in shown]:
        yield f"README.md: shows no code between <!-- example:{SHOWN} --> and <!-- /example:{SHOWN} -->"
    for name, code in shown:
        files = tracked(f"examples/{name}.", suffixes=CODE)
        if not code.strip() or not any(code in read(file) for file in files):
            yield f"README.md: what it shows of examples/{name} is not in that example, letter by letter"


def timed_readme():
    """What bench/stream_readme.cuh times is the README's kernel, its name and its body's one expression changed."""
    def kernel(name):
        code = blank_comments(read(name)) if os.path.exists(os.path.join(ROOT, name)) else ""
        found = re.search(r"template <int Stages>\s*__global__.*?\n}\n", code, re.S)
        return re.sub(r"\s", "", found.group(0)) if found else ""
    shown = kernel(f"examples/{SHOWN}.cuh").replace("voidscale(", "voidreadme_scale(")
    if shown.replace("return2*v;", "returnbaseline::work<64>(v);") != kernel(TIMED):
        yield f"{TIMED}: its kernel is not that of examples/{SHOWN}.cuh with 2 * v replaced by baseline::work<64>(v)"


def machine_paths():
    """No path of a machine, no registry's host."""
    pattern = re.compile(r"(?<![\w.$}])/(?:home|root|work|Users)/\w|(?<![\w.$}])/tmp/\w|"
                         r"\b(?:pypi\.org|files\.pythonhosted\.org|deb\.debian\.org|archive\.ubuntu\.com)\b")
    for name in tracked():
        if name == "tests/lint/lint.py":
            continue
        for number, line in enumerate(read(name).splitlines(), 1):
            if pattern.search(line):
                yield f"{name}:{number}: names a path of one machine or a registry: {line.strip()[:80]}"


def form():
    """clang-format 14 changes nothing."""
    tool = os.environ.get("TILEPIPE_CLANG_FORMAT") or shutil.which("clang-format-14") or shutil.which("clang-format")
    version = subprocess.run([tool, "--version"], stdout=subprocess.PIPE, text=True).stdout if tool else ""
    if "version 14." not in version:
        print("skipped: clang-format 14 was not found")
        sys.exit(SKIPPED)
    files = tracked("include/", "tests/", "examples/", "bench/", "tools/", suffixes=CODE)
    done = subprocess.run([tool, "--dry-run", "--Werror", *files], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    places = [line.split(": error")[0] for line in done.stderr.splitlines() if ": error:" in line]
    for name in sorted({place.split(":")[0] for place in places}):
        yield f"{name}: clang-format 14 would change {sum(p.startswith(name + ':') for p in places)} places"
    if done.returncode != 0 and not places:
        yield done.stderr


def shell():
    """shellcheck finds nothing in the shell scripts."""
    tool = shutil.which("shellcheck")
    if not tool:
        print("skipped: shellcheck was not found")
        sys.exit(SKIPPED)
    files = [name for name in tracked("scripts/", "cmake/", "tests/", ".ci/", "bench/", "tools/")
             if name.endswith(".sh") or re.match(r"#!.*\b(ba)?sh\b", read(name)[:40])]
    if not files:
        return
    done = subprocess.run([tool, "-x", *files], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        yield done.stdout


RULES = {rule.__name__: rule for rule in (
    layers, foreign, asm, architecture, architecture_in_types, public_names, first_lines, sizes, readme,
    timed_readme, machine_paths, form, shell)}


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(f"{name}: {rule.__doc__}" for name, rule in RULES.items()))
        return 0
    if len(sys.argv) != 2 or sys.argv[1] not in RULES:
        print(__doc__)
        return 2
    found = list(RULES[sys.argv[1]]())
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
