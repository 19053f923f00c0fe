// SPDX-License-Identifier: Apache-2.0
// Compares what a kernel wrote with what it should have, on the device, so that a launch costs
// microseconds: for runners that launch a kernel a thousand times.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <vector>

namespace test_support {

// The first difference of all comparisons, and how many there are.
struct Difference {
  unsigned long long number;
  unsigned launch, is, wanted;
  long long element;
};

__global__ void compare_words(const unsigned* out, const unsigned* wanted,
                              const unsigned char* checked, long long words, unsigned launch,
                              Difference* found) {
  for (long long i = blockIdx.x * 1ll * blockDim.x + threadIdx.x; i < words;
       i += 1ll * gridDim.x * blockDim.x)
    if (checked[i] && out[i] != wanted[i] && atomicAdd(&found->number, 1ull) == 0) {
      found->launch = launch;
      found->is = out[i];
      found->wanted = wanted[i];
      found->element = i;
    }
}

// Keeps its memory from one expectation to the next. `Require` is called with each error.
template <class Require>
class DeviceCompare {
 public:
  explicit DeviceCompare(Require require) : require_(require) {
    require_(cudaMalloc(&found_, sizeof(Difference)), "cudaMalloc");
  }

  void expect(const std::vector<unsigned>& wanted, const std::vector<unsigned char>& checked) {
    if (wanted.size() > size_) {
      require_(cudaFree(wanted_), "cudaFree");
      require_(cudaFree(checked_), "cudaFree");
      require_(cudaMalloc(&wanted_, wanted.size() * sizeof(unsigned)), "cudaMalloc");
      require_(cudaMalloc(&checked_, wanted.size()), "cudaMalloc");
      size_ = wanted.size();
    }
    words_ = static_cast<long long>(wanted.size());
    require_(cudaMemcpy(wanted_, wanted.data(), wanted.size() * sizeof(unsigned),
                        cudaMemcpyHostToDevice),
             "copy");
    require_(cudaMemcpy(checked_, checked.data(), checked.size(), cudaMemcpyHostToDevice), "copy");
    require_(cudaMemset(found_, 0, sizeof(Difference)), "memset");
  }

  // Behind the kernel in the stream.
  void compare(const unsigned* out, unsigned launch) {
    const auto blocks = static_cast<unsigned>(words_ / 1024 < 264 ? words_ / 1024 + 1 : 264);
    compare_words<<<blocks, 256>>>(out, wanted_, checked_, words_, launch, found_);
    require_(cudaGetLastError(), "comparison");
  }

  Difference found() {
    Difference first{};
    require_(cudaMemcpy(&first, found_, sizeof first, cudaMemcpyDeviceToHost), "copy");
    return first;
  }

 private:
  Require require_;
  unsigned* wanted_ = nullptr;
  unsigned char* checked_ = nullptr;
  Difference* found_ = nullptr;
  std::size_t size_ = 0;
  long long words_ = 0;
};

}  // namespace test_support
