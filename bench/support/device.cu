// SPDX-License-Identifier: Apache-2.0
// Buffers, random data, comparison on the device.
#include <cstdio>
#include <cstdlib>

#include "device.hpp"

namespace bench {
namespace {

constexpr unsigned poison_bits = 0xffffffffu;

__device__ unsigned hash(unsigned long long i) {
  unsigned h = static_cast<unsigned>(i) * 2654435761u ^ static_cast<unsigned>(i >> 32);
  h ^= h >> 15;
  h *= 2246822519u;
  return h ^ h >> 13;
}

__device__ size_t first() { return blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; }
__device__ size_t step() { return gridDim.x * static_cast<size_t>(blockDim.x); }

__device__ float expected(float v, int w) {
  float a = v;
  for (int i = 0; i < w; ++i) a = fmaf(a, 1.0001f, v);
  return a * 2.0f;
}

__global__ void randomize(float* p, size_t count, unsigned seed) {
  for (size_t i = first(); i < count; i += step())
    p[i] = (hash(i ^ static_cast<size_t>(seed) << 40) & 0xffffff) / 16777216.0f;
}

__global__ void compare(const float* in, const float* also, const float* out, size_t count, int w,
                        unsigned* wrong) {
  unsigned mine = 0;
  for (size_t i = first(); i < count; i += step()) {
    const float want = expected(in[i], w);
    mine += out[i] != (also ? want + also[i] : want);
  }
  if (mine) atomicAdd(wrong, mine);
}

__global__ void compare_matrix(const float* in, const float* out, int rows, int cols,
                               long long pitch, int w, unsigned* wrong) {
  unsigned mine = 0;
  for (size_t i = first(); i < static_cast<size_t>(rows * pitch); i += step()) {
    if (static_cast<long long>(i) % pitch < cols)
      mine += out[i] != expected(in[i], w);
    else
      mine += __float_as_uint(out[i]) != poison_bits;
  }
  if (mine) atomicAdd(wrong, mine);
}

__global__ void spin(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {}
}

class Counter {
 public:
  Counter() {
    check(cudaMalloc(&count_, sizeof *count_), "cudaMalloc");
    check(cudaMemset(count_, 0, sizeof *count_), "cudaMemset");
  }
  ~Counter() { cudaFree(count_); }
  unsigned* data() const { return count_; }
  unsigned read() const {
    unsigned value = 0;
    check(cudaGetLastError(), "comparison");
    check(cudaMemcpy(&value, count_, sizeof value, cudaMemcpyDeviceToHost), "comparison");
    return value;
  }

 private:
  unsigned* count_;
};

}  // namespace

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

Buffer::Buffer(std::size_t count) : count_(count) {
  check(cudaMalloc(&data_, count * sizeof(float)), "cudaMalloc");
}

Buffer::~Buffer() { cudaFree(data_); }

void Buffer::poison() { check(cudaMemset(data_, 0xff, count_ * sizeof(float)), "cudaMemset"); }

void fill_random(Buffer& to, unsigned seed) {
  randomize<<<device().multiprocessors * 8, 256>>>(to.data(), to.count(), seed);
  check(cudaDeviceSynchronize(), "random data");
}

void flush_l2() {
  static Buffer over(device().l2_bytes * 2 / sizeof(float));
  check(cudaMemsetAsync(over.data(), 0, over.count() * sizeof(float)), "cudaMemsetAsync");
}

void hold_stream() {
  constexpr long long cycles = 60000;  // some 30 us
  spin<<<1, 1>>>(cycles);
}

unsigned count_wrong(const float* in, const float* also, const float* out, std::size_t count,
                     int w) {
  Counter wrong;
  compare<<<device().multiprocessors * 8, 256>>>(in, also, out, count, w, wrong.data());
  return wrong.read();
}

unsigned count_wrong_matrix(const float* in, const float* out, int rows, int cols, long long pitch,
                            int w) {
  Counter wrong;
  compare_matrix<<<device().multiprocessors * 8, 256>>>(in, out, rows, cols, pitch, w,
                                                        wrong.data());
  return wrong.read();
}

}  // namespace bench
