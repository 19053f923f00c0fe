// SPDX-License-Identifier: Apache-2.0
// Between this and as_kernels.cuh a __global__ function is one of the device: a kernel of ours
// makes the structure that it takes, of pointers and numbers, and calls it.
#pragma push_macro("__global__")
#pragma push_macro("__grid_constant__")
#pragma push_macro("__launch_bounds__")
#undef __global__
#undef __grid_constant__
#undef __launch_bounds__
#define __global__ __device__
#define __grid_constant__
#define __launch_bounds__(...)
