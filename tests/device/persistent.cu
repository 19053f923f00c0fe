// SPDX-License-Identifier: Apache-2.0
// One run over the tiles of several output tiles: while one of these is finished, the loading
// threads are in the next.
#include "hows.cuh"
#include "special_kernels.hpp"

namespace tilepipe_test {

constexpr int persistent_stages = 3;
using PersistentTile = tilepipe::Tile<unsigned, persistent_words>;

// sums[o][i] of the words i of output tile o's tiles. *loaded counts the tiles that were filled;
// ahead[o] is what it came to be while the last tile of o was held.
template <class How>
__global__ void persistent(const unsigned* in, unsigned* sums, int* loaded, int* ahead, int* path,
                           int outputs) {
  using Ring = tilepipe::Ring<OneTile<PersistentTile>, persistent_stages>;
  using Loader = typename How::template Loader<PersistentTile>;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  Loader load{in};
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        const int tiles = outputs * persistent_inner;
        unsigned sum = 0;
        if (pipe.rank() == 0) *path = static_cast<int>(taken_path<How, Loader>);
        pipe.run(
            tiles,
            [&](OneTile<PersistentTile>& s, int t) {
              pipe.fill(load, s.x, 1ll * t * persistent_words);
              if (block_rank() + 1 == block_threads()) atomicExch(loaded, t + 1);
            },
            [&](const OneTile<PersistentTile>& s, int t) {
              sum += s.x[pipe.rank()];
              if ((t + 1) % persistent_inner != 0) return;
              const int output = t / persistent_inner;
              if (pipe.rank() == 0) {
                const int last = t + persistent_stages < tiles ? t + persistent_stages : tiles;
                const long long start = clock64();  // at most about a tenth of a second
                while (atomicAdd(loaded, 0) < last && clock64() - start < 200000000) {}
                ahead[output] = atomicAdd(loaded, 0);
              }
              sums[output * persistent_words + pipe.rank()] = sum;
              sum = 0;
            });
        pipe.close();
      },
      load);
}

namespace {

template <class How>
void add(const std::string& name) {
  SpecialCase c;
  c.name = "persistent/roles-" + name;
  c.kernel = reinterpret_cast<const void*>(&persistent<How>);
  c.threads = TeamOf<typename How::Team>::threads;
  c.stages = persistent_stages;
  c.shared_bytes = sizeof(tilepipe::Ring<OneTile<PersistentTile>, persistent_stages>);
  add_special_case(c);
}

const bool added = [] {
  using Team = tilepipe::Specialized<32, persistent_words>;
  add<Unforced<Team>>("automatic");
#if TILEPIPE_TEST_ARCH >= 80
  add<CpAsyncMbarrier<Team>>("cp_async");
#endif
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
