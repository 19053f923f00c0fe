// SPDX-License-Identifier: Apache-2.0
// The bank conflicts of a copy in chunks of a width that no instruction has.
// expect: tilepipe::copy_banks<Tile, Width>: Width must be 1, 2, 4, 8 or 16
#include <tilepipe/core/banks.hpp>
#include <tilepipe/core/tile.hpp>

#if defined(TILEPIPE_FAIL_TWIN)
#define WIDTH 4
#else
#define WIDTH 3
#endif

constexpr auto count = tilepipe::copy_banks<tilepipe::Tile<float, 8, 96>, WIDTH>(256, 0, 0);
