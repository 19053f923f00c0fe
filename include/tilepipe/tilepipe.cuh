// SPDX-License-Identifier: Apache-2.0
// Everything for kernels, but interop.
#pragma once

#include "pipeline.cuh"
#include "tile_loader.cuh"
#include "tile_storer.cuh"
