// SPDX-License-Identifier: Apache-2.0
// Embedding bags of rows of 64 B to 4 KiB: sums and means, with weights and without, of duplicate
// and absent rows, by indices of 32 and 64 bits; and indices that name no row are refused.
#include "04_gather_rows.cuh"

#include <cuda_fp16.h>

#include <vector>

#include "support/device.hpp"
#include "support/references.hpp"
#include "support/report.cuh"

using namespace example;

// Small integers, so that sums are exact in any order, in __half too.
template <class T>
static std::vector<T> table_of(std::size_t elements, unsigned seed) {
  support::Random random(seed);
  std::vector<T> values(elements);
  for (T& v : values) v = static_cast<T>(static_cast<float>(random.below(33) - 16));
  return values;
}

template <class T, class Index>
static std::vector<float> pooled(const std::vector<T>& table, int cols,
                                 const std::vector<Index>& index, const std::vector<float>* weight,
                                 const std::vector<long long>& first, Pooling pooling) {
  std::vector<float> out((first.size() - 1) * cols);
  for (std::size_t bag = 0; bag + 1 < first.size(); ++bag) {
    int count = 0;
    for (long long i = first[bag]; i < first[bag + 1]; ++i) {
      if (index[i] < 0) continue;
      ++count;
      for (int c = 0; c < cols; ++c)
        out[bag * cols + c] +=
            (weight != nullptr ? (*weight)[i] : 1.0f) *
            static_cast<float>(table[index[i] * static_cast<long long>(cols) + c]);
    }
    const float scale = pooling == Pooling::mean && count > 1 ? 1.0f / count : 1.0f;
    for (int c = 0; c < cols; ++c) out[bag * cols + c] *= scale;
  }
  return out;
}

template <class T, int Cols, class Index>
static bool check_bags(const char* name, int bags, int largest) {
  using Shape = BagShape<T, Cols, Index>;
  constexpr int rows = 997, offset = Shape::RowLoader::width / static_cast<int>(sizeof(T));
  support::Random random(40 + Cols);
  std::vector<long long> first(1, 0);
  for (int bag = 0; bag < bags; ++bag)  // one in four is empty
    first.push_back(first.back() + std::max(0, random.below(largest * 4 / 3 + 1) - largest / 3));
  std::vector<Index> index(first.back());
  for (Index& i : index) i = static_cast<Index>(random.below(rows + 100) - 100);
  for (Index& i : index) i = std::max<Index>(i, -1);
  std::vector<float> weight(index.size());
  for (float& w : weight) w = static_cast<float>(random.below(9) - 4);
  const std::vector<T> table = table_of<T>(static_cast<std::size_t>(rows) * Cols, Cols);
  tilepipe::host::check_rows<typename Shape::RowLoader>(index.data(), first.back(), rows);

  std::vector<T> shifted(offset);  // no more aligned than promised
  shifted.insert(shifted.end(), table.begin(), table.end());
  const support::Buffer<T> from(shifted);
  const support::Buffer<Index> indices(index);
  const support::Buffer<float> weights(weight);
  const support::Buffer<long long> firsts(first);
  support::Buffer<float> to(static_cast<std::size_t>(bags) * Cols);
  support::print_path<typename Shape::RowLoader>(name, support::running_arch(embedding_bag<Shape>));
  bool right = true;
  for (const Pooling pooling : {Pooling::sum, Pooling::mean})
    for (const bool weighted : {false, true}) {
      to.fill_bytes(0xff);
      support::check(pool_bags<Shape>({from.data() + offset, rows, indices.data(),
                                       weighted ? weights.data() : nullptr, firsts.data(), bags,
                                       first.back(), pooling, to.data()}),
                     name);
      support::check_kernel(name);
      const auto expected =
          pooled(table, Cols, index, weighted ? &weight : nullptr, first, pooling);
      right = support::same(name, to.to_host(), expected) && right;
    }
  return right;
}

// What the host says of an index that names no row, before anything is launched.
static bool check_refusal() {
  const std::vector<int> index{5, 996, -1, 997};
  try {
    using Shape = BagShape<float, 128, int>;
    tilepipe::host::check_rows<Shape::RowLoader>(index.data(), 4, 997);
  } catch (const tilepipe::host::Error& error) {
    std::printf("refused: %s\n", error.what());
    return true;
  }
  std::printf("WRONG: index 997 of 997 rows was not refused\n");
  return false;
}

int main() {
  const bool refused = check_refusal();
  if (!support::find_device()) return refused ? support::skipped : support::failed;
  bool right = refused;
  right = check_bags<float, 16, int>("rows of 64 B", 3000, 90) && right;
  right = check_bags<__half, 33, long long>("rows of 66 B", 300, 90) && right;
  right = check_bags<float, 17, int>("rows of 68 B", 300, 90) && right;
  right = check_bags<float, 128, int>("rows of 512 B", 20000, 60) && right;
  right = check_bags<float, 128, long long>("rows of 512 B, 64-bit indices", 5, 3000) && right;
  right = check_bags<float, 250, int>("rows of 1000 B", 1, 700) && right;
  right = check_bags<__half, 2048, int>("rows of 4 KiB", 500, 40) && right;
  return right ? support::passed : support::failed;
}
