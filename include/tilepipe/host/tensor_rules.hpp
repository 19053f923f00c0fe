// SPDX-License-Identifier: Apache-2.0
// The rules of tensor maps as sentences, and the request that a view and a tile type make. No CUDA
// header needed.
#pragma once

#include <cstdio>
#include <string>

#include "../core/path.hpp"
#include "../core/store_path.hpp"
#include "../core/tensor_box.hpp"
#include "../core/tensor_map.hpp"
#include "../core/tensor_rules.hpp"
#include "check.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace host {

// "row stride 44 B is not a multiple of 16"; empty where nothing is broken. rank: of the request.
inline std::string sentence(const BrokenTensorRule& broken, int rank) {
  const char* text = "";
#define TILEPIPE_RULE(name, words) \
  case TensorRule::name:           \
    text = words;                  \
    break;
  switch (broken.rule) {
    TILEPIPE_TENSOR_RULES(TILEPIPE_RULE)
    case TensorRule::none:
      break;
  }
#undef TILEPIPE_RULE
  const bool address =
      broken.rule == TensorRule::address_16 || broken.rule == TensorRule::address_32;
  const bool stride =
      broken.rule >= TensorRule::stride_positive && broken.rule <= TensorRule::stride_most;
  std::string out;
  for (const char* c = text; *c != '\0'; ++c) {
    if (*c != '%') {
      out += *c;
    } else if (*++c == 'v') {
      char value[32];
      std::snprintf(value, sizeof value, address ? "%#llx" : "%lld",
                    static_cast<unsigned long long>(broken.value));
      out += value;
    } else if (!stride) {
      out += std::to_string(broken.dimension);
    } else {  // strides have the names of rows and slices
      out += broken.dimension == rank - 2   ? "row"
             : broken.dimension == rank - 3 ? "slice"
                                            : "dimension " + std::to_string(broken.dimension);
    }
  }
  return out;
}

// Bytes from the first element to the end of the last, and whether the elements lie without gaps.
inline index_t tensor_bytes(const TensorMapRequest& r) {
  const index_t bits = tensor_element_bits(r.element);
  index_t bytes = (r.extent[r.rank - 1] * bits + 7) / 8;
  for (int d = 0; d + 1 < r.rank; ++d) bytes += (r.extent[d] - 1) * r.stride[d];
  return bytes;
}
inline bool is_dense(const TensorMapRequest& r) {
  index_t dense = r.extent[r.rank - 1] * tensor_element_bits(r.element);
  for (int d = r.rank - 2; d >= 0; --d) {
    if (r.extent[d] > 1 && r.stride[d] * 8 != dense) return false;
    dense *= r.extent[d];
  }
  return true;
}

// The map's element for a tile's T. Copies move bytes, whatever it is; stores that add go by it, so
// floating-point types that are added are themselves, and the rest unsigned numbers of `bytes`.
template <class T>
TensorElement map_element(int bytes) {
  switch (addend_of<T>) {
    case Addend::f16:
      return TensorElement::float16;
    case Addend::bf16:
      return TensorElement::bfloat16;
    case Addend::f32:
      return TensorElement::float32;
    case Addend::f64:
      return TensorElement::float64;
    default:
      return bytes == 8   ? TensorElement::uint64
             : bytes == 4 ? TensorElement::uint32
             : bytes == 2 ? TensorElement::uint16
                          : TensorElement::uint8;
  }
}

// The map that tiles of type Tile need of a view.
template <class Tile>
TensorMapRequest tensor_map_request(const Source<typename Tile::value_type, Tile::rank>& view) {
  using Boxes = TensorBoxes<Tile>;
  TensorMapRequest r;
  r.address = reinterpret_cast<std::uintptr_t>(view.data);
  r.element = map_element<typename Tile::value_type>(Boxes::unit);
  r.rank = Tile::rank;
  r.swizzle = Boxes::swizzle == 32    ? TensorSwizzle::bytes_32
              : Boxes::swizzle == 64  ? TensorSwizzle::bytes_64
              : Boxes::swizzle == 128 ? TensorSwizzle::bytes_128
                                      : TensorSwizzle::none;
  const SourceView source = view_of(view);
  index_t below = 16;  // stride of the dimension below, at least
  for (int d = Tile::rank - 1; d >= 0; --d) {
    const bool inner = d == Tile::rank - 1;
    r.extent[d] = inner && view.extent[d] > 0 ? view.extent[d] * Boxes::units : view.extent[d];
    r.box[d] = Boxes::grid.box[d];
    if (inner) continue;
    // Where there is one index alone its stride is not used, and any that the driver takes will do.
    r.stride[d] = uses_stride(source, d) ? stride_bytes(source, d) : below;
    below = r.stride[d];
  }
  return r;
}

// The map of an array of one element, a zero at an address that is a multiple of 16: all that tiles
// of type Tile find there is zeros. (A copy reads where its map says, and faults if no memory is
// there, even where every box is outside: seen on an H200.)
template <class Tile>
TensorMapRequest one_zero_request(const void* zero) {
  Source<typename Tile::value_type, Tile::rank> view{};
  view.data = static_cast<const typename Tile::value_type*>(zero);
  for (int d = 0; d < Tile::rank; ++d) view.extent[d] = 1;
  TensorMapRequest r = tensor_map_request<Tile>(view);
  r.extent[Tile::rank - 1] = 1;
  return r;
}

// Whether tensor copies can bring tiles of type Tile.
template <class Tile>
bool is_mappable() {
  LoaderConfig config;
  config.source = SourceKind::mapped;
  return refuse_path(90, Path::tensor, shape_of<Tile>(), config) == PathRefusal::none;
}

// The first rule of maps that a view breaks for tiles of type Tile.
template <class Tile>
BrokenTensorRule broken_tensor_rule(const Source<typename Tile::value_type, Tile::rank>& view) {
  return check_tensor_map(tensor_map_request<Tile>(view));
}

template <class Tile>
bool is_empty(const Source<typename Tile::value_type, Tile::rank>& view) {
  for (int d = 0; d < Tile::rank; ++d)
    if (view.extent[d] == 0) return true;
  return false;
}

// Why loaders of type TileLoader<Tile, Mapped> go by the view on every device; empty if there can
// be a map.
template <class Tile>
std::string why_no_tensor_map(const Source<typename Tile::value_type, Tile::rank>& view) {
  LoaderConfig config;
  config.source = SourceKind::mapped;
  const PathRefusal tile = refuse_path(90, Path::tensor, shape_of<Tile>(), config);
  if (tile != PathRefusal::none) return without_tensor(tile);
  if (is_empty<Tile>(view)) return "";  // whatever else it is
  return sentence(broken_tensor_rule<Tile>(view), Tile::rank);
}

// Throws Error if the view breaks a rule of maps, and there would be one.
template <class Tile>
void check_tensor_view(const Source<typename Tile::value_type, Tile::rank>& view) {
  if (!is_mappable<Tile>() || is_empty<Tile>(view)) return;
  const BrokenTensorRule broken = broken_tensor_rule<Tile>(view);
  if (broken.rule != TensorRule::none)
    throw Error("tilepipe::host::tensor_source: " + sentence(broken, Tile::rank) +
                "; change the source, or pass a string for the reason and load by the plain view");
}

}  // namespace host
TILEPIPE_NAMESPACE_END
