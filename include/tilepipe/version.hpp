// SPDX-License-Identifier: Apache-2.0
// The version of the library.
#pragma once

#define TILEPIPE_VERSION_MAJOR 0
#define TILEPIPE_VERSION_MINOR 1
#define TILEPIPE_VERSION_PATCH 0
// 10000 * major + 100 * minor + patch.
#define TILEPIPE_VERSION \
  (TILEPIPE_VERSION_MAJOR * 10000 + TILEPIPE_VERSION_MINOR * 100 + TILEPIPE_VERSION_PATCH)
