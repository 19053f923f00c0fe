#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs all mutants on a GPU: run_gpu.sh BUILD_DIR OUT_DIR [options of run_gpu.py].
# With a compiler, what build.py makes is made first where it is missing or old.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PATH="$PATH:/usr/local/cuda/bin" CUDA_CACHE_DISABLE=1
status=0
if command -v nvcc >/dev/null; then
  python3 "$here/build.py" --jobs "$(nproc)" "$1" || status=$?
fi
python3 "$here/run_gpu.py" "$@" || status=$?
exit "$status"
