// SPDX-License-Identifier: Apache-2.0
// Kernels for what goes around run(): early stop, reuse of the storage, leaving, two pipelines in
// one kernel.
#pragma once
#include "protocol_kernel.cuh"

namespace tilepipe_test {

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
        report_types<How, Loader>(pipe, report);
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
        report_types<How, Loader>(pipe, report);
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
              report_types<How, Loader>(even, report);
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

// All tiles are brought, g.stop_after of them used; then the pipeline is left with tiles in flight.
template <class How, int Stages>
__global__ void leave_early(const unsigned char* in, unsigned char* out, int* report, Geometry g) {
  using Ring = tilepipe::Ring<LineStage, Stages>;
  using Loader = typename How::template Loader<Line>;
  using Team = TeamOf<typename How::Team>;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  Loader load = make_loader<Loader>(in, g);
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        using Pipe = std::remove_reference_t<decltype(pipe)>;
        report_types<How, Loader>(pipe, report);
        Steps<Team::specialized, Pipe, Loader, Ring> steps{
            pipe, load, ring, out, report, g, numbering<typename How::Team>(), 0};
        bool produces = true, consumes = true;
        if constexpr (Team::specialized) {
          produces = Team::produces();
          consumes = !produces;
        }
        if (produces)
          for (long long t = 0; t < g.tiles; ++t) steps.fetch(t);
        if (consumes)
          for (long long t = 0; t < g.stop_after; ++t) steps.eat(t);
        pipe.leave();
      },
      load);
}

template <class Kernel>
const void* address(Kernel* kernel) {
  return reinterpret_cast<const void*>(kernel);
}
template <class How>
void around(const std::string& way) {
  add_copy_case(describe<How, Line, 1>("stop/" + way + "/1", address(&early_stop<How, 1>)));
  add_copy_case(describe<How, Line, 3>("stop/" + way + "/3", address(&early_stop<How, 3>)));
  add_copy_case(describe<How, Line, 2>("reuse/" + way + "/2", address(&reuse<How, 2>)));
  add_copy_case(describe<How, Line, 3>("leave/" + way + "/3", address(&leave_early<How, 3>)));
}

}  // namespace tilepipe_test
