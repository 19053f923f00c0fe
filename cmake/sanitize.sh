#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a device test under one tool of compute-sanitizer; exit 77 where there is no GPU or no sanitizer.
# What tests/device/sanitizer_exceptions.json lists for the build, which the binary's name ends with, is left out.
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

# memcheck runs every case but those that trap or write outside on purpose, with buffers that end where their
# allocations end; the slower tools run the cases tagged [sanitize].
filter='[sanitize]'
export TILEPIPE_TEST_TIGHT=1 TILEPIPE_TEST_SECONDS=120
TILEPIPE_TEST_EXCEPT=$(python3 "$(dirname "$0")/../tests/device/device_counts.py" --exceptions "$tool" "${binary##*_}")
export TILEPIPE_TEST_EXCEPT
set -- --error-exitcode 1
case $tool in
  memcheck) filter='~[support]~[checks]' && set -- "$@" --leak-check full ;;
  racecheck) set -- "$@" --racecheck-report all ;;
esac
exec "$sanitizer" --tool "$tool" "$@" "$binary" "$filter"
