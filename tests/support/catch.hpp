// SPDX-License-Identifier: Apache-2.0
// Includes Catch2, version 2 or 3, whichever the machine has.
#pragma once
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
