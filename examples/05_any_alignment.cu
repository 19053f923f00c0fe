// SPDX-License-Identifier: Apache-2.0
// Copies between every pair of alignments, of lengths from 0 on and around the ends of tiles; no
// byte outside is written, and none is touched, beside memory that is not mapped.
#include "05_any_alignment.cuh"

#include <cstring>
#include <vector>

#include "support/guarded.hpp"
#include "support/references.hpp"
#include "support/report.cuh"

using namespace example;
using Bytes = std::vector<unsigned char>;
using SmallShape = ByteShape<1024, 3, tilepipe::Block<64>>;

static Bytes random_bytes(std::size_t n, unsigned seed) {
  support::Random random(seed);
  Bytes bytes(n);
  for (unsigned char& b : bytes) b = static_cast<unsigned char>(random.bits());
  return bytes;
}

// All 256 pairs of offsets, each with its own piece of two large buffers; all of the second is
// compared, with what lies between the pieces.
template <class Shape>
static bool check_pairs(const std::vector<long long>& lengths) {
  for (const long long length : lengths) {
    const std::size_t piece = static_cast<std::size_t>(length) / 256 * 256 + 512;
    const Bytes source = random_bytes(256 * piece, static_cast<unsigned>(length));
    Bytes expected(source.size(), 0xa5);
    const support::Buffer<unsigned char> from(source);
    support::Buffer<unsigned char> to(source.size());
    to.fill_bytes(0xa5);
    for (std::size_t pair = 0; pair < 256; ++pair) {
      const std::size_t f = pair * piece + 64 + pair / 16, t = pair * piece + 64 + pair % 16;
      support::check(copy_bytes<Shape>(to.data() + t, from.data() + f, length), "copy_bytes");
      if (length > 0) std::memcpy(&expected[t], &source[f], static_cast<std::size_t>(length));
    }
    support::check_kernel("copy_bytes");
    if (to.to_host() == expected) continue;
    std::printf("%lld bytes: WRONG for some pair of offsets\n", length);
    return false;
  }
  std::printf("256 pairs of offsets, %zu lengths up to %lld B: right\n", lengths.size(),
              lengths.back());
  return true;
}

// Runs that begin or end where the mapped memory does, or up to 15 bytes beside.
template <class Shape>
static bool check_guard_pages() {
  const support::GuardedPage from, to;
  const Bytes source = random_bytes(static_cast<std::size_t>(from.end() - from.begin()), 5);
  support::check(cudaMemcpy(from.begin(), source.data(), source.size(), cudaMemcpyHostToDevice),
                 "cudaMemcpy");
  int copies = 0;
  for (const int length : {1, 16, 33, Shape::bytes + 15, Shape::bytes + 46, 5 * Shape::bytes + 7})
    for (int beside = 0; beside < 16; ++beside)
      for (const bool at_end : {false, true})
        for (const bool to_end : {false, true}) {
          const unsigned char* f = at_end ? from.end() - length - beside : from.begin() + beside;
          unsigned char* t = to_end ? to.end() - length - beside / 3 : to.begin() + beside / 3;
          support::check(copy_bytes<Shape>(t, f, length), "copy_bytes");
          support::check_kernel("copy_bytes beside memory that is not mapped");
          Bytes got(static_cast<std::size_t>(length));
          support::check(cudaMemcpy(got.data(), t, got.size(), cudaMemcpyDeviceToHost),
                         "cudaMemcpy");
          if (std::memcmp(got.data(), &source[static_cast<std::size_t>(f - from.begin())],
                          got.size()) != 0) {
            std::printf("%d bytes beside a guard page: WRONG\n", length);
            return false;
          }
          ++copies;
        }
  std::printf("%d copies beside memory that is not mapped: right\n", copies);
  return true;
}

int main() {
  using Shape = CopyShape;
  support::print_path<tilepipe::TileLoader<Shape::Tile>>("tiles", 90);
  if (!support::find_device()) return support::skipped;
  std::vector<long long> small, large;
  for (int length = 0; length <= 67; ++length) small.push_back(length);
  for (const int tiles : {1, 2, 3, 4, 7})  // around the ends of tiles, with head and halo
    for (const int beside : {-1, 0, 1, 15, 16, 17, 30, 31, 32, 46, 47})
      small.push_back(tiles * SmallShape::bytes + beside);
  for (const int beside : {-1, 0, 16, 31, 46}) large.push_back(Shape::bytes + beside);
  large.push_back(5 * Shape::bytes + 12345);
  bool right = check_pairs<SmallShape>(small);
  right = check_pairs<Shape>(large) && right;
  right = check_guard_pages<SmallShape>() && right;
  right = check_guard_pages<Shape>() && right;
  return right ? support::passed : support::failed;
}
