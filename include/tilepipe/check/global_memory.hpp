// SPDX-License-Identifier: Apache-2.0
// Global memory of a checked launch: buffers with bounds, at addresses of their own.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace tilepipe::check {

using Address = std::uint64_t;

// Buffer k begins at (k + 1) << 32, so an address names its buffer, and no overrun meets the next.
class GlobalMemory {
 public:
  Address add(const void* data, std::size_t bytes) {
    const auto* from = static_cast<const unsigned char*>(data);
    buffers_.emplace_back(bytes, 0xff);
    if (from != nullptr && bytes != 0) std::memcpy(buffers_.back().data(), from, bytes);
    return static_cast<Address>(buffers_.size()) << 32;
  }
  template <class T>
  Address add(const std::vector<T>& data) {
    return add(data.data(), data.size() * sizeof(T));
  }
  // A buffer whose bytes are all ones.
  template <class T>
  Address add_output(std::size_t count) {
    return add(nullptr, count * sizeof(T));
  }
  // Nothing may access the buffer from now on; its address is not given again.
  void release(Address buffer) {
    const std::uint64_t n = (buffer >> 32) - 1;
    if (n < buffers_.size()) std::vector<unsigned char>().swap(buffers_[n]);
  }
  template <class T>
  std::vector<T> read(Address buffer) const {
    const std::vector<unsigned char>& from = buffers_.at((buffer >> 32) - 1);
    std::vector<T> to(from.size() / sizeof(T));
    if (!to.empty()) std::memcpy(to.data(), from.data(), to.size() * sizeof(T));
    return to;
  }

  // The bytes at an address, or null where they are not all inside one buffer.
  unsigned char* find(Address address, std::uint64_t bytes) {
    const std::uint64_t buffer = (address >> 32) - 1, at = address & 0xffffffffu;
    if (buffer >= buffers_.size() || at + bytes > buffers_[buffer].size()) return nullptr;
    return buffers_[buffer].data() + at;
  }
  // For messages.
  std::string describe(Address address) const {
    const std::uint64_t buffer = (address >> 32) - 1;
    if (buffer >= buffers_.size()) return "address " + std::to_string(address) + " of no buffer";
    return "byte " + std::to_string(static_cast<std::int32_t>(address & 0xffffffffu)) +
           " of buffer " + std::to_string(buffer) + ", which has " +
           std::to_string(buffers_[buffer].size());
  }

 private:
  std::vector<std::vector<unsigned char>> buffers_;
};

}  // namespace tilepipe::check
