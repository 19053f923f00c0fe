// SPDX-License-Identifier: Apache-2.0
// How the patches of a product are shared out to blocks, some of them in slices along K.
#pragma once

namespace support {

// Of so many patches of so many steps along K the first `whole` as they are, each of the others cut
// into slices along K, whose sums are added up afterwards: slices of `least` steps, of which the
// first `more` have one more. Without edges that are filled with zeros, no more slices than steps.
struct Split {
  int patches, steps, whole, slices, least, more;
  int cut() const { return patches - whole; }
  int shares() const { return whole + cut() * slices; }
};
inline Split make_split(int patches, int steps, int whole, int slices) {
  return {patches, steps, whole, slices, steps / slices, steps % slices};
}

// What a kernel's blocks take, in any unit: for a step along K; to begin and end a patch; and for
// slices: once, for each slice of a patch, since these are added one after the other, and for each
// slice of each patch, which is written and read.
struct Costs {
  long long step, patch, adding, slice, part;
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
  PricedSplit best{make_split(patches, steps, patches, 1), before + (rest > 0 ? round(steps) : 0)};
  if (!may_cut || rest == 0) return best;
  for (int slices = 2; slices <= steps && slices <= blocks / rest; ++slices) {
    const long long adding = costs.adding + slices * (costs.slice + rest * costs.part);
    const long long cost = before + round((steps + slices - 1) / slices) + adding;
    if (cost < best.cost) best = {make_split(patches, steps, patches - rest, slices), cost};
  }
  return best;
}

}  // namespace support
