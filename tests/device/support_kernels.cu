// SPDX-License-Identifier: Apache-2.0
// Kernels that misbehave on purpose: by them the tests' own instruments are tested.
#include <cstdio>

#include "copy_case.hpp"
#include "support/device_helpers.cuh"

namespace tilepipe_test {

__global__ void print_and_trap(int number) {
  printf("the trap says %d\n", number);
  __trap();
}
__global__ void never_ends(const volatile int* flag) {
  while (*flag == 0) {}
}
__global__ void write_at(unsigned char* to, long long offset) { to[offset] = 1; }
__global__ void does_nothing(const unsigned char*, unsigned char*, int*, Geometry) {}

// copy_ring's output for tiles of 64 bytes, except byte `Wrong` of the last tile.
template <int Wrong>
__global__ void copies_plainly(const unsigned char* in, unsigned char* out, int* report,
                               Geometry g) {
  const long long tile = blockIdx.x;
  const int i = static_cast<int>(threadIdx.x);
  const unsigned char value = in[tile * 64 + i] ^ place_byte(tile, i, 0);
  out[tile * 64 + i] = tile + 1 == gridDim.x && i == Wrong ? value ^ 1 : value;
  if (i == 0) report[report_words + tile] = 0;
}

const void* trap_kernel() { return reinterpret_cast<const void*>(&print_and_trap); }
const void* hang_kernel() { return reinterpret_cast<const void*>(&never_ends); }
const void* write_kernel() { return reinterpret_cast<const void*>(&write_at); }
const void* idle_kernel() { return reinterpret_cast<const void*>(&does_nothing); }
const void* plain_kernel(bool wrong) {
  return wrong ? reinterpret_cast<const void*>(&copies_plainly<63>)
               : reinterpret_cast<const void*>(&copies_plainly<-1>);
}

}  // namespace tilepipe_test
