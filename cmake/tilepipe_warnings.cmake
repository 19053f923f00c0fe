# SPDX-License-Identifier: Apache-2.0
# The warning flags of everything that this repository builds itself.

set(TILEPIPE_CXX_WARNINGS -Wall -Wextra -Wpedantic)
set(TILEPIPE_CUDA_WARNINGS -Xcompiler=-Wall,-Wextra)
if(TILEPIPE_WERROR)
  list(APPEND TILEPIPE_CXX_WARNINGS -Werror)
  list(APPEND TILEPIPE_CUDA_WARNINGS -Werror=all-warnings -Xcompiler=-Werror)
endif()

# Adds the warning flags to a target, for C++ and CUDA sources.
function(tilepipe_add_warnings target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:${TILEPIPE_CXX_WARNINGS}>
    $<$<COMPILE_LANGUAGE:CUDA>:${TILEPIPE_CUDA_WARNINGS}>)
endfunction()
