// SPDX-License-Identifier: Apache-2.0
// Position-coded data: what a byte is says where it came from. The same functions on host and
// device.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(__CUDACC__)
#define TILEPIPE_TEST_HD __host__ __device__
#else
#define TILEPIPE_TEST_HD
#endif

namespace tilepipe_test {

// Byte `i` of a source: neighbours differ, and so do bytes that are a power of two apart.
TILEPIPE_TEST_HD inline unsigned char source_byte(unsigned long long i) {
  unsigned long long x = (i + 1) * 0x9E3779B97F4A7C15ull;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9ull;
  return static_cast<unsigned char>(x >> 56);
}

// What a kernel under test adds to byte `byte` of element `element` of its tile number `tile`, so
// that data in the wrong place cannot look right.
TILEPIPE_TEST_HD inline unsigned char place_byte(long long tile, int element, int byte) {
  return static_cast<unsigned char>(tile * 73 + element * 29 + byte * 7 + 11);
}

// What shared memory holds before its first use, and global output before a launch.
constexpr unsigned char shared_poison = 0xA7;
constexpr unsigned char output_poison = 0x5C;

inline std::vector<unsigned char> source_bytes(std::size_t bytes) {
  std::vector<unsigned char> content(bytes);
  for (std::size_t i = 0; i < bytes; ++i) content[i] = source_byte(i);
  return content;
}

}  // namespace tilepipe_test
