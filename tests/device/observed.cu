// SPDX-License-Identifier: Apache-2.0
// An observer that counts what the pipeline tells it.
#include "hows.cuh"
#include "special_kernels.hpp"

namespace tilepipe_test {

// Counts of one thread: begin, acquire, issue, commit, wait_begin, wait_end, release, drain, end.
struct CountingObserver {
  int* counts;
  __device__ void begin(const tilepipe::PipelineInfo&) { ++counts[0]; }
  __device__ void acquire(int) { ++counts[1]; }
  __device__ void issue(int, int) { ++counts[2]; }
  __device__ void commit(int, int) { ++counts[3]; }
  __device__ void wait_begin(int, int) { ++counts[4]; }
  __device__ void wait_end(int, int) { ++counts[5]; }
  __device__ void release(int) { ++counts[6]; }
  __device__ void drain() { ++counts[7]; }
  __device__ void end() { ++counts[8]; }
};

// Every thread counts into nine words of its own.
template <class How>
__global__ void observed(const unsigned* in, int* counts, long long tiles) {
  using Tile = tilepipe::Tile<unsigned, 64>;
  using Ring = tilepipe::Ring<OneTile<Tile>, 3>;
  using Loader = typename How::template Loader<Tile>;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  Loader load{in};
  tilepipe::ObserveBy<CountingObserver> policy{};
  policy.observer.counts = counts + 9 * block_rank();
  tilepipe::Pipeline pipe{ring, TeamOf<typename How::Team>::make(), policy, load};
  pipe.run(
      tiles, [&](OneTile<Tile>& s, long long t) { pipe.fill(load, s.x, t * 64); },
      [&](const OneTile<Tile>&, long long) {});
  pipe.close();
}

namespace {

template <class How>
void add(const std::string& name) {
  using Team = TeamOf<typename How::Team>;
  SpecialCase c;
  c.name = "observed/" + name;
  c.kernel = reinterpret_cast<const void*>(&observed<How>);
  c.threads = Team::threads;
  c.shared_bytes = sizeof(tilepipe::Ring<OneTile<tilepipe::Tile<unsigned, 64>>, 3>);
  c.rows = Team::specialized ? 64 : 0;  // computing threads, where others load
  add_special_case(c);
}

const bool added = [] {
  add<Unforced<tilepipe::Block<64>>>("block-automatic");
  add<Registers<tilepipe::Block<64>>>("block-registers");
  add<Unforced<tilepipe::Specialized<32, 64>>>("roles-automatic");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
