#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs all mutants on a GPU: run_gpu.sh BUILD_DIR OUT_DIR. BUILD_DIR is what build.py made.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
exec python3 "$here/run_gpu.py" "$@"
