// SPDX-License-Identifier: Apache-2.0
// drain() with stages that were filled and not waited for, one that was only acquired, and one that
// was filled and not committed; then the stages' memory is written, and used again.
#pragma once
#include "protocol_kernel.cuh"

namespace tilepipe_test {

// Each pass brings Stages tiles and uses g.stop_after of them. g.drain: 0: no more; 1: one more
// stage is acquired, 2: and filled, where a tile was used.
template <class How, int Stages>
__global__ void drop_filled(const unsigned char* in, unsigned char* out, int* report, Geometry g) {
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
        for (int pass = 0; pass < g.passes; ++pass) {
          steps.base = pass * g.tiles;
          if (produces)
            for (long long t = 0; t < g.tiles; ++t) steps.fetch(t);
          if (consumes)
            for (long long t = 0; t < g.stop_after; ++t) steps.eat(t);
          if (produces && g.drain > 0 && g.stop_after > 0) {
            LineStage& more = pipe.producer_acquire();
            if (g.drain == 2)  // with another tile than the one that may still be read there
              fill_from(pipe, load, more.x, g, steps.number(g.tiles * g.passes - 1));
          }
          pipe.drain();
          constexpr int threads = Team::threads / Team::teams;
          auto* bytes = reinterpret_cast<unsigned char*>(ring.stage);
          const int rank = static_cast<int>(block_rank()) % threads;
          for (int i = rank; i < static_cast<int>(sizeof ring.stage); i += threads) bytes[i] = 0x3C;
          pipe.resume();
        }
        pipe.close();
      },
      load);
}

template <class How>
void add_drop(const std::string& way) {
  add_copy_case(describe<How, Line, 1>("drop/" + way + "/1",
                                       reinterpret_cast<const void*>(&drop_filled<How, 1>)));
  add_copy_case(describe<How, Line, 3>("drop/" + way + "/3",
                                       reinterpret_cast<const void*>(&drop_filled<How, 3>)));
}

}  // namespace tilepipe_test
