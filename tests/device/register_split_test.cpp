// SPDX-License-Identifier: Apache-2.0
// Registers of roles are split where the target has setmaxnreg, and not where it has not: the sums
// of a computing thread then are in registers that its launch did not give it, or are spilled.
#include "special_kernels.hpp"
#include "support/catch.hpp"
#include "support/device_buffer.hpp"

using namespace tilepipe_test;

namespace {

std::vector<unsigned> expected_sums(const std::vector<unsigned>& in, int tiles) {
  std::vector<unsigned> out(static_cast<std::size_t>(split_sums) * split_threads);
  for (int rank = 0; rank < split_threads; ++rank) {
    std::vector<unsigned> sum(split_sums);
    for (int i = 0; i < split_sums; ++i) sum[i] = static_cast<unsigned>(i);
    for (int t = 0; t < tiles; ++t)
      for (int i = 0; i < split_sums; ++i)
        sum[i] = split_next(sum[i], sum[(i * 7 + 3) % split_sums],
                            in[static_cast<std::size_t>(t * split_tile + split_place(i, rank))]);
    for (int i = 0; i < split_sums; ++i) out[i * split_threads + rank] = sum[i];
  }
  return out;
}

template <class T>
std::vector<T> words(const DeviceBuffer& buffer) {
  const Bytes raw = buffer.read();
  std::vector<T> found(raw.size() / sizeof(T));
  std::memcpy(found.data(), raw.data(), raw.size());
  return found;
}

}  // namespace

TEST_CASE("roles have the registers that setmaxnreg gives them where the target has it",
          "[device]") {
  REQUIRE(special_cases("split").size() == 2);
  constexpr int tiles = 9;
  const Bytes content = source_bytes(tiles * split_tile * sizeof(unsigned));
  const DeviceBuffer in(content);
  const std::vector<unsigned> expected = expected_sums(words<unsigned>(in), tiles);
  for (const SpecialCase& c : special_cases("split")) {
    INFO(c.name);
    const DeviceBuffer out(expected.size() * sizeof(unsigned)), splits(sizeof(int));
    launch(make_launch(c.name, c.kernel, Dim{4, 1, 1}, Dim{static_cast<unsigned>(c.threads), 1, 1},
                       0, in.address(), out.address(), splits.address(), tiles));
    CHECK((words<unsigned>(out) == expected));
    const KernelInfo info = backend().info(c.kernel);
    CHECK(info.registers == 168);
    const bool has = c.name == "split/90a";
    CHECK(words<int>(splits)[0] == (has ? 1 : 0));
    CHECK((info.local_bytes == 0) == has);
  }
}
