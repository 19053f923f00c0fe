// SPDX-License-Identifier: Apache-2.0
// How fast does a staged stream run: against the same loop by hand, cuda::pipeline, CUB, no
// staging?
#include "stream/pipeline_rows.hpp"
#include "stream/tables.hpp"

namespace bench {
namespace {

Row stream_row(std::string name, std::string config, std::string peer) {
  return {
      std::move(name), std::move(config), "GB/s", StreamData::gigabytes, std::move(peer), {}, {}};
}

std::string w_name(int w) { return "W" + std::to_string(w); }

std::string describe(const Kernel& k, Grid grid) {
  return describe_tile(k.floats, k.stages) + ", 256 threads, " + describe(grid) + ", " +
         w_name(k.w);
}

Side device_copy() {
  Side side = stream_side("device copy", 0, [](const float* in, float* out) {
    check(cudaMemcpyAsync(out, in, StreamData::count * sizeof(float), cudaMemcpyDeviceToDevice),
          "cudaMemcpyAsync");
  });
  side.wrong = nullptr;  // it copies, and does not double
  return side;
}

void add_pair_rows(Rows& rows, const std::string& name, const std::vector<Pair>& pairs,
                   const std::string& peer) {
  for (const Pair& p : pairs) {
    const Kernel& first = p.ours.front();
    Row row = stream_row(name, first.name + ", " + describe(first, per_sm(p.blocks_per_sm)), peer);
    row.ours = stream_sides(p.ours, per_sm(p.blocks_per_sm));
    row.peers.push_back(stream_side(p.by_hand, per_sm(p.blocks_per_sm)));
    rows.add(std::move(row));
  }
}

void add_readme_rows(Rows& rows) {
  for (const int tiles : {128, 256}) {
    Row row = stream_row("stream_readme",
                         "16 KiB x 2, 256 threads, " + std::to_string(tiles) + " tiles/block, W64",
                         "stream_bench");
    row.ours.push_back(readme(tiles));
    row.peers = stream_sides(readme_peers(), tiles_per_block(tiles));
    rows.add(std::move(row));
  }
}

// Every kernel of a sweep in every grid that may be its best.
std::vector<Side> sweep_sides(const Kernels& kernels) {
  std::vector<Side> sides;
  for (const Kernel& k : kernels) {
    for (const int blocks : {1, 2, 4})
      if (blocks * (k.shared_bytes + 1024) <= 228 * 1024)
        sides.push_back(stream_side(k, per_sm(blocks), true));
    sides.push_back(stream_side(k, tiles_per_block(2 * k.stages), true));
  }
  return sides;
}

void add_w0_rows(Rows& rows) {
  Row persistent = stream_row("stream_w0_persistent",
                              "W0, at least 2 stages and twice as many tiles a block as stages",
                              "the better of device copy and CUB");
  persistent.ours = sweep_sides(sweep_w0());
  persistent.peers = {device_copy(), cub(0)};
  rows.add(persistent);

  Row any = stream_row("stream_w0_any", "W0, any", "the better of device copy and CUB");
  any.ours = persistent.ours;
  for (const Kernel& k : one_stage_w0())
    any.ours.push_back(stream_side(k, tiles_per_block(1), true));
  any.peers = {device_copy(), cub(0)};
  rows.add(std::move(any));
}

void add_w64_rows(Rows& rows) {
  const std::vector<Side> ours = sweep_sides(sweep_w64());
  Row against_cub = stream_row("stream_w64_cub", "W64, best", "cub::DeviceTransform");
  against_cub.ours = ours;
  against_cub.peers = {cub(64)};
  rows.add(std::move(against_cub));
  Row against_direct =
      stream_row("stream_w64_direct", "W64, best", "best direct kernel of a sweep");
  against_direct.ours = ours;
  against_direct.peers = direct_sweep_w64();
  rows.add(std::move(against_direct));
}

void add_register_rows(Rows& rows) {
  const Kernels found = registers();  // ours at W0 and W64, cp.async by hand at W0 and W64
  const Kernels loops = select(synchronous(), 4096, 2);
  Row against_loop =
      stream_row("stream_registers", describe(found[0], per_sm(1)), "synchronous loop");
  against_loop.ours = {stream_side(found[0], per_sm(1))};
  for (const Kernel& k : loops)
    if (k.w == 0) against_loop.peers.push_back(stream_side(k, per_sm(1)));
  rows.add(std::move(against_loop));
  Row against_slow_loop = stream_row("stream_registers_by_vector", describe(found[0], per_sm(1)),
                                     "synchronous loop, a vector at a time");
  against_slow_loop.ours = {stream_side(found[0], per_sm(1))};
  against_slow_loop.peers = {stream_side(synchronous_by_vector(), per_sm(1))};
  rows.add(std::move(against_slow_loop));
  for (int i = 0; i < 2; ++i) {
    Row row =
        stream_row("registers_vs_cp_async", describe(found[i], per_sm(1)), "cp.async by hand");
    row.ours = {stream_side(found[i], per_sm(1))};
    row.peers = {stream_side(found[i + 2], per_sm(1))};
    rows.add(std::move(row));
  }
}

// Producer and consumer warps against all threads in every role.
void add_role_rows(Rows& rows) {
  Row row = stream_row("stream_roles", "bulk, 16 KiB x 4, 256 computing threads, 2 blocks/SM, W64",
                       "the same unified");
  for (const Kernel& k : select(ours_w64(), 4096, 4)) {
    if (k.name == "bulk, mbarrier, Specialized<32, 256>")
      row.ours.push_back(stream_side(k, per_sm(2)));
    if (k.name == "bulk, mbarrier, Block<256>") row.peers.push_back(stream_side(k, per_sm(2)));
  }
  rows.add(std::move(row));
}

// Without a bound: the synchronous loops beside each configuration, and libcu++ behind the verbs.
void add_beside_rows(Rows& rows) {
  for (const PipelineConfig& c : pipeline_configs()) {
    for (const Kernel& loop : select(synchronous(), c.floats, c.stages)) {
      Row row =
          stream_row(loop.name == "synchronous copy" ? "stream_synchronous" : "stream_classic",
                     describe(loop, per_sm(c.blocks_per_sm)), loop.name);
      row.ours = stream_sides(select(loop.w == 0 ? ours_w0() : ours_w64(), c.floats, c.stages),
                              per_sm(c.blocks_per_sm));
      row.peers = {stream_side(loop, per_sm(c.blocks_per_sm))};
      rows.add(std::move(row));
    }
  }
  for (const Kernel& k : foreign()) {
    Row row = stream_row("stream_libcudacxx", describe(k, per_sm(2)), "cuda::pipeline");
    row.ours = {stream_side(k, per_sm(2))};
    row.peers = stream_sides(
        select(k.w == 0 ? pipelines_w0() : pipelines_w64(), k.floats, k.stages, "cuda::pipeline"),
        per_sm(2));
    rows.add(std::move(row));
  }
}

void add_curve_rows(Rows& rows) {
  for (const CurvePoint& p : curve()) {
    const std::string config = "16 KiB x 4, 256 threads, 2 blocks/SM, " + w_name(p.w);
    const std::vector<Side> ours = stream_sides(p.ours, per_sm(2));
    Row direct = stream_row("stream_curve_direct", config, "best of three direct kernels");
    direct.ours = ours;
    direct.peers = p.direct;
    rows.add(std::move(direct));
    Row loops = stream_row("stream_curve_synchronous", config, "better synchronous loop");
    loops.ours = ours;
    loops.peers = stream_sides(p.synchronous, per_sm(2));
    rows.add(std::move(loops));
    if (p.w != 0 && p.w != 16 && p.w != 64 && p.w != 256) continue;
    Row device = stream_row("stream_curve_cub", config, "cub::DeviceTransform");
    device.ours = ours;
    device.peers = {cub(p.w)};
    rows.add(std::move(device));
  }
}

// What the hand-written loop has to reach for the comparison to mean anything.
void add_anchor_rows(Rows& rows) {
  for (const Pair& p : handwritten_pairs()) {
    if (p.by_hand.name != "cp.async by groups" || p.by_hand.stages != 4 || p.blocks_per_sm != 2)
      continue;
    Row row = stream_row("anchor_w" + std::to_string(p.by_hand.w),
                         "by hand: " + describe(p.by_hand, per_sm(2)), "device copy");
    row.ours = {stream_side(p.by_hand, per_sm(2))};
    row.peers = {device_copy()};
    rows.add(std::move(row));
  }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Rows rows;
  bench::add_anchor_rows(rows);
  bench::add_readme_rows(rows);
  bench::add_pair_rows(rows, "stream_handwritten", bench::handwritten_pairs(), "by hand");
  bench::add_shape_rows(rows);
  bench::add_pipeline_rows(rows, "stream_cuda_pipeline");
  bench::add_w0_rows(rows);
  bench::add_w64_rows(rows);
  bench::add_register_rows(rows);
  bench::add_role_rows(rows);
  bench::add_pair_rows(rows, "stream_runtime_block", bench::runtime_blocks(), "Block<N>");
  bench::add_pair_rows(rows, "stream_runtime_block_unrolled", bench::runtime_blocks_unrolled(),
                       "Block<N>, its compute unrolled");
  bench::add_beside_rows(rows);
  bench::add_curve_rows(rows);
  return rows.run(argc, argv);
}
