# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts: finds what a script needs and installs what is missing, after saying what.
#
#   setup GROUP...      groups: build test bench docs clang cuda kernels; returns when all is there
#   has_gpu             true if a CUDA device can be used
#
# Packages come from apt. nvcc, where there is none of 12.4 or later, and clang-format 14, where apt has
# none, come as Python wheels into build/tools. After `setup cuda`, CUDACXX names nvcc. The wheels of group
# kernels, with kernels of others that a test checks, go to build/public_kernels, as they are; where they can't be
# had, that test is skipped.

TILEPIPE_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TILEPIPE_TOOLS=$TILEPIPE_ROOT/build/tools
TILEPIPE_KERNELS=$TILEPIPE_ROOT/build/public_kernels
export TILEPIPE_ROOT TILEPIPE_TOOLS

# The toolkit as wheels: compiler, its headers and its back end, runtime, NVRTC, and the C++ libraries.
CUDA_WHEELS=(
  nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-runtime==13.0.96
  nvidia-cuda-nvrtc==13.0.88 nvidia-cuda-cccl==13.0.85 nvidia-cuda-culibos==13.0.85
)
CLANG_FORMAT_WHEEL=clang-format==14.0.6

setup_packages=()
setup_wheels=()
setup_kernels=no

say() { printf '%s\n' "$*"; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# need_command PACKAGE COMMAND...: the package, unless one of the commands is there.
need_command() {
  local package=$1 name
  shift
  for name in "$@"; do
    if command -v "$name" >/dev/null 2>&1; then return; fi
  done
  setup_packages+=("$package")
}

# need_file PACKAGE FILE...: the package, unless one of the files is there.
need_file() {
  local package=$1 name
  shift
  for name in "$@"; do
    if [ -e "$name" ]; then return; fi
  done
  setup_packages+=("$package")
}

# True if version $1 is at least $2.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

nvcc_version() { "$1" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p'; }

# Prints the path of an nvcc that is new enough.
find_nvcc() {
  local candidate version
  for candidate in "${CUDACXX:-}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc \
    "$TILEPIPE_TOOLS/nvidia/cu13/bin/nvcc"; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then
      version=$(nvcc_version "$candidate")
      if [ -n "$version" ] && at_least "$version" 12.4; then
        printf '%s\n' "$candidate"
        return
      fi
    fi
  done
  return 1
}

# Prints the path of clang-format 14, whose form the repository has.
find_clang_format() {
  local candidate
  for candidate in clang-format-14 clang-format "$TILEPIPE_TOOLS/clang_format/data/bin/clang-format"; do
    if "$candidate" --version 2>/dev/null | grep -q 'version 14\.'; then
      command -v "$candidate"
      return
    fi
  done
  return 1
}

has_filecheck() { command -v FileCheck >/dev/null 2>&1 || compgen -G '/usr/lib/llvm-*/bin/FileCheck' >/dev/null; }

# The packages that a test takes kernels from, by version and hash.
kernel_wheels() { printf '%s\n' "$TILEPIPE_ROOT/tests/check/public/wheels.txt"; }

# True if each of these wheels has been fetched; the test compares the hashes.
has_kernels() {
  local wheel
  while read -r wheel; do
    if ! compgen -G "$TILEPIPE_KERNELS/$wheel-*.whl" >/dev/null; then return 1; fi
  done < <(sed -n 's/^\([^#= ]*\)==\([^ ]*\) .*/\1-\2/p' "$(kernel_wheels)" | sed 's/-\([a-z]\)/_\1/g')
}

apt_has() { apt-cache show "$1" >/dev/null 2>&1; }

run_as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    die "cannot install ${setup_packages[*]}: not root, and there is no sudo"
  fi
}

# The packages and wheels of one group that are missing.
collect() {
  case $1 in
    build)
      need_command g++ g++
      need_command cmake cmake
      need_command ninja-build ninja
      need_command python3 python3
      need_command git git
      ;;
    test)
      need_file catch2 /usr/include/catch2/catch.hpp /usr/include/catch2/catch_all.hpp
      need_command shellcheck shellcheck
      if ! has_filecheck; then setup_packages+=(FileCheck); fi
      if ! find_clang_format >/dev/null; then setup_wheels+=("$CLANG_FORMAT_WHEEL"); fi
      ;;
    bench) need_file libbenchmark-dev /usr/include/benchmark/benchmark.h ;;
    clang) need_command clang clang++ ;;
    docs) need_command doxygen doxygen ;;
    kernels) if ! has_kernels; then setup_kernels=yes; fi ;;
    cuda) if ! find_nvcc >/dev/null; then setup_wheels+=("${CUDA_WHEELS[@]}"); fi ;;
    *) die "setup: no group is named $1" ;;
  esac
}

# FileCheck is in a package whose name has a version: the oldest from 14 on that apt knows.
name_filecheck_package() {
  local i version
  for i in "${!setup_packages[@]}"; do
    if [ "${setup_packages[$i]}" != FileCheck ]; then continue; fi
    for version in 14 15 16 17 18 19 20 21; do
      if apt_has "llvm-$version-tools"; then
        setup_packages[i]=llvm-$version-tools
        return
      fi
    done
    die "apt knows no package llvm-N-tools, which has FileCheck"
  done
}

install_packages() {
  command -v apt-get >/dev/null 2>&1 || die "missing: ${setup_packages[*]}; install them (there is no apt-get here)"
  say "Updating the list of packages"
  run_as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq </dev/null
  name_filecheck_package
  say "Installing with apt-get: ${setup_packages[*]}"
  run_as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${setup_packages[@]}" </dev/null ||
    die "apt-get could not install ${setup_packages[*]}"
}

# Wheels carry libraries under their full names only; compilers and CMake look for the short ones.
link_cuda_libraries() {
  local root=$TILEPIPE_TOOLS/nvidia/cu13 library
  if [ ! -d "$root" ]; then return; fi
  ln -sfn lib "$root/lib64"
  for library in "$root"/lib/*.so.*; do
    ln -sf "$(basename "$library")" "${library%%.so.*}.so"
  done
  chmod +x "$root"/bin/* "$root"/nvvm/bin/*
}

install_wheels() {
  say "Installing as Python wheels into build/tools: ${setup_wheels[*]}"
  mkdir -p "$TILEPIPE_TOOLS"
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --upgrade \
    --target "$TILEPIPE_TOOLS" "${setup_wheels[@]}" </dev/null || die "pip could not install ${setup_wheels[*]}"
  link_cuda_libraries
}

fetch_kernels() {
  say "Fetching as Python wheels into build/public_kernels: $(grep -o '^[a-z][^ ]*' "$(kernel_wheels)" | xargs)"
  mkdir -p "$TILEPIPE_KERNELS"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
    --dest "$TILEPIPE_KERNELS" --requirement "$(kernel_wheels)" </dev/null ||
    say "pip could not fetch them: what needs them is skipped"
}

setup() {
  local group
  setup_packages=()
  setup_wheels=()
  setup_kernels=no
  for group in "$@"; do collect "$group"; done
  if { [ "${#setup_wheels[@]}" -gt 0 ] || [ "$setup_kernels" = yes ]; } && ! python3 -m pip --version >/dev/null 2>&1; then
    setup_packages+=(python3-pip)
  fi
  if [ "${#setup_packages[@]}" -gt 0 ] || [ "${#setup_wheels[@]}" -gt 0 ]; then
    say "Missing, to be installed:"
    if [ "${#setup_packages[@]}" -gt 0 ]; then say "  packages: ${setup_packages[*]}"; fi
    if [ "${#setup_wheels[@]}" -gt 0 ]; then say "  Python wheels, into build/tools: ${setup_wheels[*]}"; fi
  fi
  if [ "${#setup_packages[@]}" -gt 0 ]; then install_packages; fi
  if [ "${#setup_wheels[@]}" -gt 0 ]; then install_wheels; fi
  if [ "$setup_kernels" = yes ]; then fetch_kernels; fi

  for group in "$@"; do
    if [ "$group" = cuda ]; then
      CUDACXX=$(find_nvcc) || die "nvcc is still missing"
      export CUDACXX
      say "nvcc: $CUDACXX ($(nvcc_version "$CUDACXX"))"
    fi
  done
}

has_gpu() { command -v nvidia-smi >/dev/null 2>&1 && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; }
