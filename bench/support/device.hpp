// SPDX-License-Identifier: Apache-2.0
// The device under measurement: errors, buffers, random data, comparison on the device, clocks.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>

namespace bench {

// Prints `what` and the error, and ends the program: a benchmark has nothing to go on with.
void check(cudaError_t error, const char* what);

struct Device {
  std::string name;
  int multiprocessors;
  std::size_t l2_bytes;
  std::string driver;   // "580.65", empty if not known
  std::string runtime;  // "13.0"
};
const Device& device();

// Clocks and power as the driver's management library reads them now; -1 where it does not say.
struct Clocks {
  int sm_mhz;
  int memory_mhz;
  double watts;
  int celsius;
};
Clocks read_clocks();

// Device memory of `count` floats, freed with the object.
class Buffer {
 public:
  explicit Buffer(std::size_t count);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  float* data() const { return data_; }
  std::size_t count() const { return count_; }
  void poison();  // every byte 0xff: a NaN that no kernel here produces

 private:
  float* data_;
  std::size_t count_;
};

// Uniform in [0, 1), a function of index and seed.
void fill_random(Buffer& to, unsigned seed);

// Writes over twice the L2, so that the next kernel finds none of its data there.
void flush_l2();

// Keeps the stream busy while the host enqueues what is to be timed, so that the host's share of a
// launch is not timed with it.
void hold_stream();

// How many of `count` outputs differ, bit for bit, from W dependent FMAs and a doubling of the
// input (plus `also`, if given).
unsigned count_wrong(const float* in, const float* also, const float* out, std::size_t count,
                     int w);

// The same for a pitched matrix, whose padding has to be poison still.
unsigned count_wrong_matrix(const float* in, const float* out, int rows, int cols, long long pitch,
                            int w);

}  // namespace bench
