// SPDX-License-Identifier: Apache-2.0
// Attention of one new token to those before it. K is waited for before V; keys beyond the end are
// skipped and masked, values beyond it are zeros; long sequences are split over blocks, and merged.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tilepipe/host/launch.hpp>
#include <tilepipe/tilepipe.cuh>

#include "support/attention.cuh"
#include "support/device.hpp"

namespace example {

inline constexpr int head_dim = 128;
inline constexpr int decode_warps = 4;
inline constexpr int decode_threads = 32 * decode_warps;
inline constexpr int tile_keys = 16 * decode_warps;  // of a stage: 16 for each warp

using KvTile = tilepipe::SwizzledTile<__half, tile_keys, head_dim>;
struct KvStage {
  KvTile k;
  KvTile v;
};
template <int Stages>
using KvRing = tilepipe::Ring<KvStage, Stages, 2>;  // a stage has two parts: K, and V
using KeyLoader = tilepipe::TileLoader<KvTile, tilepipe::Skip>;
using ValueLoader = tilepipe::TileLoader<KvTile, tilepipe::ZeroFill>;

// Rows of head_dim values without gaps, 16-byte aligned. Each head of K and V serves heads /
// kv_heads of q, at most 8.
struct Decode {
  const __half* q;   // heads
  const __half* k;   // kv_len x kv_heads
  const __half* v;   // kv_len x kv_heads
  __half* out;       // heads
  float* workspace;  // decode_workspace(heads, kv_heads) floats
  unsigned* done;    // kv_heads zeros, which are zeros again afterwards
  int kv_len, heads, kv_heads;
  float scale;  // of the products of q and k, before the softmax
  int chunk;    // keys of a block, a multiple of tile_keys: decode_attention() sets it
};

// Block (c, h): keys c * chunk and on of head h of K and V. Where there are several chunks, each
// block writes results and the logarithms of their totals, and the last one done merges them.
template <int Stages>
__global__ void __launch_bounds__(decode_threads, 2) decode_kernel(const Decode d) {
  extern __shared__ __align__(1024) unsigned char decode_memory[];
  auto& ring = *reinterpret_cast<KvRing<Stages>*>(decode_memory);
  const int chunk = blockIdx.x, kv_head = blockIdx.y, group = d.heads / d.kv_heads;
  const int first = chunk * d.chunk, keys = min(d.chunk, d.kv_len - first);
  const long long pitch = static_cast<long long>(d.kv_heads) * head_dim;
  KeyLoader load_k{d.k + kv_head * head_dim, d.kv_len, head_dim, pitch};
  ValueLoader load_v{d.v + kv_head * head_dim, d.kv_len, head_dim, pitch};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<decode_threads>{}, load_k, load_v};

  using Attention = support::WarpAttention<KvTile>;
  Attention attention(d.q + kv_head * group * head_dim, group, d.scale * 1.4426950409f);
  const int warp = pipe.rank() / 32, row = warp * Attention::keys;
  pipe.run((keys + tile_keys - 1) / tile_keys,
           [&](KvStage& s, int t) {
             pipe.fill(load_k, s.k, first + t * tile_keys, 0);
             pipe.producer_commit();  // the part of K
             pipe.fill(load_v, s.v, first + t * tile_keys, 0);
           },
           [&](const KvStage& s, int t) {
             attention.score(s.k, row, keys - t * tile_keys - row);
             pipe.consumer_wait();  // the part of V
             attention.add(s.v, row);
           });

  pipe.drain();  // the stages' memory is free
  auto& results =
      reinterpret_cast<support::WarpResults<Attention, decode_warps, head_dim>&>(ring.stage);
  static_assert(sizeof results <= sizeof ring.stage, "the warps' results fit in the ring");
  results.put(attention, warp);
  pipe.sync();
  // A warp for each head, four columns for each lane.
  const int chunks = gridDim.x, col = pipe.rank() % 32 * 4, first_head = kv_head * group;
  float* log_totals = d.workspace + static_cast<long long>(chunks) * d.heads * head_dim;
  const auto sum_at = [&](int c, int head) -> float4& {
    return *reinterpret_cast<float4*>(
        d.workspace + (static_cast<long long>(c) * d.heads + head) * head_dim + col);
  };
  for (int q = warp; q < group; q += decode_warps) {
    const int head = first_head + q;
    const support::Merged merged = support::merge(
        decode_warps, [&](int w) { return results.top[w][q]; },
        [&](int w) { return results.total[w][q]; },
        [&](int w) { return *reinterpret_cast<const float4*>(&results.sum[w][q][col]); });
    if (chunks == 1) {
      support::store_fp16(d.out + head * head_dim + col, merged.result);
    } else {
      sum_at(chunk, head) = merged.result;
      if (col == 0) log_totals[chunk * d.heads + head] = merged.log_total;
    }
  }
  if (chunks == 1 || !support::last_block(d.done + kv_head, chunks, results.last)) return;
  for (int head = first_head + warp; head < first_head + group; head += decode_warps) {
    const support::Merged merged = support::merge(
        chunks, [&](int c) { return log_totals[c * d.heads + head]; }, [](int) { return 1.0f; },
        [&](int c) { return sum_at(c, head); });
    support::store_fp16(d.out + head * head_dim + col, merged.result);
  }
}

// Parts that the keys of a head are split into at most, so that all blocks run at the same time.
inline int most_chunks(int kv_heads) {
  return std::max(1, 2 * support::multiprocessors() / kv_heads);
}
inline std::size_t decode_workspace(int heads, int kv_heads) {
  return static_cast<std::size_t>(most_chunks(kv_heads)) * heads * (head_dim + 1);
}

template <int Stages>
cudaError_t launch_decode(Decode d, int chunks, cudaStream_t stream) {
  constexpr int bytes = sizeof(KvRing<Stages>);
  // Once; a program with several devices does it for each.
  [[maybe_unused]] static const auto prepared =
      tilepipe::host::prepare(decode_kernel<Stages>, bytes);
  decode_kernel<Stages><<<dim3(chunks, d.kv_heads), decode_threads, bytes, stream>>>(d);
  return cudaGetLastError();
}

// Any kv_len; without keys the output is zeros. Throws where the heads are not as Decode says.
inline cudaError_t decode_attention(Decode d, cudaStream_t stream = nullptr) {
  const int group = d.kv_heads > 0 ? d.heads / d.kv_heads : 0;
  if (group < 1 || group > 8 || group * d.kv_heads != d.heads || d.kv_len < 0)
    throw std::invalid_argument(
        "example::decode_attention: " + std::to_string(d.heads) + " heads of q for " +
        std::to_string(d.kv_heads) + " of k and v with " + std::to_string(d.kv_len) +
        " keys; the former must be 1 to 8 times the latter, the keys not negative");
  const int tiles = (d.kv_len + tile_keys - 1) / tile_keys, most = most_chunks(d.kv_heads);
  const int tiles_of_each = std::max(1, (tiles + most - 1) / most);
  const int chunks = std::max(1, (tiles + tiles_of_each - 1) / tiles_of_each);
  d.chunk = tiles_of_each * tile_keys;
  static const bool three = support::shared_memory_limit() >= sizeof(KvRing<3>);
  return three ? launch_decode<3>(d, chunks, stream) : launch_decode<1>(d, chunks, stream);
}

}  // namespace example
