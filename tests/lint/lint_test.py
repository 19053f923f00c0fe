#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks each rule once in a small tree and expects lint.py to find it: a rule that finds nothing is a defect."""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SPDX = "// SPDX-License-Identifier: Apache-2.0\n// What this file is.\n"
LIB = "include/tilepipe/"
KERNEL = "template <int Stages>\n__global__ void {}(int n) {{\n  return {};\n}}\n"
BASE = {LIB + "version.hpp": SPDX, LIB + "config.hpp": SPDX, LIB + "core/ring.hpp": SPDX, LIB + "pipeline.cuh": SPDX,
        LIB + "ptx/fence.cuh": SPDX, LIB + "ptx/address.cuh": SPDX + 'void f(int x) { asm("" : "+r"(x)); }\n',
        "examples/01_double_buffer.cuh": SPDX + "int shown;\n" + KERNEL.format("scale", "2 * v"),
        "bench/stream_readme.cuh": SPDX + KERNEL.format("readme_scale", "baseline::work<64>(v)"),
        "README.md": "<!-- example:01_double_buffer -->\n```cpp\nint shown;\n```\n<!-- /example:01_double_buffer -->\n"}

# rule, file, its text, and a part of the message.
BROKEN = [
    ("layers", LIB + "core/bad.hpp", SPDX + '#include "../pipeline.cuh"\n', "layer core may not include pipeline.cuh"),
    ("layers", LIB + "copy/bad.cuh", SPDX + "#include <tilepipe/pipeline.cuh>\n", "layer copy may not include"),
    ("layers", LIB + "ptx/bad.cuh", SPDX + '#include "../core/ring.hpp"\n', "layer ptx may not include core/ring"),
    ("layers", LIB + "detail/bad.hpp", SPDX, "is no layer"),
    ("foreign", LIB + "copy/bad.cuh", SPDX + "#include <cuda/pipeline>\n", "interop/ only"),
    ("foreign", LIB + "core/bad.hpp", SPDX + "#include <cstddef>\n", "core/std.hpp only"),
    ("foreign", LIB + "core/bad.hpp", SPDX + "#include <cuda_runtime.h>\n", "host/ only"),
    ("foreign", LIB + "pipeline.cuh", SPDX + "cooperative_groups::sync(g);\n", "outside interop/"),
    ("asm", LIB + "copy/bad.cuh", SPDX + 'void f() { asm volatile("" ::: "memory"); }\n', "outside ptx/"),
    ("asm", LIB + "ptx/bad.cuh", SPDX + 'void f() { asm volatile("bar.sync 0;"); }\n', "without a memory clobber"),
    ("asm", LIB + "ptx/bad.cuh", SPDX + 'void f() { asm("bar.sync 0;" ::: "memory"); }\n', "without volatile"),
    ("asm", LIB + "ptx/bad.cuh", SPDX + 'void f() { asm("" "bar.sync 0;" ::: "memory"); }\n', "without volatile"),
    ("architecture", LIB + "sync/bad.cuh", SPDX + "#if __CUDA_ARCH__ >= 800\n#endif\n", "use tilepipe::this_arch"),
    ("architecture_in_types", LIB + "ptx/bad.cuh", SPDX + "#ifdef __CUDA_ARCH__\n#endif\n", "outside a function body"),
    ("public_names", "examples/01_bad.cu", SPDX + "#include <tilepipe/ptx/fence.cuh>\n", "is an inner header"),
    ("first_lines", "bench/bad.cu", "int x;\n", "no line 'SPDX"),
    ("first_lines", "bench/bad.cu", SPDX.split("\n", maxsplit=1)[0] + "\n\n", "does not say what the file is"),
    ("sizes", "tests/bad.cpp", SPDX + "\n" * 400, "402 lines, at most 400"),
    ("sizes", "examples/01_bad.cu", SPDX + "\n" * 149, "151 lines, at most 150"),
    ("sizes", "examples/01_bad.cuh", SPDX + "\n" * 149, "151 lines, at most 150"),
    ("readme", "examples/02_bad.cu", SPDX, "does not name examples/02_bad"),
    ("readme", "README.md", BASE["README.md"].replace("int shown", "int  shown"), "is not in that example"),
    ("readme", "README.md", BASE["README.md"].replace("int shown;\n", ""), "is not in that example"),
    ("readme", "README.md", BASE["README.md"].replace("<!-- /", "<!-- "), "a mark of an example without its end"),
    ("readme", "README.md", "01_double_buffer\n", "shows no code between"),
    ("timed_readme", "bench/stream_readme.cuh", SPDX + KERNEL.format("readme_scale", "2 * v"), "its kernel is not that"),
    ("timed_readme", "bench/stream_readme.cuh", SPDX, "its kernel is not that"),
    ("machine_paths", "bench/bad.py", "# see /" + "home/someone/x\n", "names a path of one machine"),
    ("form", "tests/bad.cpp", SPDX + "int   x ;\n", "clang-format 14 would change"),
    ("shell", "scripts/bad.sh", "#!/bin/sh\n# SPDX\nrm $1/*\n", "SC2086"),
]


def run(folder, rule):
    return subprocess.run([sys.executable, "tests/lint/lint.py", rule], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def write(folder, files):
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def main():
    failures = 0
    for rule, name, text, message in BROKEN:
        with tempfile.TemporaryDirectory() as folder:
            write(folder, BASE)
            os.makedirs(os.path.join(folder, "tests/lint"))
            shutil.copy(os.path.join(HERE, "lint.py"), os.path.join(folder, "tests/lint"))
            shutil.copy(os.path.join(HERE, "../../.clang-format"), folder)
            before = run(folder, rule)
            write(folder, {name: text})
            after = run(folder, rule)
        if before.returncode == 77:
            print(f"not run: {rule}: {before.stdout.strip()}")
        elif before.returncode != 0:
            failures += 1
            print(f"{rule} finds something in a tree that has nothing wrong:\n{before.stdout}")
        elif after.returncode != 1 or message not in after.stdout:
            failures += 1
            print(f"{rule} does not find '{message}' in {name}:\n{after.stdout}")
        else:
            print(f"{rule} finds '{message}'")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
