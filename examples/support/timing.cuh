// SPDX-License-Identifier: Apache-2.0
// The time of a launch, by events.
#pragma once

#include <algorithm>
#include <vector>

#include "device.hpp"

namespace support {

class EventTimer {
 public:
  EventTimer() {
    check(cudaEventCreate(&begin_), "cudaEventCreate");
    check(cudaEventCreate(&end_), "cudaEventCreate");
  }
  ~EventTimer() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  // Milliseconds that what launch() puts into the default stream takes.
  template <class Launch>
  float milliseconds(Launch&& launch) {
    check(cudaEventRecord(begin_), "cudaEventRecord");
    launch();
    check(cudaEventRecord(end_), "cudaEventRecord");
    check(cudaEventSynchronize(end_), "cudaEventSynchronize");
    float elapsed = 0;
    check(cudaEventElapsedTime(&elapsed, begin_, end_), "cudaEventElapsedTime");
    return elapsed;
  }

 private:
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

// The median of some launches, after one that is not counted.
template <class Launch>
float median_milliseconds(Launch&& launch, int launches = 15) {
  EventTimer timer;
  timer.milliseconds(launch);
  std::vector<float> times;
  for (int i = 0; i < launches; ++i) times.push_back(timer.milliseconds(launch));
  std::nth_element(times.begin(), times.begin() + launches / 2, times.end());
  return times[launches / 2];
}

}  // namespace support
