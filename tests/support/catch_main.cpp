// SPDX-License-Identifier: Apache-2.0
// main of the tests that need no GPU; links with Catch2 version 2 or 3.
#define CATCH_CONFIG_RUNNER
#include "catch.hpp"

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
