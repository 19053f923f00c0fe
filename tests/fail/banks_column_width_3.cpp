// SPDX-License-Identifier: Apache-2.0
// A column's bank conflicts for an access of a width that no instruction has.
// expect: tilepipe::column_banks<Tile, Width>: Width must be 1, 2, 4, 8 or 16
#include <tilepipe/core/banks.hpp>
#include <tilepipe/core/tile.hpp>

#if defined(TILEPIPE_FAIL_TWIN)
#define WIDTH 4
#else
#define WIDTH 3
#endif

constexpr auto count = tilepipe::column_banks<tilepipe::Tile<float, 8, 96>, WIDTH>(0, 0);
