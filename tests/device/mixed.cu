// SPDX-License-Identifier: Apache-2.0
// Unlike tiles in one stage, each with its own element, layout, edge and path; and rings in static
// shared memory.
#include "hows.cuh"
#include "special_kernels.hpp"

namespace tilepipe_test {

struct Mixed {
  tilepipe::Tile<float, mixed_rows, mixed_cols> zeros;
  tilepipe::Tile<unsigned char, mixed_bytes> any;
  tilepipe::SwizzledTile<unsigned short, mixed_half_rows, mixed_half_cols> half;
  tilepipe::Tile<float, mixed_line> line;
};

// The four parts of the output follow each other, each as copy_ring writes it. Dense sources for
// half and line.
template <class Team, int Stages, class... LineOptions>
__global__ void mixed(const float* zeros, const unsigned char* any, const unsigned short* half,
                      const float* line, unsigned char* zeros_out, unsigned char* any_out,
                      unsigned char* half_out, unsigned char* line_out, int* path,
                      MixedShape shape) {
  using Ring = tilepipe::Ring<Mixed, Stages>;
  using LineLoader = tilepipe::TileLoader<decltype(Mixed::line), LineOptions...>;
  Ring& ring = poisoned_ring<Ring, Team>();
  const Numbering number = numbering<Team>();
  tilepipe::TileLoader<decltype(Mixed::zeros), tilepipe::ZeroFill> load_zeros{
      zeros, shape.float_rows, shape.float_cols, shape.float_pitch};
  tilepipe::TileLoader<decltype(Mixed::any), tilepipe::AnyAlignment, tilepipe::ZeroFill> load_any{
      any, shape.byte_count};
  tilepipe::TileLoader<decltype(Mixed::half)> load_half{half, 1ll << 40, mixed_half_cols,
                                                        mixed_half_cols};
  LineLoader load_line{line};
  tilepipe::Pipeline pipe{ring, TeamOf<Team>::make(), load_zeros, load_any, load_half, load_line};
  if (pipe.rank() == 0 && blockIdx.x == 0) {
    using Way = How<Team, Automatic>;
    path[0] = static_cast<int>(taken_path<Way, decltype(load_zeros)>);
    path[1] = static_cast<int>(taken_path<Way, decltype(load_any)>);
    path[2] = static_cast<int>(taken_path<Way, decltype(load_half)>);
    path[3] = static_cast<int>(taken_path<Way, LineLoader>);
  }
  for (int pass = 0; pass < shape.passes; ++pass) {
    auto at = [&](long long t) { return number(t + pass * shape.tiles); };
    pipe.run(
        shape.tiles,
        [&](Mixed& s, long long t) {
          pipe.fill(load_line, s.line, at(t) * mixed_line);
          pipe.fill(load_zeros, s.zeros, at(t) * mixed_rows - 2, -4);
          pipe.fill(load_half, s.half, at(t) * mixed_half_rows, 0);
          pipe.fill(load_any, s.any, at(t) * mixed_bytes - 7);
        },
        [&](const Mixed& s, long long t) {
          put_tile(pipe, s.zeros, zeros_out, at(t));
          put_tile(pipe, s.any, any_out, at(t));
          put_tile(pipe, s.half, half_out, at(t));
          put_tile(pipe, s.line, line_out, at(t));
        });
  }
  pipe.close();
}

template <class Team, int Stages, class... LineOptions>
void add(const std::string& name) {
  SpecialCase c;
  c.name = "mixed/" + name;
  c.kernel = reinterpret_cast<const void*>(&mixed<Team, Stages, LineOptions...>);
  c.threads = TeamOf<Team>::threads;
  c.teams = TeamOf<Team>::teams;
  c.stages = Stages;
  c.shared_bytes = c.teams * sizeof(tilepipe::Ring<Mixed, Stages>);
  add_special_case(c);
}

// A swizzled tile of a mapped source behind one of 128 bytes, and gathered rows.
struct MixedBox {
  tilepipe::Tile<unsigned char, box_line> line;
  tilepipe::SwizzledTile<unsigned short, box_rows, box_cols> box;
  tilepipe::Tile<float, table_rows, table_cols> rows;
};
template <class Team, int Stages>
__global__ void mixed_box(
    const unsigned char* line, const float* table, const long long* index, unsigned char* line_out,
    unsigned char* box_out, unsigned char* rows_out, int* path, MixedBoxShape shape,
    const __grid_constant__ tilepipe::TensorSource<decltype(MixedBox::box)> boxes) {
  using Ring = tilepipe::Ring<MixedBox, Stages>;
  Ring& ring = poisoned_ring<Ring, Team>();
  const Numbering number = numbering<Team>();
  tilepipe::TileLoader<decltype(MixedBox::line)> load_line{line};
  tilepipe::TileLoader<decltype(MixedBox::box), tilepipe::Mapped, tilepipe::ZeroFill> load_box{
      boxes};
  tilepipe::TileLoader<decltype(MixedBox::rows), tilepipe::Gathered, tilepipe::ZeroFill> load_rows{
      table, shape.entries, table_cols, table_cols};
  tilepipe::Pipeline pipe{ring, TeamOf<Team>::make(), load_line, load_box, load_rows};
  if (pipe.rank() == 0 && blockIdx.x == 0) {
    using Way = How<Team, Automatic>;
    path[0] = static_cast<int>(taken_path<Way, decltype(load_line)>);
    path[1] = static_cast<int>(taken_path<Way, decltype(load_box)>);
    path[2] = static_cast<int>(taken_path<Way, decltype(load_rows)>);
  }
  pipe.run(
      shape.tiles,
      [&](MixedBox& s, long long t) {
        const long long* rows = index + number(t) * table_rows;
        pipe.fill(load_line, s.line, number(t) * box_line);
        pipe.fill(load_box, s.box, number(t) * box_rows - 3, -8);
        pipe.fill(
            load_rows, s.rows, [&](int r) { return tilepipe::index_t{rows[r]}; }, 0);
      },
      [&](const MixedBox& s, long long t) {
        put_tile(pipe, s.line, line_out, number(t));
        put_tile(pipe, s.box, box_out, number(t));
        put_tile(pipe, s.rows, rows_out, number(t));
      });
  pipe.close();
}
Argument box_source(DeviceAddress from, long long rows, long long cols) {
  using Box = decltype(MixedBox::box);
  return tensor_argument<Box>(tilepipe::Source<unsigned short, 2>::pitched(
      static_cast<const unsigned short*>(from.address), rows, cols, (cols + 7) / 8 * 8));
}
template <class Team, int Stages>
void add_box(const std::string& name) {
  SpecialCase c;
  c.name = "mixed_box/" + name;
  c.kernel = reinterpret_cast<const void*>(&mixed_box<Team, Stages>);
  c.threads = TeamOf<Team>::threads;
  c.stages = Stages;
  c.shared_bytes = sizeof(tilepipe::Ring<MixedBox, Stages>);
  c.tensor_source = &box_source;
  add_special_case(c);
}

// Two kernels with rings of their own in static shared memory, in one file.
template <class Tile, int Stages>
__global__ void static_ring(const unsigned char* in, unsigned char* out, int* report, Geometry g) {
  using Ring = tilepipe::Ring<OneTile<Tile>, Stages>;
  using Loader = tilepipe::TileLoader<Tile>;
  __shared__ Ring ring;
  poison_shared(&ring, sizeof ring);
  const Numbering number = numbering<tilepipe::Block<64>>();
  Loader load = make_loader<Loader>(in, g);
  tilepipe::Pipeline pipe{ring, load};
  report_types<How<tilepipe::Block<64>, Automatic>, Loader>(pipe, report);
  for (int pass = 0; pass < g.passes; ++pass)
    pipe.run(
        g.tiles,
        [&](OneTile<Tile>& s, long long t) {
          fill_from(pipe, load, s.x, g, number(t + pass * g.tiles));
        },
        [&](const OneTile<Tile>& s, long long t) {
          report_stage(pipe, ring, s, report, number(t + pass * g.tiles));
          put_tile(pipe, s.x, out, number(t + pass * g.tiles));
        });
  pipe.close();
}
template <class Tile, int Stages>
void add_static(const std::string& name) {
  CopyCase c = describe<How<tilepipe::Block<64>, Automatic>, Tile, Stages>(
      "static/" + name, reinterpret_cast<const void*>(&static_ring<Tile, Stages>));
  c.shared_bytes = 0;
  add_copy_case(c);
}

namespace {

const bool added = [] {
  add<tilepipe::Block<96>, 2>("block-2");
  add<tilepipe::Block<>, 3, Via<Path::registers>>("block-3-registers");
  add<tilepipe::Specialized<32, 64>, 2>("roles-2");
  add<tilepipe::Warp, 2, Via<Path::registers>>("warp-2-registers");
  add<tilepipe::Thread, 2>("thread-2");
#if TILEPIPE_TEST_ARCH >= 80
  add<tilepipe::Block<64>, 3, Via<Path::cp_async>>("block-3-cp_async");
#endif
#if TILEPIPE_TEST_ARCH >= 90
  add<tilepipe::Warp, 3, Via<Path::bulk>>("warp-3-bulk");
#endif
  add_box<tilepipe::Block<64>, 3>("block-3");
  add_box<tilepipe::Specialized<64, 64>, 2>("roles-2");
  add_static<tilepipe::Tile<float, 512>, 3>("line-3");
  add_static<tilepipe::SwizzledTile<unsigned short, 8, 64>, 2>("swizzled-2");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
