// SPDX-License-Identifier: Apache-2.0
// The place of completions that belong to another library: declared here, defined in interop/.
#pragma once

#include "../core/completion.hpp"

TILEPIPE_NAMESPACE_BEGIN

// What a policy binds when it names nothing: cuda::pipeline at thread scope, defined in
// <tilepipe/interop/libcudacxx.cuh>. Besides the interface of GroupsCompletion a foreign completion
// has copy<Width, Bytes>(to, from, full), by which the calling thread issues Bytes bytes, all
// aligned to Width; full is what full_address() gave for the part. Bytes is its run_bytes<Width,
// RowBytes>.
template <class Protocol, class = void>
class ForeignCompletion {
  static_assert(sizeof(Protocol) == 0,
                "tilepipe::TileLoader<Tile, Via<Path::libcudacxx>>: the path is defined in another "
                "header; include <tilepipe/interop/libcudacxx.cuh>");
};

// What a foreign completion may say of itself, as static members:
// acquire_waits: acquire() itself waits for the readers of the stage and is called for each stage
// that is filled, in unified teams too; finish() then waits for all that is in flight and gives
// back all that is held.
template <class C, class = void>
inline constexpr bool acquire_waits = false;
template <class C>
inline constexpr bool acquire_waits<C, decltype(void(C::acquire_waits))> = C::acquire_waits;
// async_proxy: its copies may go through the async proxy, so that writes of threads to the stages
// are fenced before them.
template <class C, class = void>
inline constexpr bool async_proxy = false;
template <class C>
inline constexpr bool async_proxy<C, decltype(void(C::async_proxy))> = C::async_proxy;

TILEPIPE_NAMESPACE_END
