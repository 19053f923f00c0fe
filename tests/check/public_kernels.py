#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks public kernels, whose sources are not part of this repository, and holds what is found against the lists below.

Usage: public_kernels.py toolkit NVCC PROGRAM         those that come with nvcc
       public_kernels.py wheels NVCC PROGRAM [FOLDER] those in Python packages, of which FOLDER, else build/public_kernels, has
                                                      the wheels that public/wheels.txt names (`setup kernels` of
                                                      scripts/setup.sh fetches them); without them the test is skipped
       public_kernels.py clones NVCC CXX [FOLDER]     those of repositories, of which FOLDER, else the environment's
                                                      TILEPIPE_PUBLIC_KERNELS, has clones, bare or not, as OWNER+NAME
PROGRAM is check_public_kernels, which compares results too. Of a file of a repository, and of some in packages, what is
from one line to before another is compiled.
"""
import concurrent.futures
import glob
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
PUBLIC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "public")
SKIPPED = 77


def part_of(whole, begin, end):
    start = re.search(begin, whole, re.M).start()
    stop = re.compile(end, re.M).search(whole, start)
    return whole[start:stop.start() if stop else None]


class Source:
    def __init__(self, repository, commit, path, begin, end, preamble, instances=""):
        self.repository, self.commit, self.path = repository, commit, path
        self.begin, self.end, self.preamble, self.instances = begin, end, preamble, instances

    def text(self, folder):
        clone = os.path.join(folder, self.repository.replace("/", "+"))
        for inside in ("repo", ".git"):
            if os.path.isdir(os.path.join(clone, inside)):
                clone = os.path.join(clone, inside)
        whole = subprocess.run(["git", "--git-dir", clone, "show", f"{self.commit}:{self.path}"], check=True,
                               stdout=subprocess.PIPE, text=True).stdout
        return "\n".join((self.preamble, part_of(whole, self.begin, self.end), self.instances))


HGEMM_PREAMBLE = r"""
#include <cuda_fp16.h>
#include <cstdint>
inline __device__ __host__ size_t div_ceil(size_t a, size_t b) { return (a + b - 1) / b; }
#define LDMATRIX_X2(a, b, at) \
  asm volatile("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%0, %1}, [%2];\n" : "=r"(a), "=r"(b) : "r"(at))
#define LDMATRIX_X4(a, b, c, d, at) \
  asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n" \
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at))
#define HMMA16816(d0, d1, a0, a1, a2, a3, b0, b1, c0, c1) \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};\n" \
               : "=r"(d0), "=r"(d1) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(c0), "r"(c1))
#define CP_ASYNC_CA(to, from, n) asm volatile("cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(to), "l"(from), "n"(n))
#define CP_ASYNC_CG(to, from, n) asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"(to), "l"(from), "n"(n))
#define CP_ASYNC_COMMIT_GROUP() asm volatile("cp.async.commit_group;\n" ::)
#define CP_ASYNC_WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))
"""


def hgemm(name, stages):
    source = Source("Bruce-Lee-LY/cuda_hgemm", "0d26c2e4415ab0d0af5a6bfae301275c608d46b4", f"src/mma/{name}.cu",
                    "^#define MMA_M", "^size_t init", HGEMM_PREAMBLE)
    k = 192
    shared = max(24576 * stages, 65536)
    arguments = f"--block 256 --shared {shared} u8:{512 * k} u8:{256 * k} out:65536 long=256 long=128 long={k}"
    return source, [("Kernel", arguments, set())]


SAMPLE = Source(
    "NVIDIA/cuda-samples", "c94ff366aed18c797b8a85dfaac7817b0228b420",
    "Samples/3_CUDA_Features/globalToShmemAsyncCopy/globalToShmemAsyncCopy.cu", "^// Multi Stage memcpy_async",
    "^void ConstantInit",
    "#include <cooperative_groups.h>\n#include <cuda/barrier>\n#include <cuda/pipeline>\nnamespace cg = cooperative_groups;",
    "\n".join(f"template __global__ void MatrixMul{name}<16>({arguments});" for name, arguments in (
        ("AsyncCopyMultiStageLargeChunk", "float*, const float*, const float*, int, int"),
        ("AsyncCopyLargeChunk", "float*, const float*, const float*, int, int"),
        ("AsyncCopyLargeChunkAWBarrier", "float*, const float*, const float*, int, int"),
        ("AsyncCopySingleStage", "float*, const float*, const float*, int, int"),
        ("AsyncCopyMultiStage", "float*, const float*, const float*, int, int"),
        ("AsyncCopyMultiStageSharedState", "float*, const float*, const float*, int, int"),
        ("Naive", "float*, float*, float*, int, int"), ("NaiveLargeChunk", "float*, float*, float*, int, int"))))
SAMPLE_ARGUMENTS = "out:36864 f32:9216 f32:9216 int=96 int=96"  # 96 x 96: six tiles

CUTLASS = "nvidia_cutlass", "cutlass_library/source/"
FLASHINFER = "flashinfer_python", "flashinfer/data/"
QUANTO = "optimum_quanto", "optimum/quanto/library/extensions/cuda/"


class Packaged:
    """A file of public/, compiled with headers of a wheel, and for each case of PROGRAM the kinds of what is found."""

    def __init__(self, file, cases, package=None, arch=80, includes=(), theirs=None, options=()):
        self.file, self.cases, self.package, self.arch = file, cases, package, arch
        self.includes, self.theirs, self.options = includes, theirs, options

    def compile(self, nvcc, packages, work):
        own = os.path.join(work, self.file)
        os.makedirs(own)
        folders = [own]
        if self.package:
            root = os.path.join(packages, *self.package)
            folders += [os.path.join(root, include) for include in self.includes]
        if self.theirs:
            path, begin, end = self.theirs
            with open(os.path.join(root, path), encoding="utf-8") as file:
                text = part_of(file.read(), begin, end)
            with open(os.path.join(own, "theirs.inc"), "w", encoding="utf-8") as file:
                file.write(text)
        ptx = os.path.join(own, "made.ptx")
        subprocess.run([nvcc, "-std=c++17", f"-arch=compute_{self.arch}", "-ptx", "-lineinfo", "-w", "-o", ptx, *self.options,
                        *("-I" + folder for folder in folders), os.path.join(PUBLIC, self.file)], check=True)
        return ptx


# What is found, and why, is in docs/checker.md.
TOOLKIT = [Packaged("cub_transform.cu", {"transform_bulk": set(), "transform_ends": set()}, arch=90)]
WHEELS = [
    Packaged("cute_gemm.cu", {"cute_gemm": {"abandoned"}}, CUTLASS, includes=["include"],
             theirs=("examples/cute/tutorial/sgemm_sm80.cu", "^template <class ElementA,", "^template <class Alpha, class Beta>")),
    Packaged("cutlass_gemm.cu", {"gemm_tensor_cores": set(), "gemm_simt": set()}, CUTLASS, includes=["include"]),
    Packaged("flashinfer_decode.cu", {"decode_whole_tiles": {"race"}, "decode": {"race", "unwritten"}}, FLASHINFER,
             includes=["include"]),
    Packaged("flashinfer_prefill.cu", {"prefill": {"race", "wrong"}}, FLASHINFER, includes=["include"]),
    Packaged("flashinfer_merge.cu", {"merge": {"race"}}, FLASHINFER, includes=["include"]),
    Packaged("quanto_awq.cu", {"awq_16_rows": set(), "awq_64_rows": set()}, QUANTO, includes=["awq/v2"],
             theirs=("awq/v2/gemm_cuda.cu", "^#define kInterleave", "^torch::Tensor")),
    Packaged("quanto_marlin.cu", {"marlin": {"race"}}, QUANTO, options=["--expt-relaxed-constexpr"],
             theirs=("marlin/marlin_cuda_kernel.cu", "^constexpr int ceildiv", "^// 8 warps are a good choice")),
]


def unpack(folder, into):
    """Unpacks the wheels that wheels.txt names; the reason why not, if one is missing."""
    with open(os.path.join(PUBLIC, "wheels.txt"), encoding="utf-8") as file:
        wanted = re.findall(r"^([\w-]+)==(\S+) --hash=sha256:(\w+)", file.read(), re.M)
    for name, version, digest in wanted:
        found = glob.glob(os.path.join(folder, f"{name.replace('-', '_')}-{version}-*.whl"))
        if not found:
            return f"no wheel of {name} {version} in {os.path.normpath(folder)}; `setup kernels` of scripts/setup.sh fetches it"
        with open(found[0], "rb") as file:
            if hashlib.sha256(file.read()).hexdigest() != digest:
                raise RuntimeError(f"{found[0]} is not the file that wheels.txt names")
        with zipfile.ZipFile(found[0]) as wheel:
            wheel.extractall(os.path.join(into, name.replace("-", "_")))
    return ""


def check_packaged(sources, nvcc, program, packages, work):
    """What was not as listed."""
    wrong = []

    def check(source):
        ptx = source.compile(nvcc, packages, work)
        for case, expected in source.cases.items():
            done = subprocess.run([program, ptx, case], stdout=subprocess.PIPE, text=True, check=False)
            if done.returncode != 0:
                wrong.append(f"{source.file} {case}: {done.stdout}")
                continue
            found = set(re.findall(r"^(?:error|proxy): (\w+):", done.stdout, re.M))
            if not done.stdout.endswith("right\n"):
                found.add("wrong")
            said = f"{source.file} {case}: {', '.join(sorted(found)) or 'clean, right'}"
            print(said, flush=True)
            if found != expected:
                wrong.append(f"{said}, expected {', '.join(sorted(expected)) or 'clean, right'}\n{done.stdout}")

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(check, source) for source in sources]:
            done.result()
    print("\n".join(wrong))
    print(f"{sum(len(source.cases) for source in sources)} cases, {len(wrong)} not as listed")
    return 1 if wrong else 0


# A part of the kernel's name in PTX, the arguments of tilepipe-check, and the kinds of what it finds.
KERNELS = [
    hgemm("mma_base", 1), hgemm("mma_permuted", 1), hgemm("mma_async", 1), hgemm("mma_async_pg2s_ps2r", 2),
    hgemm("mma_async_stage2", 2), hgemm("mma_async_stage3", 3), hgemm("mma_async_stage4", 4),
    (Source("siboehm/SGEMM_CUDA", "60cba6f9b20a198116c76f18de8047f44df8c8b8",
            "src/kernels/12_kernel_double_buffering.cuh", "^namespace", "^\\Z",
            "#include <cooperative_groups.h>\n#include <cuda/barrier>\nconstexpr int WARPSIZE = 32;\ntypedef unsigned uint;",
            "template __global__ void runSgemmDoubleBuffering2<128, 128, 16, 64, 64, 4, 8, 4, 128>(int, int, int, float, "
            "float*, float*, float, float*);"),
     [("DoubleBuffering2", "--block 128 int=128 int=128 int=64 float=1 f32:8192 f32:8192 float=0 out:65536", set())]),
    (Source("tspeterkim/flash-attention-minimal", "00f8f46712d493665c900c32fa3a261c8ef3e20c", "flash.cu", "^__global__",
            "^torch::Tensor", ""),
     [("forward_kernel", "--block 32 --shared 16384 f32:2048 f32:2048 f32:2048 int=64 int=32 int=2 int=2 int=32 int=32 "
       "float=0.125 f32:64 f32:64 f32:2048", set())]),
    (SAMPLE, [("MatrixMulAsyncCopyMultiStageLargeChunk", f"--block 16,16 {SAMPLE_ARGUMENTS}", {"race"}),
              ("MatrixMulAsyncCopyLargeChunkILi", f"--block 16,16 {SAMPLE_ARGUMENTS}", set()),
              ("MatrixMulAsyncCopyLargeChunkAWBarrier", f"--block 16,16 {SAMPLE_ARGUMENTS}", {"protocol"}),
              ("MatrixMulAsyncCopySingleStage", f"--block 16,16 {SAMPLE_ARGUMENTS}", set()),
              ("MatrixMulAsyncCopyMultiStageILi", f"--block 16,16 {SAMPLE_ARGUMENTS}", {"race"}),
              ("MatrixMulAsyncCopyMultiStageSharedState", f"--block 16,18 {SAMPLE_ARGUMENTS}", set()),
              ("MatrixMulNaiveILi", f"--block 16,16 {SAMPLE_ARGUMENTS}", set()),
              ("MatrixMulNaiveLargeChunk", f"--block 16,16 {SAMPLE_ARGUMENTS}", set())]),
]


def found_in(command, ptx, part, arguments):
    """The kinds of the findings."""
    names = subprocess.run([command, ptx], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    kernel = next(name for name in names if part in name)
    done = subprocess.run([command, ptx, kernel, "--seeds", "3", *arguments.split()], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode > 1:
        raise RuntimeError(f"{kernel}: {done.stdout}")
    return done.stdout, set(re.findall(r"^(?:error|proxy): (\w+):", done.stdout, re.M))


def check_clones(nvcc, cxx, folder):
    if not folder:
        print("skipped: TILEPIPE_PUBLIC_KERNELS names no folder with clones of the repositories")
        return SKIPPED
    wrong = []
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(2) as pool:
        command = os.path.join(work, "tilepipe-check")
        given = os.environ.get("TILEPIPE_CHECK_COMMAND")
        if given:
            command = given
        else:
            subprocess.run([cxx, "-std=c++17", "-O2", "-I" + os.path.join(ROOT, "include"), "-o", command,
                            os.path.join(ROOT, "tools/tilepipe_check.cpp")], check=True)

        def check(number, source, kernels):
            cu = os.path.join(work, f"{number}.cu")
            with open(cu, "w", encoding="utf-8") as file:
                file.write(source.text(folder))
            subprocess.run([nvcc, "-std=c++17", "-arch=compute_80", "-ptx", "-lineinfo", "-w", "-o", cu + ".ptx", cu],
                           check=True)
            for part, arguments, expected in kernels:
                printed, found = found_in(command, cu + ".ptx", part, arguments)
                said = f"{source.repository} {os.path.basename(source.path)} {part}: {', '.join(sorted(found)) or 'clean'}"
                print(said, flush=True)
                if found != expected:
                    wrong.append(f"{said}, expected {', '.join(sorted(expected)) or 'clean'}\n{printed}")

        for done in [pool.submit(check, n, *kernel) for n, kernel in enumerate(KERNELS)]:
            done.result()
    print("\n".join(wrong))
    print(f"{sum(len(kernels) for _, kernels in KERNELS)} kernels, {len(wrong)} not as listed")
    return 1 if wrong else 0


def main():
    kind, nvcc, program = sys.argv[1:4]
    given = sys.argv[4] if len(sys.argv) > 4 else ""
    if kind == "clones":
        return check_clones(nvcc, program, given or os.environ.get("TILEPIPE_PUBLIC_KERNELS", ""))
    with tempfile.TemporaryDirectory() as work:
        packages = os.path.join(work, "packages")
        if kind == "toolkit":
            version = subprocess.run([nvcc, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
            if "release 13.0" not in version:
                print("skipped: the names are those of CCCL 3.0, which comes with nvcc 13.0")
                return SKIPPED
            return check_packaged(TOOLKIT, nvcc, program, packages, work)
        missing = unpack(given or os.path.join(ROOT, "build/public_kernels"), packages)
        if missing:
            print(f"skipped: {missing}")
            return SKIPPED
        return check_packaged(WHEELS, nvcc, program, packages, work)


if __name__ == "__main__":
    sys.exit(main())
