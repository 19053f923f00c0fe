#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles two units and links them: a function that is defined in both, and not inline, is an error here.
# Usage: link_twice.sh NVCC INCLUDE_DIR true|false UNIT UNIT
set -eu
nvcc=$1
include_dir=$2
rdc=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for unit in "$4" "$5"; do
  "$nvcc" -std=c++17 -gencode=arch=compute_80,code=sm_80 -rdc="$rdc" -I"$include_dir" \
    -Werror=all-warnings -c "$unit" -o "$folder/$(basename "$unit").o"
done
"$nvcc" -gencode=arch=compute_80,code=sm_80 -rdc="$rdc" -cudart=static "$folder"/*.o -o "$folder/program"
# Without a launch the program needs no GPU.
"$folder/program"
