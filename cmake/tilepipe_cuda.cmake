# SPDX-License-Identifier: Apache-2.0
# Finds the CUDA compiler and enables the language; sets TILEPIPE_HAS_CUDA.
include(CheckLanguage)

set(TILEPIPE_HAS_CUDA OFF)
if(TILEPIPE_CUDA)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    # Each target sets its own architectures; this default serves only what sets none.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 90)
    endif()
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(TILEPIPE_HAS_CUDA ON)
  elseif(NOT TILEPIPE_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "tilepipe: TILEPIPE_CUDA is ON, but no CUDA compiler was found; set CUDACXX")
  endif()
endif()
if(NOT TILEPIPE_HAS_CUDA)
  message(STATUS "tilepipe: no CUDA; only what needs none is built and tested")
endif()
