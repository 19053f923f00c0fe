// SPDX-License-Identifier: Apache-2.0
// What a tensor map is asked to describe, and the rules that the driver has for it.
#pragma once

#include "source.hpp"
#include "std.hpp"

TILEPIPE_NAMESPACE_BEGIN

// The driver's numbers (CUtensorMapDataType and so on), so that core needs no header of CUDA.
enum class TensorElement {
  uint8,
  uint16,
  uint32,
  int32,
  uint64,
  int64,
  float16,
  float32,
  float64,
  bfloat16,
  float32_ftz,  // denormals become zero
  tfloat32,     // rounded to TF32
  tfloat32_ftz,
  u4_align8,   // 16 values of 4 bits in 8 bytes
  u4_align16,  // 16 values of 4 bits in 8 bytes, spread to 16 in shared memory
  u6_align16,  // 16 values of 6 bits in 12 bytes, spread to 16
};
enum class TensorInterleave { none, bytes_16, bytes_32 };
enum class TensorSwizzle {
  none,
  bytes_32,
  bytes_64,
  bytes_128,
  bytes_128_atom_32,
  bytes_128_atom_32_flip_8,
  bytes_128_atom_64,
};
enum class L2Promotion { none, bytes_64, bytes_128, bytes_256 };
enum class TensorFill { zeros, nan };  // what is outside the tensor arrives as

// What a map is asked to describe: all that cuTensorMapEncodeTiled takes, dimensions in the user's
// order, slowest first.
struct TensorMapRequest {
  unsigned long long address = 0;  // of element 0 of every dimension, bytes
  TensorElement element = TensorElement::uint8;
  int rank = 1;
  index_t extent[5] = {};  // elements
  index_t stride[5] = {};  // bytes; the last dimension is dense, and its stride not looked at
  index_t box[5] = {};     // elements
  index_t element_stride[5] = {1, 1, 1, 1, 1};
  TensorInterleave interleave = TensorInterleave::none;
  TensorSwizzle swizzle = TensorSwizzle::none;
  L2Promotion l2_promotion = L2Promotion::bytes_128;
  TensorFill fill = TensorFill::zeros;
};

// The rules, each with its sentence: %d names the dimension, %v the value. Requirements of
// cuTensorMapEncodeTiled (CUDA Driver API, "Tensor Map Object Management"), and two of ours:
// bounds, and coordinates that a copy can say.
#define TILEPIPE_TENSOR_RULES(R)                                                                 \
  R(rank, "rank %v is outside 1..5")                                                             \
  R(interleaved_rank, "rank %v is less than the 3 that an interleaved layout has")               \
  R(null_address, "address is null")                                                             \
  R(address_16, "address %v is not a multiple of 16")                                            \
  R(address_32, "address %v is not a multiple of 32, as interleaved or packed elements need")    \
  R(unbounded, "extent %d is unbounded, and a map has bounds")                                   \
  R(extent_positive, "extent %d is %v; it must be 1 or more")                                    \
  R(extent_most, "extent %d is %v; it must be at most 4294967296")                               \
  R(extent_coordinates,                                                                          \
    "extent %d is %v; a copy's coordinates have 31 bits and a sign, so it must be at most "      \
    "2147483647")                                                                                \
  R(extent_128, "extent %d is %v, not a multiple of the 128 of packed elements")                 \
  R(extent_2, "extent %d is %v, not a multiple of the 2 of packed elements")                     \
  R(stride_positive, "%d stride %v B is negative")                                               \
  R(stride_16, "%d stride %v B is not a multiple of 16")                                         \
  R(stride_32, "%d stride %v B is not a multiple of 32, as interleaved or packed elements need") \
  R(stride_most, "%d stride %v B is not less than 1099511627776")                                \
  R(box_range, "box extent %d is %v, outside 1..256")                                            \
  R(box_row_16, "box row %v B is not a multiple of 16")                                          \
  R(box_packed, "box extent %d is %v, not the 128 of packed elements")                           \
  R(element_stride_range, "element stride %d is %v, outside 1..8")                               \
  R(swizzle_span, "box row %v B is wider than the swizzle")                                      \
  R(interleave_swizzle, "swizzle %v is not the 32-byte one that a 32-byte interleave needs")     \
  R(packed_interleave, "interleave %v does not go with 6-bit elements")                          \
  R(packed_swizzle, "swizzle %v does not go with packed elements")                               \
  R(fill_nan, "NaN as fill does not go with element type %v, which is no floating-point type")

#define TILEPIPE_RULE(name, text) name,
enum class TensorRule { none, TILEPIPE_TENSOR_RULES(TILEPIPE_RULE) };
#undef TILEPIPE_RULE

// The first rule that a request breaks, the dimension (-1: of no dimension) and the value that
// break it.
struct BrokenTensorRule {
  TensorRule rule = TensorRule::none;
  int dimension = -1;
  index_t value = 0;
};

// Bits of an element in global memory.
TILEPIPE_HD constexpr int tensor_element_bits(TensorElement e) {
  switch (e) {
    case TensorElement::uint8:
      return 8;
    case TensorElement::uint16:
    case TensorElement::float16:
    case TensorElement::bfloat16:
      return 16;
    case TensorElement::uint64:
    case TensorElement::int64:
    case TensorElement::float64:
      return 64;
    case TensorElement::u4_align8:
    case TensorElement::u4_align16:
      return 4;
    case TensorElement::u6_align16:
      return 6;
    default:
      return 32;
  }
}
TILEPIPE_HD constexpr bool is_floating(TensorElement e) {
  return e >= TensorElement::float16 && e <= TensorElement::tfloat32_ftz;
}
// Packed elements that take 16 bytes of shared memory for 16 values.
TILEPIPE_HD constexpr bool is_packed_16(TensorElement e) {
  return e == TensorElement::u4_align16 || e == TensorElement::u6_align16;
}
// Bytes that a swizzle permutes within; 0 without one.
TILEPIPE_HD constexpr int swizzle_span(TensorSwizzle s) {
  return s == TensorSwizzle::none       ? 0
         : s == TensorSwizzle::bytes_32 ? 32
         : s == TensorSwizzle::bytes_64 ? 64
                                        : 128;
}

// Whether swizzle and packed elements go together, for loads or for stores.
TILEPIPE_HD constexpr bool packed_takes(TensorElement e, TensorSwizzle s) {
  if (!is_packed_16(e) || s == TensorSwizzle::none || s == TensorSwizzle::bytes_128 ||
      s == TensorSwizzle::bytes_128_atom_32)
    return true;
  return e == TensorElement::u6_align16 && s == TensorSwizzle::bytes_128_atom_64;
}

// The first rule that one dimension breaks. Inner: it is the last, the dense one.
TILEPIPE_HD constexpr BrokenTensorRule check_dimension(const TensorMapRequest& r, int d) {
  const bool inner = d == r.rank - 1;
  const bool by_32 = r.interleave == TensorInterleave::bytes_32 || is_packed_16(r.element);
  const index_t extent = r.extent[d], stride = r.stride[d], box = r.box[d];
  if (extent == unbounded) return {TensorRule::unbounded, d, extent};
  if (extent < 1) return {TensorRule::extent_positive, d, extent};
  if (extent > 4294967296) return {TensorRule::extent_most, d, extent};
  if (extent > 2147483647) return {TensorRule::extent_coordinates, d, extent};
  if (inner && is_packed_16(r.element) && extent % 128 != 0)
    return {TensorRule::extent_128, d, extent};
  if (inner && r.element == TensorElement::u4_align8 && extent % 2 != 0)
    return {TensorRule::extent_2, d, extent};
  if (!inner) {
    if (stride < 0) return {TensorRule::stride_positive, d, stride};
    if (stride % 16 != 0) return {TensorRule::stride_16, d, stride};
    if (by_32 && stride % 32 != 0) return {TensorRule::stride_32, d, stride};
    if (stride >= 1099511627776) return {TensorRule::stride_most, d, stride};
  }
  if (box < 1 || box > 256) return {TensorRule::box_range, d, box};
  if (inner && is_packed_16(r.element) && box != 128) return {TensorRule::box_packed, d, box};
  // Without interleave the hardware has no stride within a row, and the driver ignores it.
  if (!(inner && r.interleave == TensorInterleave::none) &&
      (r.element_stride[d] < 1 || r.element_stride[d] > 8))
    return {TensorRule::element_stride_range, d, r.element_stride[d]};
  return {};
}

// The first rule that a map would break: the driver's, as documented for CUDA 13.0, without asking
// the driver or a device.
TILEPIPE_HD constexpr BrokenTensorRule check_tensor_map(const TensorMapRequest& r) {
  const bool interleaved = r.interleave != TensorInterleave::none;
  const bool by_32 = r.interleave == TensorInterleave::bytes_32 || is_packed_16(r.element);
  if (r.rank < 1 || r.rank > 5) return {TensorRule::rank, -1, r.rank};
  if (interleaved && r.rank < 3) return {TensorRule::interleaved_rank, -1, r.rank};
  const auto address = static_cast<index_t>(r.address);
  if (address == 0) return {TensorRule::null_address, -1, 0};
  if (address % 16 != 0) return {TensorRule::address_16, -1, address};
  if (by_32 && address % 32 != 0) return {TensorRule::address_32, -1, address};
  for (int d = 0; d < r.rank; ++d) {
    const BrokenTensorRule broken = check_dimension(r, d);
    if (broken.rule != TensorRule::none) return broken;
  }
  const index_t row = r.box[r.rank - 1] * tensor_element_bits(r.element) / 8;
  if (!interleaved && row % 16 != 0) return {TensorRule::box_row_16, -1, row};
  if (!interleaved && r.swizzle != TensorSwizzle::none && !is_packed_16(r.element) &&
      row > swizzle_span(r.swizzle))
    return {TensorRule::swizzle_span, -1, row};
  const auto swizzle = static_cast<index_t>(r.swizzle);
  if (r.interleave == TensorInterleave::bytes_32 && r.swizzle != TensorSwizzle::bytes_32)
    return {TensorRule::interleave_swizzle, -1, swizzle};
  if (r.element == TensorElement::u6_align16 && interleaved)
    return {TensorRule::packed_interleave, -1, static_cast<index_t>(r.interleave)};
  if (!packed_takes(r.element, r.swizzle)) return {TensorRule::packed_swizzle, -1, swizzle};
  if (r.fill == TensorFill::nan && !is_floating(r.element))
    return {TensorRule::fill_nan, -1, static_cast<index_t>(r.element)};
  return {};
}

TILEPIPE_NAMESPACE_END
