#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs every build of the device tests, and the sanitizers, on a machine with a GPU; counts go to device_counts.json.
# Usage, from the repository's root: tests/device/run_gpu.sh BUILD_DIR OUT_DIR
# With TILEPIPE_TEST_BUILD=1 it first builds the tests in BUILD_DIR (needs CMake, nvcc and Catch2). With
# TILEPIPE_TEST_NO_SANITIZERS=1 it leaves the sanitizers out.
set -u
build=$1
out=$2
here=$(dirname "$0")
mkdir -p "$out"
sanitizer=${COMPUTE_SANITIZER:-compute-sanitizer}
start=$(date +%s)

if [ "${TILEPIPE_TEST_BUILD:-}" != "" ]; then
  built=no
  if cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTILEPIPE_CUDA=ON \
    -DTILEPIPE_BUILD_EXAMPLES=OFF -DTILEPIPE_BUILD_BENCH=OFF >"$out/build.log" 2>&1; then
    if cmake --build "$build" --target tests_device >>"$out/build.log" 2>&1; then built=yes; fi
  fi
  if [ $built = no ]; then tail -n 40 "$out/build.log"; fi
  start=$(date +%s)
fi

binary() { find "$build" -type f \( -name "device_tests_$1" -o -name "device_$1" \) | head -n 1; }

# A build's whole suite: log NAME.log, results NAME.xml, exit status NAME.status.
suite() {
  status=127
  if [ -x "$(binary "$1")" ]; then
    status=0
    timeout 230 "$(binary "$1")" -r xml -o "$out/$1.xml" >"$out/$1.log" 2>&1 || status=$?
  fi
  echo "$status" >"$out/$1.status"
}

# A tool over a build: memcheck sees every case of the native build (its buffers end where their allocations end), else
# [sanitize]. What sanitizer_exceptions.json lists is left out, and counted.
sanitize() {
  tool=$1
  name=$tool-$2
  filter='[sanitize]'
  options=
  case $tool in
    memcheck) [ "$2" = native ] && filter='~[support]~[checks]' ;;
    racecheck) options='--racecheck-report all' ;;
  esac
  status=127
  if [ -x "$(binary "$2")" ] && command -v "$sanitizer" >/dev/null 2>&1; then
    status=0
    # shellcheck disable=SC2086
    TILEPIPE_TEST_EXCEPT=$(python3 "$here/device_counts.py" --exceptions "$tool" "$2") \
      TILEPIPE_TEST_TIGHT=1 TILEPIPE_TEST_SECONDS=120 timeout 440 "$sanitizer" --tool "$tool" $options \
      --print-limit 200 --error-exitcode 99 "$(binary "$2")" "$filter" >"$out/$name.log" 2>&1 || status=$?
  fi
  echo "$status" >"$out/$name.status"
}

# A right kernel that a tool complains of, or does not: TOOL KERNEL [BUILD].
probe() {
  name=$1-$2${3:+-$3}
  status=0
  "$sanitizer" --tool "$1" --error-exitcode 99 "$(binary "sanitizer_probes${3:+_$3}")" "$2" >"$out/$name.log" 2>&1 ||
    status=$?
  echo "$status" >"$out/$name.probe"
}

for name in native ptx75 ptx80 checks layout_fat register_split; do suite "$name" & done
wait
tests_end=$(date +%s)

if [ "${TILEPIPE_TEST_NO_SANITIZERS:-}" = "" ]; then
  for tool in memcheck racecheck synccheck initcheck; do
    for name in native ptx75 ptx80; do sanitize "$tool" "$name" & done
    if [ "$tool" = racecheck ]; then
      sanitize racecheck checks &
      wait
    fi
  done
  wait
  for name in partial_copy whole_copy; do probe memcheck $name; done
  for name in plain_pipeline token_barrier parity_barrier tested_barrier narrow_barrier counted_arrivals noinc_arrivals; do
    probe synccheck $name
  done
  for name in warp_barrier half_warp_barriers named_barriers elected_arrival; do probe racecheck $name; done
  for name in plain_pipeline token_barrier; do probe racecheck $name ptx75; done
fi
end=$(date +%s)

python3 "$here/device_counts.py" "$out" $((tests_end - start)) $((end - tests_end))
