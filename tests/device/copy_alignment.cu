// SPDX-License-Identifier: Apache-2.0
// Copy cases over what a loader is promised of its addresses, and over cache operators.
#include "hows.cuh"

namespace tilepipe_test {
namespace {

template <class T, class Promise, class Edge, class Tile = tilepipe::Tile<T, 64>,
          class Team = tilepipe::Block<32>>
void promise(const std::string& name) {
  add_ring<typename Unforced<Team>::template With<Promise, Edge>, Tile, 2>("alignment/" + name +
                                                                           "-automatic");
  add_ring<typename Registers<Team>::template With<Promise, Edge>, Tile, 2>("alignment/" + name +
                                                                            "-registers");
}

const bool added = [] {
  using namespace tilepipe;
  promise<unsigned char, AnyAlignment, Exact>("any-1-exact");
  promise<unsigned char, AnyAlignment, ZeroFill>("any-1-zero_fill");
  promise<unsigned char, AnyAlignment, Skip>("any-1-skip");
  promise<unsigned short, AnyAlignment, ZeroFill>("any-2-zero_fill");
  promise<float, AnyAlignment, Exact>("any-4-exact");
  promise<unsigned char, AnyAlignment, ZeroFill, Tile<unsigned char, 3, 33>>(
      "any-1-rows-zero_fill");
  promise<unsigned char, AnyAlignment, Exact, Tile<unsigned char, 3, 40>, Specialized<32, 32>>(
      "any-1-rows-exact-roles");
  promise<unsigned char, AnyAlignment, ZeroFill, SwizzledTile<unsigned char, 4, 64>, Warp>(
      "any-1-swizzled-zero_fill-warp");
  promise<unsigned char, Aligned<1>, ZeroFill>("1-1-zero_fill");
  promise<unsigned short, Aligned<2>, Exact>("2-2-exact");
  promise<unsigned short, Aligned<4>, ZeroFill>("4-2-zero_fill");
  promise<unsigned short, Aligned<8>, Skip>("8-2-skip");
  promise<unsigned short, Aligned<16>, ZeroFill>("16-2-zero_fill");
#if TILEPIPE_TEST_ARCH >= 80
  using Team = Block<64>;
  using Line = Tile<float, 256>;
  add_ring<CpAsync<Team>::With<AnyAlignment, ZeroFill>, Tile<unsigned char, 64>, 2>(
      "alignment/any-1-zero_fill-cp_async");
  add_ring<CpAsyncMbarrier<Team>::With<AnyAlignment, ZeroFill>, Tile<unsigned char, 64>, 2>(
      "alignment/any-1-zero_fill-cp_async-mbarrier");
  add_ring<CpAsync<Team>::With<CacheAll>, Line, 2>("options/cache_all");
  add_ring<CpAsync<Team>::With<CacheGlobal, ZeroFill>, Line, 2>("options/cache_global");
  add_ring<CpAsync<Team>::With<L2Prefetch<64>>, Line, 2>("options/prefetch64");
  add_ring<CpAsync<Team>::With<L2Prefetch<128>, Aligned<8>>, Line, 2>("options/prefetch128");
  add_ring<CpAsync<Team>::With<L2Prefetch<256>, Skip>, Line, 2>("options/prefetch256");
#endif
#if TILEPIPE_TEST_ARCH >= 90
  using tilepipe::EvictFirst;
  using tilepipe::EvictLast;
  add_ring<Bulk<Team>::With<EvictFirst>, Line, 2>("options/evict_first-bulk");
  add_ring<Bulk<Team>::With<EvictLast, Skip>, Tile<float, 6, 64>, 2>("options/evict_last-bulk");
  add_ring<Tensor<Team>::With<EvictLast, ZeroFill>, Tile<float, 6, 64>, 2>(
      "options/evict_last-tensor");
#endif
  add_ring<Unforced<Block<64>>::With<Packed>, Tile<float, 4, 64>, 2>("options/packed");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
