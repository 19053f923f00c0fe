// SPDX-License-Identifier: Apache-2.0
// What kernels that load tiles need. Kernels that store tiles too include
// <tilepipe/tile_storer.cuh>.
#pragma once

#include "pipeline.cuh"
#include "tile_loader.cuh"
