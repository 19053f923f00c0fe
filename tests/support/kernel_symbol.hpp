// SPDX-License-Identifier: Apache-2.0
// The name of a kernel in its PTX, found without a GPU.
#pragma once
#include <string>

namespace tilepipe_test {

// Reads the symbol table of the running executable: the host's function for a kernel bears the
// kernel's name. Empty if the executable was stripped.
std::string kernel_symbol(const void* kernel);

}  // namespace tilepipe_test
