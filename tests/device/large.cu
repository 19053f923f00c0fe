// SPDX-License-Identifier: Apache-2.0
// Sources of more than 2^31 elements, and tile counts beyond 32 bits.
#include "hows.cuh"
#include "special_kernels.hpp"

namespace tilepipe_test {

// Writes position-coded elements [first, first + count): the rest of the source stays as it is.
__global__ void large_fill(unsigned short* source, long long first, long long count) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count)
    source[first + i] = static_cast<unsigned short>(source_byte(first + i) |
                                                    source_byte((first + i) ^ 0x5555) << 8);
}

// Brings four 1-D tiles from element `first` on, zeros outside.
template <class How>
__global__ void large_line(const unsigned short* source, unsigned short* out, LargeShape shape) {
  using Tile = tilepipe::Tile<unsigned short, large_tile>;
  using Ring = tilepipe::Ring<OneTile<Tile>, 2>;
  using Loader = typename How::template Loader<Tile>;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  Loader load{source, shape.elements};
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        // The count is beyond 32 bits; compute stops after four.
        pipe.run((1ll << 34) + 1,
                 [&](OneTile<Tile>& s, long long t) {
                   pipe.fill(load, s.x, shape.first + t * large_tile);
                 },
                 [&](const OneTile<Tile>& s, long long t) {
                   for (int i = pipe.rank(); i < large_tile; i += pipe.size())
                     out[t * large_tile + i] = s.x[i];
                   return t == 3 ? tilepipe::stop : tilepipe::go;
                 });
        pipe.close();
      },
      load);
}

// Brings two 2-D tiles, rows shape.first.. and the next, of a source whose rows are short and many.
template <class How>
__global__ void large_rows(const unsigned short* source, unsigned short* out, LargeShape shape) {
  using Tile = tilepipe::Tile<unsigned short, 8, large_row>;
  using Ring = tilepipe::Ring<OneTile<Tile>, 2>;
  using Loader = typename How::template Loader<Tile>;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  Loader load{source, shape.rows, shape.cols, shape.cols};
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        pipe.run(
            2,
            [&](OneTile<Tile>& s, long long t) {
              pipe.fill(load, s.x, shape.first + t * 8, shape.cols - large_row);
            },
            [&](const OneTile<Tile>& s, long long t) {
              for (int i = pipe.rank(); i < Tile::size; i += pipe.size())
                out[t * Tile::size + i] = s.x[i];
            });
        pipe.close();
      },
      load);
}

namespace {

template <class Kernel>
void add(const std::string& name, Kernel* kernel, bool zero_fill) {
  SpecialCase c;
  c.name = "large/" + name;
  c.kernel = reinterpret_cast<const void*>(kernel);
  c.threads = 64;
  c.stages = 2;
  c.shared_bytes = 2 * large_tile * 2 + 1024;
  c.zero_fill = zero_fill;
  add_special_case(c);
}

const bool added = [] {
  using Team = tilepipe::Block<64>;
  using tilepipe::ZeroFill;
  add("fill", &large_fill, false);
  add("line-automatic", &large_line<Unforced<Team>::With<ZeroFill>>, true);
  add("line-registers", &large_line<Registers<Team>::With<ZeroFill>>, true);
  add("rows-automatic", &large_rows<Unforced<Team>::With<ZeroFill>>, true);
  add("rows-exact-automatic", &large_rows<Unforced<Team>>, false);
  add("rows-exact-registers", &large_rows<Registers<Team>>, false);
#if TILEPIPE_TEST_ARCH >= 90
  add("rows-exact-bulk", &large_rows<Bulk<Team>>, false);
#endif
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
