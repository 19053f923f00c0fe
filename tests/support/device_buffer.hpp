// SPDX-License-Identifier: Apache-2.0
// Device memory with guard bytes on both sides, at any alignment.
#pragma once
#include <cstdlib>
#include <string>
#include <vector>

#include "launch.hpp"

namespace tilepipe_test {

using Bytes = std::vector<unsigned char>;

// With TILEPIPE_TEST_TIGHT=1 buffers end where their allocations end, without guards, so that
// memcheck sees the first byte read outside.
inline bool tight_buffers() {
  static const bool tight = std::getenv("TILEPIPE_TEST_TIGHT") != nullptr;
  return tight;
}

class DeviceBuffer {
 public:
  // The first byte lies `misalignment` bytes (0..255) past a multiple of 256. The allocation of a
  // tight buffer ends at a multiple of end_granule bytes.
  explicit DeviceBuffer(std::size_t bytes, std::size_t misalignment = 0, unsigned char fill = 0xE5,
                        std::size_t end_granule = 1)
      : size_(bytes),
        front_(tight_buffers() ? misalignment : guard + misalignment),
        back_(tight_buffers() ? (end_granule - (front_ + bytes) % end_granule) % end_granule
                              : guard) {
    allocation_ = static_cast<unsigned char*>(backend().allocate(front_ + size_ + back_));
    backend().set(allocation_, guard_byte, front_ + size_ + back_);
    backend().set(data(), fill, size_);
  }
  explicit DeviceBuffer(const Bytes& content, std::size_t misalignment = 0,
                        std::size_t end_granule = 1)
      : DeviceBuffer(content.size(), misalignment, 0xE5, end_granule) {
    backend().write(data(), content.data(), size_);
  }
  ~DeviceBuffer() { backend().deallocate(allocation_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  unsigned char* data() const { return allocation_ + front_; }
  std::size_t size() const { return size_; }
  DeviceAddress address(std::size_t offset = 0) const { return {data() + offset, size_ - offset}; }

  void fill(unsigned char byte) { backend().set(data(), byte, size_); }
  void write(const Bytes& content) { backend().write(data(), content.data(), content.size()); }
  Bytes read() const {
    Bytes content(size_);
    backend().read(content.data(), data(), size_);
    return content;
  }

  // Empty, or where the first guard byte changed.
  std::string broken_guard() const {
    Bytes all(front_ + size_ + back_);
    backend().read(all.data(), allocation_, all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool outside = i < front_ || i >= front_ + size_;
      if (outside && all[i] != guard_byte)
        return "guard byte changed at " +
               std::to_string(static_cast<long long>(i) - static_cast<long long>(front_)) +
               " of a buffer of " + std::to_string(size_);
    }
    return "";
  }

 private:
  static constexpr std::size_t guard = 256;
  static constexpr unsigned char guard_byte = 0xB7;

  std::size_t size_;
  std::size_t front_;
  std::size_t back_;
  unsigned char* allocation_ = nullptr;
};

}  // namespace tilepipe_test
