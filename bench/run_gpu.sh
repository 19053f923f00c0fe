#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the benchmarks on the machine with the GPU: raw samples of each program, a log, clocks.
#
# Usage: bench/run_gpu.sh BUILD_FOLDER OUT_FOLDER [--quick]
# BUILD_FOLDER holds the programs (build/bench/bench); OUT_FOLDER gets NAME.jsonl, log.txt, clocks.csv.
# At most 8 minutes, or 2 with --quick. Exit status: how many programs failed.
set -u

if [ $# -lt 2 ]; then
  sed -n '3,8s/^# \{0,1\}//p' "$0"
  exit 2
fi
build=$1
out=$2
shift 2
mkdir -p "$out"
seconds=480
for argument; do
  [ "$argument" = --quick ] && seconds=120
done
end=$(($(date +%s) + seconds))

nvidia-smi --query-gpu=timestamp,name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,power.draw,temperature.gpu \
  --format=csv -lms 500 >"$out/clocks.csv" 2>&1 &
watcher=$!
trap 'kill $watcher 2>/dev/null' EXIT

rm -f "$out/log.txt"
failed=0
found=0
for name in stream_bench handshake_bench paths_bench gemm_bench stencil_bench sgemm_bench decode_bench gather_bench bytes_bench bgmv_bench store_bench stream_ptx80_bench; do
  program=$build/$name
  if [ ! -x "$program" ]; then
    echo "$name: not built, not run"
    continue
  fi
  found=$((found + 1))
  left=$((end - $(date +%s)))
  if [ "$left" -le 0 ]; then
    echo "$name: no time left"
    failed=$((failed + 1))
    continue
  fi
  begin=$(date +%s)
  rm -f "$out/$name.jsonl"
  LD_LIBRARY_PATH=$build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} timeout "$left" \
    "$program" --out="$out/$name.jsonl" "$@" >"$out/$name.log" 2>&1
  status=$?
  cat "$out/$name.log" >>"$out/log.txt"
  echo "$name: exit status $status, $(($(date +%s) - begin)) s," \
    "$(grep -c '"bench"' "$out/$name.jsonl" 2>/dev/null) rows"
  if [ "$status" -ne 0 ]; then
    failed=$((failed + 1))
    grep -E 'ERROR|wrong|error' "$out/$name.log" | head -20
  fi
  rm -f "$out/$name.log"
done
left=$((end - $(date +%s)))
if [ -e "$build/librows_torch.so" ] && [ "$left" -gt 0 ]; then
  rm -f "$out/rows_torch.jsonl"
  timeout "$left" python3 "$(dirname "$0")/../scripts/bench_torch.py" "$build/librows_torch.so" "$out/rows_torch.jsonl" "$@"
  status=$?
  [ "$status" -eq 0 ] || [ "$status" -eq 77 ] || failed=$((failed + 1))
fi
[ "$found" -gt 0 ] || { echo "no program in $build"; exit 1; }
exit "$failed"
