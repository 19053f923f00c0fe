// SPDX-License-Identifier: Apache-2.0
// Assertions that the device tests share: right bytes, and the path that the table names.
#pragma once
#include <string>

#include "copy_check.hpp"

namespace tilepipe_test {

// The path that the table of expected paths gives for the architecture of this build; fails where
// none fits.
std::string expected_path(const std::string& case_name);
std::string path_name(int path);
std::string completion_name(int completion);

// Asserts that the launch gives right results by the expected path and completion.
void expect_right(const CopyCase& c, const Scenario& s);
// Asserts that the driver picked code made for this build's architecture.
void expect_architecture(const void* kernel);

// 0, 1, S - 1, S, S + 1, 2 S + 1, without repetition.
std::vector<long long> tile_counts(int stages);

}  // namespace tilepipe_test
