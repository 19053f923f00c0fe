// SPDX-License-Identifier: Apache-2.0
// Threads that compute hand values to each other: what pipe.sync() is for, in every role and group.
#include "kernels.cuh"

template <class Team>
__device__ Team team() {
  if constexpr (Team::sharing == tilepipe::Sharing::turns)
    return Team{2};
  else if constexpr (Team::kind == tilepipe::TeamKind::group)
    return Team{Half{}};
  else
    return Team{};
}

template <class Team, class Policy, int Stages, class... Options>
__device__ void exchanged(Arguments v) {
  constexpr int size = Vector::size;
  constexpr bool turns = Team::sharing == tilepipe::Sharing::turns;
  constexpr int teams = teams_of<Team>;
  __shared__ tilepipe::Ring<One<Vector>, Stages> ring[teams];
  __shared__ Word between[teams * Team::groups][2][size];
  poison(ring, teams, v.seed);
  const int own = team_in_block<Team>();
  const long long first = 1ll * (blockIdx.x * teams + own) * v.tiles;
  tilepipe::TileLoader<Vector, Options...> load{v.in};
  tilepipe::Pipeline pipe{ring[own], team<Team>(), Policy{}, load};
  unsigned round = 0;
  pipe.run(
      v.tiles, [&](One<Vector>& s, int t) { pipe.fill(load, s.x, (first + t) * size); },
      [&](const One<Vector>& s, int t) {
        Word(&mine)[size] = between[own + pipe.group()][round++ % 2];
        maybe_late(v.seed, t, before_read);
        for (int i = pipe.rank(); i < size; i += pipe.size()) mine[i] = 3 * s.x[i];
        pipe.sync();
        maybe_late(v.seed, t, before_read + 8);
        const int groups = turns ? 1 : pipe.groups, group = turns ? 0 : pipe.group();
        for (int i = group * pipe.size() + pipe.rank(); i < size; i += groups * pipe.size())
          v.out[(first + t) * size + i] = mine[turned<size>(i)];
      });
}

using Block = tilepipe::Block<128>;
using Roles = tilepipe::Specialized<64, 64>;
using Groups = tilepipe::SpecializedGroups<32, 64, 2>;
using Turns = tilepipe::SpecializedTurns<32, 64, 2>;
KERNEL(exchange__t128u1e512_exact, exchanged<Block, By<groups>, 3, Via<registers>>)
KERNEL(exchange_halves__t128u2e512_exact, exchanged<HalfTeam, By<groups>, 3, Via<registers>>)
KERNEL(exchange_roles__t128u1e512_exact, exchanged<Roles, Default, 3, Via<registers>>)
KERNEL(exchange_groups__t160u1e512_exact, exchanged<Groups, Default, 3, Via<registers>>)
KERNEL(exchange_turns__t160u1e512_exact, exchanged<Turns, Default, 3, Via<registers>>)
