// SPDX-License-Identifier: Apache-2.0
// Tiles through a ring of loads and a ring of stores.
#include "../mutants/kernels/kernels.cuh"

template <class Team, int Stages, int Slots>
__device__ void both_rings(Arguments v) {
  constexpr int teams = teams_of<Team>;
  __shared__ tilepipe::Ring<One<Vector>, Stages> arriving[teams];
  __shared__ tilepipe::StoreRing<Vector, Slots> leaving[teams];
  const int team = teams > 1 ? static_cast<int>(threadIdx.x) / 32 : 0;
  const long long first = (1ll * blockIdx.x * teams + team) * v.tiles;
  tilepipe::TileLoader<Vector> load{v.in};
  tilepipe::TileStorer<Vector> store{v.out};
  tilepipe::Pipeline pipe{arriving[team], Team{}, load};
  tilepipe::StorePipeline stores{leaving[team], Team{}, store};
  const auto run = [&](int begin, int end) {
    pipe.run(
        end - begin,
        [&](One<Vector>& s, int t) { pipe.fill(load, s.x, (first + begin + t) * Vector::size); },
        [&](const One<Vector>& s, int t) {
          Vector& y = stores.acquire();
          for (int i = pipe.rank(); i < Vector::size; i += pipe.size())
            y[i] = 3 * s.x[turned<Vector::size>(i)];
          stores.store((first + begin + t) * Vector::size);
        });
    if (!pipe.is_producer()) stores.drain();
  };
  run(0, v.tiles / 2);
  run(v.tiles / 2, v.tiles);
}

KERNEL(stores_1_slot__t128u1e512_exact, both_rings<tilepipe::Block<128>, 2, 1>)
KERNEL(stores_2_slots__t128u1e512_exact, both_rings<tilepipe::Block<128>, 2, 2>)
KERNEL(stores_3_slots__t128u1e512_exact, both_rings<tilepipe::Block<128>, 3, 3>)
KERNEL(stores_warp__t64u2e512_exact, both_rings<tilepipe::Warp, 2, 2>)
KERNEL(stores_roles__t128u1e512_exact, both_rings<tilepipe::Specialized<32, 96>, 2, 2>)
