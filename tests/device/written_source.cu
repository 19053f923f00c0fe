// SPDX-License-Identifier: Apache-2.0
// A source that the same grid writes before it is loaded, and a user's own cp.async beside a
// pipeline.
#include "hows.cuh"
#include "special_kernels.hpp"

namespace tilepipe_test {

using WrittenTile = tilepipe::Tile<unsigned char, 256>;
constexpr int written_stages = 2;

// The block writes its tiles' bytes, orders them, and loads them.
template <class How, class Loader>
__device__ void write_and_load(Loader& load, unsigned char* source, unsigned char* out, int* path,
                               long long tiles) {
  using Ring = tilepipe::Ring<OneTile<WrittenTile>, written_stages>;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  const Numbering number = numbering<typename How::Team>();
  for (long long t = 0; t < tiles; ++t)
    for (int i = static_cast<int>(block_rank()); i < WrittenTile::size;
         i += static_cast<int>(block_threads())) {
      const long long at = number(t) * WrittenTile::size + i;
      source[at] = source_byte(at);
    }
  __threadfence();
  __syncthreads();
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        if (pipe.rank() == 0 && blockIdx.x == 0) *path = static_cast<int>(taken_path<How, Loader>);
        pipe.acquire_source();
        pipe.run(
            tiles,
            [&](OneTile<WrittenTile>& s, long long t) {
              pipe.fill(load, s.x, number(t) * WrittenTile::size);
            },
            [&](const OneTile<WrittenTile>& s, long long t) {
              put_tile(pipe, s.x, out, number(t));
            });
        pipe.close();
      },
      load);
}

template <class How>
__global__ void written_source(unsigned char* source, unsigned char* out, int* path,
                               long long tiles) {
  typename How::template Loader<WrittenTile> load{source};
  write_and_load<How>(load, source, out, path, tiles);
}
template <class How>
__global__ void written_mapped(unsigned char* source, unsigned char* out, int* path,
                               long long tiles,
                               const __grid_constant__ tilepipe::TensorSource<WrittenTile> mapped) {
  typename How::template Loader<WrittenTile> load{mapped};
  write_and_load<How>(load, source, out, path, tiles);
}
Argument written_argument(DeviceAddress from, long long, long long bytes) {
  return tensor_argument<WrittenTile>(tilepipe::Source<unsigned char, 1>::dense(
      static_cast<const unsigned char*>(from.address), bytes));
}

// In the compute body each thread copies 16 bytes by a cp.async of its own, in a group of its own.
template <class How>
__global__ void beside_own_copy(unsigned char* source, unsigned char* out, int* path,
                                long long tiles) {
#if TILEPIPE_TEST_ARCH >= 80
  using Ring = tilepipe::Ring<OneTile<WrittenTile>, written_stages>;
  using Loader = typename How::template Loader<WrittenTile>;
  __shared__ alignas(16) unsigned char own[64][16];
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  const Numbering number = numbering<typename How::Team>();
  Loader load{source};
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        if (pipe.rank() == 0 && blockIdx.x == 0) *path = static_cast<int>(taken_path<How, Loader>);
        pipe.run(
            tiles,
            [&](OneTile<WrittenTile>& s, long long t) {
              pipe.fill(load, s.x, number(t) * WrittenTile::size);
            },
            [&](const OneTile<WrittenTile>& s, long long t) {
              const int rank = pipe.rank();
              const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(own[rank]));
              const unsigned char* from = source + number(t) * WrittenTile::size + rank % 16 * 16;
              asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from)
                           : "memory");
              asm volatile("cp.async.commit_group;" ::: "memory");
              asm volatile("cp.async.wait_group 0;" ::: "memory");
              bool same = true;
              for (int b = 0; b < 16; ++b) same = same && own[rank][b] == from[b];
              if (same) put_tile(pipe, s.x, out, number(t));
            });
        pipe.close();
      },
      load);
#endif
}

namespace {

template <class How>
void add(const std::string& name, const void* kernel,
         decltype(SpecialCase::tensor_source) tensor_source = nullptr) {
  using Team = TeamOf<typename How::Team>;
  SpecialCase c;
  c.name = name;
  c.kernel = kernel;
  c.threads = Team::threads;
  c.teams = Team::teams;
  c.stages = written_stages;
  c.shared_bytes = Team::teams * sizeof(tilepipe::Ring<OneTile<WrittenTile>, written_stages>);
  c.cols = WrittenTile::size;
  c.tensor_source = tensor_source;
  add_special_case(c);
}

const bool added = [] {
  using Team = tilepipe::Block<64>;
#define TILEPIPE_TEST_ADD(name, how)                    \
  add<how<Team>>(std::string("acquire_source/") + name, \
                 reinterpret_cast<const void*>(&written_source<how<Team>>));
  TILEPIPE_TEST_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
#define TILEPIPE_TEST_ADD(name, how)                    \
  add<how<Team>>(std::string("acquire_source/") + name, \
                 reinterpret_cast<const void*>(&written_mapped<how<Team>>), &written_argument);
  TILEPIPE_TEST_MAPPED_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
#if TILEPIPE_TEST_ARCH >= 80
#define TILEPIPE_TEST_ADD(name, how)              \
  add<how<Team>>(std::string("own_copy/") + name, \
                 reinterpret_cast<const void*>(&beside_own_copy<how<Team>>));
  TILEPIPE_TEST_HOWS(TILEPIPE_TEST_ADD)
#endif
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
