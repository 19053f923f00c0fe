// SPDX-License-Identifier: Apache-2.0
// Host code that a C++ compiler builds: the host headers find the toolkit's.
#include <tilepipe/host/launch.hpp>
