// SPDX-License-Identifier: Apache-2.0
// Tensor maps as the checker reads them, and which global bytes a box has. What the driver writes
// into a map is not documented, and there may be no driver: so the maps of a checked launch are
// made here.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "../core/tensor_map.hpp"
#include "../core/tensor_rules.hpp"
#include "global_memory.hpp"
#include "ptx_text.hpp"

namespace tilepipe::check {

// What a map says, the fastest dimension first, as coordinates are given.
struct TensorLayout {
  static constexpr std::uint64_t mark_of_maps = 0x74696c6570697065;  // no map of a driver's has it

  std::uint64_t mark = 0;
  Address address = 0;           // of element 0 of every dimension
  std::uint64_t stride[5] = {};  // bytes; the first is the element's size
  std::uint32_t extent[5] = {};  // elements
  std::uint16_t box[5] = {};     // elements
  TensorElement element = TensorElement::uint8;
  std::uint8_t rank = 0;
  std::uint8_t swizzle = 0;  // bytes that it permutes within; 0: none

  std::uint32_t element_bytes() const { return static_cast<std::uint32_t>(stride[0]); }
  std::uint32_t row_bytes() const { return box[0] * element_bytes(); }  // of a box
  std::uint32_t rows() const {
    std::uint32_t all = 1;
    for (int d = 1; d < rank; ++d) all *= box[d];
    return all;
  }
  std::uint32_t box_bytes() const { return rows() * row_bytes(); }
};
static_assert(sizeof(TensorLayout) <= sizeof(TensorMap),
              "tilepipe::check: a tensor map holds its layout");

// The map for a kernel's argument, of a source in the launch's GlobalMemory: what
// host::encode_tensor_map is on a device. Throws Unsupported for a request that breaks a rule of
// the driver, and for what the checker has no model of: interleaved layouts, element strides,
// packed and converted elements, swizzles by other atoms than 16 bytes, rows narrower than the
// swizzle, NaN as fill.
inline TensorMap tensor_map(const TensorMapRequest& r) {
  const BrokenTensorRule broken = check_tensor_map(r);
  if (broken.rule != TensorRule::none)
    throw ptx::Unsupported("a tensor map that breaks rule " +
                           std::to_string(static_cast<int>(broken.rule)) + " by dimension " +
                           std::to_string(broken.dimension) + " and the value " +
                           std::to_string(broken.value));
  const auto unit = static_cast<std::uint64_t>(tensor_element_bits(r.element) / 8);
  const bool as_it_is = r.element <= TensorElement::bfloat16;
  if (r.interleave != TensorInterleave::none || !as_it_is || r.fill != TensorFill::zeros ||
      r.swizzle > TensorSwizzle::bytes_128)
    throw ptx::Unsupported("a tensor map of a kind that the checker does not know");
  TensorLayout map;
  map.mark = TensorLayout::mark_of_maps;
  map.address = r.address;
  map.element = r.element;
  map.rank = static_cast<std::uint8_t>(r.rank);
  map.swizzle = static_cast<std::uint8_t>(swizzle_span(r.swizzle));
  for (int i = 0; i < r.rank; ++i) {
    const int d = r.rank - 1 - i;
    map.extent[i] = static_cast<std::uint32_t>(r.extent[d]);
    map.stride[i] = i == 0 ? unit : static_cast<std::uint64_t>(r.stride[d]);
    map.box[i] = static_cast<std::uint16_t>(r.box[d]);
    if (i > 0 && r.element_stride[d] != 1)
      throw ptx::Unsupported("a tensor map with element strides");
  }
  if (map.swizzle != 0 && map.row_bytes() != map.swizzle)
    throw ptx::Unsupported("a tensor map whose box rows are narrower than its swizzle");
  TensorMap made{};
  std::memcpy(made.bytes, &map, sizeof map);
  return made;
}

// Bytes of global memory that lie together in a box, and where in the box: whole rows, or the 16
// bytes that a swizzle moves.
struct BoxPiece {
  unsigned char* global;
  std::uint32_t at;
  std::uint32_t bytes;
};

// What of a box is inside its tensor.
struct TensorBox {
  std::vector<BoxPiece> pieces;
  bool in_memory = true;  // else `outside` is of the tensor and of no buffer
  Address outside = 0;

  // `at`: the coordinates of its first element; `shared`: where it lies in shared memory, by whose
  // addresses swizzles go. `stored`: the row's last 16 bytes are written whole where the extent
  // ends within them (seen on an H200).
  TensorBox(const TensorLayout& map, const std::int32_t* at, std::uint32_t shared, bool stored,
            GlobalMemory& memory) {
    const std::int64_t unit = map.element_bytes(), row_bytes = map.row_bytes();
    const std::int64_t begin = at[0] * unit, extent = map.extent[0] * unit;
    const std::int64_t end = stored ? (extent + 15) / 16 * 16 : extent;
    const std::int64_t from = begin < 0 ? -begin : 0;
    const std::int64_t to = begin + row_bytes > end ? end - begin : row_bytes;
    if (from >= to) return;
    const std::uint32_t rows = map.rows();
    for (std::uint32_t row = 0; row < rows && in_memory; ++row) {
      Address address = map.address + static_cast<Address>(begin + from);
      bool inside = true;
      std::uint32_t rest = row;
      for (int d = 1; d < map.rank; ++d) {
        const std::int64_t index = std::int64_t{at[d]} + rest % map.box[d];
        rest /= map.box[d];
        inside = inside && index >= 0 && index < map.extent[d];
        address += static_cast<Address>(index) * map.stride[d];
      }
      if (!inside) continue;
      unsigned char* global = memory.find(address, static_cast<std::uint64_t>(to - from));
      if (global == nullptr) {
        in_memory = false;
        outside = address;
        return;
      }
      add_row(map, shared, row * map.row_bytes(), static_cast<std::uint32_t>(from),
              static_cast<std::uint32_t>(to), global);
    }
  }

 private:
  // Bytes [from, to) of the row that begins at byte `row` of the box.
  void add_row(const TensorLayout& map, std::uint32_t shared, std::uint32_t row, std::uint32_t from,
               std::uint32_t to, unsigned char* global) {
    if (map.swizzle == 0) {
      pieces.push_back({global, row + from, to - from});
      return;
    }
    for (std::uint32_t byte = from; byte < to;) {
      const std::uint32_t next = byte / 16 * 16 + 16 < to ? byte / 16 * 16 + 16 : to;
      const std::uint32_t address = shared + row + byte;
      const std::uint32_t moved = address ^ ((address / 128 % (map.swizzle / 16u)) * 16);
      pieces.push_back({global + (byte - from), moved - shared, next - byte});
      byte = next;
    }
  }
};

}  // namespace tilepipe::check
