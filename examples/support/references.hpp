// SPDX-License-Identifier: Apache-2.0
// Random data, results computed by the CPU, and their comparison with a kernel's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace support {

// The same sequence on every machine (SplitMix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // 0 <= value < n.
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  // -1 <= value < 1, a multiple of 2^-23.
  float symmetric() { return static_cast<float>(bits() >> 40) * 0x1p-23f - 1.0f; }

 private:
  std::uint64_t state_;
};

inline std::vector<float> random_floats(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(n);
  for (float& v : values) v = random.symmetric();
  return values;
}

// Integers from -limit to limit.
template <class T>
std::vector<T> random_integers(std::size_t n, int limit, std::uint64_t seed) {
  Random random(seed);
  std::vector<T> values(n);
  for (T& v : values) v = static_cast<T>(random.below(2 * limit + 1) - limit);
  return values;
}

// A float rounded to the nearest bfloat16, ties to even; and back. No NaN.
inline std::uint16_t to_bf16(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, 4);
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
inline float from_bf16(std::uint16_t bits16) {
  const std::uint32_t bits = static_cast<std::uint32_t>(bits16) << 16;
  float value = 0;
  std::memcpy(&value, &bits, 4);
  return value;
}

// Whether the bytes of two arrays are the same; if not, says where they differ first.
template <class T>
bool same(const char* name, const std::vector<T>& got, const std::vector<T>& expected) {
  std::size_t wrong = 0, first = 0;
  const std::size_t n = got.size() < expected.size() ? got.size() : expected.size();
  for (std::size_t i = n; i-- > 0;) {
    if (std::memcmp(&got[i], &expected[i], sizeof(T)) == 0) continue;
    ++wrong;
    first = i;
  }
  if (wrong == 0 && got.size() == expected.size()) {
    std::printf("%s: right, %zu elements\n", name, n);
    return true;
  }
  if (got.size() != expected.size())
    std::printf("%s: WRONG: %zu elements, expected %zu\n", name, got.size(), expected.size());
  else
    std::printf("%s: WRONG: %zu of %zu elements; the first is %zu: %g, expected %g\n", name, wrong,
                n, first, static_cast<double>(got[first]), static_cast<double>(expected[first]));
  return false;
}

}  // namespace support
