#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a device test under one tool of compute-sanitizer; exit 77 where there is no GPU or no sanitizer.
# Usage: sanitize.sh memcheck|racecheck|synccheck|initcheck BINARY
set -eu
tool=$1
binary=$2

sanitizer=${COMPUTE_SANITIZER:-compute-sanitizer}
if ! command -v "$sanitizer" >/dev/null 2>&1; then
  echo "skipped: compute-sanitizer was not found"
  exit 77
fi
status=0
"$binary" "~*" >/dev/null 2>&1 || status=$?
if [ "$status" -eq 77 ]; then
  echo "skipped: no CUDA device"
  exit 77
fi

# memcheck runs every case, the slower tools the cases tagged [sanitize].
filter='[sanitize]'
set -- --error-exitcode 1
case $tool in
  memcheck) filter='*' && set -- "$@" --leak-check full ;;
  racecheck) set -- "$@" --racecheck-report all ;;
esac
exec "$sanitizer" --tool "$tool" "$@" "$binary" "$filter"
