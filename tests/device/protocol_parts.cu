// SPDX-License-Identifier: Apache-2.0
// Stages handed over in parts, and tiles brought in slices.
#include "protocol_kernel.cuh"

namespace tilepipe_test {

struct PartStage {
  Line k;
  Line v;
};

// Tiles 2n and 2n + 1 of a team travel in stage n: as two parts, of which the second is waited for
// after the first was used, or as one; by a loader each, or both by the same, which fills twice.
template <class How, int Stages, int Parts, bool OneLoader>
__global__ void two_tiles(const unsigned char* in, unsigned char* out, int* report, Geometry g) {
  using Ring = tilepipe::Ring<PartStage, Stages, Parts>;
  using Loader = typename How::template Loader<Line>;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  const Numbering number = numbering<typename How::Team>();
  Loader load_k = make_loader<Loader>(in, g), other = make_loader<Loader>(in, g);
  Loader& load_v = OneLoader ? load_k : other;
  auto bring = [&](auto& pipe) {
    report_types<How, Loader>(pipe, report);
    for (int pass = 0; pass < g.passes; ++pass) {
      auto at = [&](long long t) { return 2 * number(t + pass * g.tiles); };
      pipe.run(
          g.tiles,
          [&](PartStage& s, long long t) {
            fill_from(pipe, load_k, s.k, g, at(t));
            if constexpr (Parts == 2) pipe.producer_commit();
            maybe_delay(g.delay, t);
            fill_from(pipe, load_v, s.v, g, at(t) + 1);
          },
          [&](const PartStage& s, long long t) {
            put_tile(pipe, s.k, out, at(t));
            maybe_delay(g.delay, t);
            if constexpr (Parts == 2) pipe.consumer_wait();
            put_tile(pipe, s.v, out, at(t) + 1);
          });
      if (g.drain != 0) pipe.drain();
    }
    pipe.close();
  };
  if constexpr (OneLoader)
    with_pipeline<How>(ring, bring, load_k);
  else
    with_pipeline<How>(ring, bring, load_k, load_v);
}

// Each tile is brought in four slices: the first two by run's load, or all by verbs between steps
// of the compute.
template <class How, int Stages, bool ByVerbs>
__global__ void slices(const unsigned char* in, unsigned char* out, int* report, Geometry g) {
  using Ring = tilepipe::Ring<LineStage, Stages>;
  using Loader = typename How::template Loader<Line>;
  using tilepipe::slice;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  const Numbering number = numbering<typename How::Team>();
  Loader load = make_loader<Loader>(in, g);
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        report_types<How, Loader>(pipe, report);
        for (int pass = 0; pass < g.passes; ++pass) {
          auto at = [&](long long t) { return number(t + pass * g.tiles); };
          auto first = [&](long long t) { return place_of<Line>(g, at(t)).at[2]; };
          auto use = [&](const LineStage& s, long long t) {
            maybe_delay(g.delay, t);
            report_stage(pipe, ring, s, report, at(t));
            put_tile(pipe, s.x, out, at(t));
          };
          if constexpr (ByVerbs) {
            auto open = [&](long long t) -> LineStage& {
              LineStage& s = pipe.producer_acquire();
              pipe.fill(slice<0, 4>, load, s.x, first(t));
              pipe.fill(slice<1, 4>, load, s.x, first(t));
              return s;
            };
            auto finish = [&](LineStage& s, long long t) {
              pipe.fill(slice<2, 4>, load, s.x, first(t));
              pipe.fill(slice<3, 4>, load, s.x, first(t));
              pipe.producer_commit();
            };
            for (long long t = 0; t < Stages - 1 && t < g.tiles; ++t) finish(open(t), t);
            for (long long t = 0; t < g.tiles; ++t) {
              const LineStage& s = pipe.consumer_wait();
              const long long next = t + Stages - 1;
              if (next < g.tiles) {
                LineStage& refill = open(next);
                use(s, t);
                finish(refill, next);
              } else {
                use(s, t);
              }
              pipe.consumer_release();
            }
          } else {
            pipe.run(
                g.tiles,
                [&](LineStage& s, long long t) {
                  maybe_delay(g.delay, t);
                  pipe.fill(slice<1, 2>, load, s.x, first(t));
                  pipe.fill(slice<0, 2>, load, s.x, first(t));
                },
                use);
          }
          if (g.drain != 0) pipe.drain();
        }
        pipe.close();
      },
      load);
}

namespace {

template <class How, int Stages, int Parts = 2, bool OneLoader = false>
void add_parts(const std::string& way) {
  CopyCase c = describe<How, Line, Stages, Parts, PartStage>(
      "parts/" + way + "/" + std::to_string(Stages),
      reinterpret_cast<const void*>(&two_tiles<How, Stages, Parts, OneLoader>));
  c.tiles_per_step = 2;
  c.spaced = true;
  add_copy_case(c);
}
// Both tiles of a stage by one loader.
template <class How>
void add_twice(const std::string& way) {
  add_parts<How, 1, 1, true>("twice-" + way);
  add_parts<How, 3, 1, true>("twice-" + way);
  add_parts<How, 2, 2, true>("twice-parts-" + way);
}
template <class How, bool ByVerbs>
void add_slices(const std::string& way) {
  add_copy_case(describe<How, Line, 3>("slices/" + way,
                                       reinterpret_cast<const void*>(&slices<How, 3, ByVerbs>)));
}
template <class How>
void unified(const std::string& way) {
  add_parts<How, 2>(way);
  add_twice<How>(way);
  add_slices<How, false>("run-" + way);
  add_slices<How, true>("verbs-" + way);
}

// More threads than chunks: some have nothing on its way.
using RolesOf64 = Registers<tilepipe::Specialized<64, 96>>;

const bool added = [] {
  using Team = tilepipe::Block<64>;
#define TILEPIPE_TEST_ADD(name, how) unified<how<Team>>(name);
  TILEPIPE_TEST_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
#define TILEPIPE_TEST_ADD(name, how)                                              \
  add_parts<how<tilepipe::Specialized<32, 64>>, 2>(std::string("roles-") + name); \
  add_twice<how<tilepipe::Specialized<32, 64>>>(std::string("roles-") + name);    \
  add_slices<how<tilepipe::Specialized<32, 64>>, false>(std::string("run-roles-") + name);
  TILEPIPE_TEST_ROLES_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
  add_twice<RolesOf64>("roles-64-registers");
  unified<Unforced<tilepipe::Warp>>("warp-automatic");
  add_parts<Unforced<Team>, 1>("automatic");
  add_parts<Unforced<Team>, 4>("automatic");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
