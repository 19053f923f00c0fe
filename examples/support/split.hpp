// SPDX-License-Identifier: Apache-2.0
// How the patches of a product are shared out to blocks, some of them in slices along K.
#pragma once

namespace support {

// Of so many patches the first `whole` as they are, each of the others cut into slices along K,
// whose sums are added up afterwards.
struct Split {
  int patches, whole, slices;
  int cut() const { return patches - whole; }
  int shares() const { return whole + cut() * slices; }
};

// What a kernel's blocks take, in any unit: for a step along K; to begin and end a patch; and,
// once, for slices, whose sums are written, read and added.
struct Costs {
  long long step, patch, slices;
};

struct PricedSplit {
  Split split;
  long long cost;
};

// The split of least cost for `blocks` blocks, all at work at the same time, and patches of `steps`
// steps. After rounds of whole patches, one for each block, those that are left may be cut, into no
// more slices than make one round, each of one step at least.
inline PricedSplit choose_split(int patches, int steps, int blocks, const Costs& costs,
                                bool may_cut) {
  const int rest = patches % blocks;
  const long long rounds = patches / blocks;
  const auto round = [&](long long of) { return of * costs.step + costs.patch; };
  const long long before = rounds * round(steps);
  PricedSplit best{{patches, patches, 1}, before + (rest > 0 ? round(steps) : 0)};
  if (!may_cut || rest == 0) return best;
  for (int slices = 2; slices <= steps && slices <= blocks / rest; ++slices) {
    const long long cost = before + round((steps + slices - 1) / slices) + costs.slices;
    if (cost < best.cost) best = {{patches, patches - rest, slices}, cost};
  }
  return best;
}

}  // namespace support
