// SPDX-License-Identifier: Apache-2.0
// Device code that uses the toolkit's own pipelines through tilepipe.
#include <tilepipe/interop/libcudacxx.cuh>
