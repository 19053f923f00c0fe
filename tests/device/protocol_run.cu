// SPDX-License-Identifier: Apache-2.0
// run() and what goes around it: parts, slices, early stop, reuse of the storage, sources written
// by the same grid.
#include "protocol_kernel.cuh"

namespace tilepipe_test {

struct PartStage {
  Line k;
  Line v;
};

// Tiles 2n and 2n + 1 of a team travel in stage n as two parts; the second is waited for after the
// first was used.
template <class How, int Stages>
__global__ void two_parts(const unsigned char* in, unsigned char* out, int* report, Geometry g) {
  using Ring = tilepipe::Ring<PartStage, Stages, 2>;
  using Loader = typename How::template Loader<Line>;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  const Numbering number = numbering<typename How::Team>();
  Loader load_k = make_loader<Loader>(in, g), load_v = make_loader<Loader>(in, g);
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        report_types<Loader>(pipe, report);
        for (int pass = 0; pass < g.passes; ++pass) {
          auto at = [&](long long t) { return 2 * number(t + pass * g.tiles); };
          pipe.run(
              g.tiles,
              [&](PartStage& s, long long t) {
                fill_from(pipe, load_k, s.k, g, at(t));
                pipe.producer_commit();
                maybe_delay(g.delay, t);
                fill_from(pipe, load_v, s.v, g, at(t) + 1);
              },
              [&](const PartStage& s, long long t) {
                put_tile(pipe, s.k, out, at(t));
                maybe_delay(g.delay, t);
                pipe.consumer_wait();
                put_tile(pipe, s.v, out, at(t) + 1);
              });
          if (g.drain != 0) pipe.drain();
        }
        pipe.close();
      },
      load_k, load_v);
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
        report_types<Loader>(pipe, report);
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

// compute says stop after g.stop_after tiles; the next pass begins as if nothing had been brought
// beyond.
template <class How, int Stages>
__global__ void early_stop(const unsigned char* in, unsigned char* out, int* report, Geometry g) {
  using Ring = tilepipe::Ring<LineStage, Stages>;
  using Loader = typename How::template Loader<Line>;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  const Numbering number = numbering<typename How::Team>();
  Loader load = make_loader<Loader>(in, g);
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        report_types<Loader>(pipe, report);
        for (int pass = 0; pass < g.passes; ++pass) {
          auto at = [&](long long t) { return number(t + pass * g.tiles); };
          pipe.run(
              g.tiles, [&](LineStage& s, long long t) { fill_from(pipe, load, s.x, g, at(t)); },
              [&](const LineStage& s, long long t) {
                maybe_delay(g.delay, t);
                report_stage(pipe, ring, s, report, at(t));
                put_tile(pipe, s.x, out, at(t));
                return t + 1 == g.stop_after ? tilepipe::stop : tilepipe::go;
              });
          if (g.drain != 0) pipe.drain();
        }
        pipe.close();
      },
      load);
}

// Between the passes the stages hold other data; after close() all of the ring does. compute may
// write its stage.
template <class How, int Stages>
__global__ void reuse(const unsigned char* in, unsigned char* out, int* report, Geometry g) {
  using Ring = tilepipe::Ring<LineStage, Stages>;
  using Loader = typename How::template Loader<Line>;
  using Team = TeamOf<typename How::Team>;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  const Numbering number = numbering<typename How::Team>();
  Loader load = make_loader<Loader>(in, g);
  auto scribble = [&](int bytes) {  // every thread of the team, computing or not
    const int rank = static_cast<int>(block_rank()) % (Team::threads / Team::teams);
    for (int i = rank; i < bytes; i += Team::threads / Team::teams)
      reinterpret_cast<unsigned char*>(&ring)[i] = 0x3C;
  };
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        report_types<Loader>(pipe, report);
        for (int pass = 0; pass < g.passes; ++pass) {
          auto at = [&](long long t) { return number(t + pass * g.tiles); };
          pipe.run(
              g.tiles, [&](LineStage& s, long long t) { fill_from(pipe, load, s.x, g, at(t)); },
              [&](LineStage& s, long long t) {
                maybe_delay(g.delay, t);
                report_stage(pipe, ring, s, report, at(t));
                put_tile(pipe, s.x, out, at(t));
                pipe.sync();
                for (int i = pipe.rank(); i < Line::size; i += pipe.size()) s.x[i] = 0xDEADBEEFu;
              });
          pipe.drain();
          scribble(sizeof(ring.stage));
          pipe.resume();
        }
        pipe.close();
        scribble(sizeof(Ring));
      },
      load);
}

// Even tiles by one pipeline, odd ones by another of another completion or path.
template <class How, class Other, int Stages>
__global__ void two_pipelines(const unsigned char* in, unsigned char* out, int* report,
                              Geometry g) {
  using Ring = tilepipe::Ring<LineStage, Stages>;
  using Loader = typename How::template Loader<Line>;
  using OtherLoader = typename Other::template Loader<Line>;
  poison_shared(dynamic_shared, 2 * sizeof(Ring));
  Ring* rings = reinterpret_cast<Ring*>(dynamic_shared);
  const Numbering number = numbering<typename How::Team>();
  Loader load = make_loader<Loader>(in, g);
  OtherLoader other_load = make_loader<OtherLoader>(in, g);
  with_pipeline<How>(
      rings[0],
      [&](auto& even) {
        with_pipeline<Other>(
            rings[1],
            [&](auto& odd) {
              report_types<Loader>(even, report);
              auto fetch = [&](long long t) {
                if (t >= g.tiles) return;
                LineStage& a = even.producer_acquire();
                fill_from(even, load, a.x, g, 2 * number(t));
                even.producer_commit();
                LineStage& b = odd.producer_acquire();
                fill_from(odd, other_load, b.x, g, 2 * number(t) + 1);
                odd.producer_commit();
              };
              for (int t = 0; t < Stages; ++t) fetch(t);
              for (long long t = 0; t < g.tiles; ++t) {
                const LineStage& a = even.consumer_wait();
                maybe_delay(g.delay, t);
                const LineStage& b = odd.consumer_wait();
                put_tile(even, a.x, out, 2 * number(t));
                put_tile(odd, b.x, out, 2 * number(t) + 1);
                odd.consumer_release();
                even.consumer_release();
                fetch(t + Stages);
              }
              odd.close();
            },
            other_load);
        even.close();
      },
      load);
}

namespace {

CopyCase paired(CopyCase c) {
  c.tiles_per_step = 2;
  c.spaced = true;
  return c;
}
template <class Kernel>
const void* address(Kernel* kernel) {
  return reinterpret_cast<const void*>(kernel);
}

template <class How, int Stages>
void add_parts(const std::string& way) {
  add_copy_case(paired(describe<How, Line, Stages, 2, PartStage>(
      "parts/" + way + "/" + std::to_string(Stages), address(&two_parts<How, Stages>))));
}
template <class How>
void around(const std::string& way) {
  add_copy_case(describe<How, Line, 3>("slices/run-" + way, address(&slices<How, 3, false>)));
  add_copy_case(describe<How, Line, 1>("stop/" + way + "/1", address(&early_stop<How, 1>)));
  add_copy_case(describe<How, Line, 3>("stop/" + way + "/3", address(&early_stop<How, 3>)));
  add_copy_case(describe<How, Line, 2>("reuse/" + way + "/2", address(&reuse<How, 2>)));
  add_copy_case(describe<How, Line, 3>("reuse/" + way + "/3", address(&reuse<How, 3>)));
  add_parts<How, 2>(way);
  add_parts<How, 3>(way);
}
template <class How>
void unified(const std::string& way) {
  around<How>(way);
  add_copy_case(describe<How, Line, 3>("slices/verbs-" + way, address(&slices<How, 3, true>)));
}
template <class How, class Other>
void two(const std::string& name) {
  CopyCase c =
      paired(describe<How, Line, 2>("two/" + name, address(&two_pipelines<How, Other, 2>)));
  c.shared_bytes *= 2;
  add_copy_case(c);
}

const bool added = [] {
  using Team = tilepipe::Block<64>;
#define TILEPIPE_TEST_ADD(name, how) unified<how<Team>>(name);
  TILEPIPE_TEST_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
#define TILEPIPE_TEST_ADD(name, how) \
  around<how<tilepipe::Specialized<32, 64>>>(std::string("roles-") + name);
  TILEPIPE_TEST_SPECIALIZED_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
  unified<Unforced<tilepipe::Warp>>("warp-automatic");
  two<Registers<Team>, Registers<Team>>("registers-registers");
#if TILEPIPE_TEST_ARCH >= 80
  two<CpAsyncGroups<Team>, CpAsyncGroups<Team>>("groups-groups");
  two<CpAsyncGroups<Team>, CpAsyncMbarrier<Team>>("groups-mbarrier");
  two<CpAsyncMbarrier<Team>, CpAsyncGroups<Team>>("mbarrier-groups");
  two<CpAsyncMbarrier<Team>, CpAsyncMbarrier<Team>>("mbarrier-mbarrier");
  two<Registers<Team>, CpAsyncGroups<Team>>("registers-groups");
#endif
#if TILEPIPE_TEST_ARCH >= 90
  two<Bulk<Team>, CpAsyncGroups<Team>>("bulk-groups");
  two<Bulk<Team>, Bulk<Team>>("bulk-bulk");
  two<Bulk<Team>, Registers<Team>>("bulk-registers");
#endif
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
