// SPDX-License-Identifier: Apache-2.0
// Kernels that call the verbs in every order that is logically right. Each writes what copy_ring
// writes.
#pragma once
#include "hows.cuh"

namespace tilepipe_test {

using Line = tilepipe::Tile<unsigned, 64>;
using LineStage = OneTile<Line>;

// What the kernels share: one loader, one pipeline, and tile number n in and out by verbs.
template <bool Roles, class Pipe, class Loader, class Ring>
struct Steps {
  Pipe& pipe;
  Loader& load;
  Ring& ring;
  unsigned char* out;
  int* report;
  const Geometry& g;
  Numbering number;
  long long base;  // of this pass

  __device__ void fetch(long long n) {
    LineStage& s = pipe.producer_acquire();
    if constexpr (Roles)
      maybe_delay(g.delay, n);  // elsewhere the same threads are late when they use
    fill_from(pipe, load, s.x, g, number(base + n));
    pipe.producer_commit();
  }
  __device__ void fetch_or_empty(long long n) {  // past the last tile an empty stage is handed over
    LineStage& s = pipe.producer_acquire();
    if (n < g.tiles) fill_from(pipe, load, s.x, g, number(base + n));
    pipe.producer_commit();
  }
  __device__ void use(const LineStage& s, long long n) {
    maybe_delay(g.delay, n);
    report_stage(pipe, ring, s, report, number(base + n));
    put_tile(pipe, s.x, out, number(base + n));
  }
  __device__ void eat(long long n) {
    use(pipe.consumer_wait(), n);
    pipe.consumer_release();
  }
};

// Order has run(steps, stages): a static function that brings and uses tiles 0..tiles-1 of one
// pass.
template <class How, class Order, int Stages>
__global__ void by_verbs(const unsigned char* in, unsigned char* out, int* report, Geometry g) {
  using Ring = tilepipe::Ring<LineStage, Stages>;
  using Loader = typename How::template Loader<Line>;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  Loader load = make_loader<Loader>(in, g);
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        using Pipe = std::remove_reference_t<decltype(pipe)>;
        report_types<How, Loader>(pipe, report);
        Steps<TeamOf<typename How::Team>::specialized, Pipe, Loader, Ring> steps{
            pipe, load, ring, out, report, g, numbering<typename How::Team>(), 0};
        for (int pass = 0; pass < g.passes; ++pass) {
          steps.base = pass * g.tiles;
          if constexpr (TeamOf<typename How::Team>::specialized) {
            if (TeamOf<typename How::Team>::produces())
              Order::template produce<Stages>(steps);
            else
              Order::template consume<Stages>(steps);
          } else {
            Order::template both<Stages>(steps);
          }
          if (g.drain != 0 || Order::leaves_empty_stages) pipe.drain();
        }
        pipe.close();
      },
      load);
}

// ---- orders ----

struct OrderBase {
  static constexpr bool leaves_empty_stages = false;
  template <int Stages, class S>
  static __device__ void produce(S& s) {
    for (long long t = 0; t < s.g.tiles; ++t) s.fetch(t);
  }
  template <int Stages, class S>
  static __device__ void consume(S& s) {
    for (long long t = 0; t < s.g.tiles; ++t) s.eat(t);
  }
};

// acquire, fill, commit, wait, use, release: one tile at a time.
struct SingleStage : OrderBase {
  template <int Stages, class S>
  static __device__ void both(S& s) {
    for (long long t = 0; t < s.g.tiles; ++t) {
      s.fetch(t);
      s.eat(t);
    }
  }
};
// One tile ahead: prologue, then acquire, fill, commit of the next, wait, use, release of this.
struct DoubleBuffer : OrderBase {
  template <int Stages, class S>
  static __device__ void both(S& s) {
    if (s.g.tiles > 0) s.fetch(0);
    for (long long t = 0; t < s.g.tiles; ++t) {
      if (t + 1 < s.g.tiles) s.fetch(t + 1);
      s.eat(t);
    }
  }
};
// wait, acquire, fill, commit, use, release, with Stages - 1 tiles ahead.
struct WaitFirst : OrderBase {
  template <int Stages, class S>
  static __device__ void both(S& s) {
    for (long long t = 0; t < Stages - 1 && t < s.g.tiles; ++t) s.fetch(t);
    for (long long t = 0; t < s.g.tiles; ++t) {
      const LineStage& stage = s.pipe.consumer_wait();
      if (t + Stages - 1 < s.g.tiles) s.fetch(t + Stages - 1);
      s.use(stage, t);
      s.pipe.consumer_release();
    }
  }
};
// The same with empty commits past the end; drain() gives them back.
struct EmptyTail : OrderBase {
  static constexpr bool leaves_empty_stages = true;
  template <int Stages, class S>
  static __device__ void both(S& s) {
    for (long long t = 0; t < Stages - 1; ++t) s.fetch_or_empty(t);
    for (long long t = 0; t < s.g.tiles; ++t) {
      const LineStage& stage = s.pipe.consumer_wait();
      s.fetch_or_empty(t + Stages - 1);
      s.use(stage, t);
      s.pipe.consumer_release();
    }
  }
};
// wait, use, release, then refill: Stages tiles ahead.
struct RefillLast : OrderBase {
  template <int Stages, class S>
  static __device__ void both(S& s) {
    for (long long t = 0; t < Stages && t < s.g.tiles; ++t) s.fetch(t);
    for (long long t = 0; t < s.g.tiles; ++t) {
      s.eat(t);
      if (t + Stages < s.g.tiles) s.fetch(t + Stages);
    }
  }
};
// All stages are filled, then all are used.
struct Bursts : OrderBase {
  template <int Stages, class S>
  static __device__ void both(S& s) {
    for (long long t = 0; t < s.g.tiles; t += Stages) {
      for (long long u = t; u < t + Stages && u < s.g.tiles; ++u) s.fetch(u);
      for (long long u = t; u < t + Stages && u < s.g.tiles; ++u) s.eat(u);
    }
  }
};
// Bursts of changing length: the number of copies in flight is no loop constant.
struct Uneven : OrderBase {
  template <int Stages, class S>
  static __device__ void both(S& s) {
    long long fetched = 0;
    for (long long t = 0; t < s.g.tiles; ++t) {
      const long long ahead = 1 + t % Stages;
      while (fetched < s.g.tiles && fetched < t + ahead) s.fetch(fetched++);
      s.eat(t);
    }
  }
};
// A window: Held stages are waited for and not released; a tile is used when it is the oldest of
// them.
template <int Held>
struct Window : OrderBase {
  template <int Stages, class S>
  static __device__ void consume(S& s) {
    walk<Stages>(s, [](long long) {});
  }
  template <int Stages, class S>
  static __device__ void both(S& s) {
    static_assert(Stages > Held, "a stage must be left to fill");
    for (long long t = 0; t < Stages && t < s.g.tiles; ++t) s.fetch(t);
    walk<Stages>(s, [&](long long t) {
      if (t + Stages < s.g.tiles) s.fetch(t + Stages);
    });
  }
  // After tile t is waited for, the window is t - Held + 1 .. t; its oldest is used and released.
  template <int Stages, class S, class Refill>
  static __device__ void walk(S& s, Refill refill) {
    const LineStage* held[Held] = {};
    for (long long t = 0; t < s.g.tiles + Held - 1; ++t) {
      const LineStage* newest = t < s.g.tiles ? &s.pipe.consumer_wait() : nullptr;
#pragma unroll
      for (int i = 0; i + 1 < Held; ++i) held[i] = held[i + 1];
      held[Held - 1] = newest;
      if (t - (Held - 1) < 0) continue;
      s.use(*held[0], t - (Held - 1));
      s.pipe.consumer_release();
      refill(t - (Held - 1));
    }
  }
};
// The consumer overwrites what it has read: the refill has to be ordered after these writes.
struct Overwrite : OrderBase {
  template <class S>
  static __device__ void eat(S& s, long long t) {
    LineStage& stage = s.pipe.consumer_wait(tilepipe::writable);
    s.use(stage, t);
    s.pipe.sync();
    for (int i = s.pipe.rank(); i < Line::size; i += s.pipe.size()) stage.x[i] = 0xDEADBEEFu;
    s.pipe.consumer_release();
  }
  template <int Stages, class S>
  static __device__ void consume(S& s) {
    for (long long t = 0; t < s.g.tiles; ++t) eat(s, t);
  }
  template <int Stages, class S>
  static __device__ void both(S& s) {
    for (long long t = 0; t < Stages && t < s.g.tiles; ++t) s.fetch(t);
    for (long long t = 0; t < s.g.tiles; ++t) {
      eat(s, t);
      if (t + Stages < s.g.tiles) s.fetch(t + Stages);
    }
  }
};

template <class How, class Order, int Stages>
void add_verbs(const std::string& name) {
  add_copy_case(
      describe<How, Line, Stages>(name + "/" + std::to_string(Stages),
                                  reinterpret_cast<const void*>(&by_verbs<How, Order, Stages>)));
}

}  // namespace tilepipe_test
