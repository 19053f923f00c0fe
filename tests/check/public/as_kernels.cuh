// SPDX-License-Identifier: Apache-2.0
// Ends what as_functions.cuh begins.
#pragma pop_macro("__global__")
#pragma pop_macro("__grid_constant__")
#pragma pop_macro("__launch_bounds__")
