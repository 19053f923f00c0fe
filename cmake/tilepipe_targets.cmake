# SPDX-License-Identifier: Apache-2.0
# The interface targets: tilepipe::tilepipe, and the opt-in tilepipe::host, interop and check.
include(GNUInstallDirs)

# Every target compiles as C++17 and finds <tilepipe/...> in the source tree or the installed one.
function(tilepipe_add_interface name)
  add_library(tilepipe_${name} INTERFACE)
  add_library(tilepipe::${name} ALIAS tilepipe_${name})
  set_target_properties(tilepipe_${name} PROPERTIES EXPORT_NAME ${name})
endfunction()

tilepipe_add_interface(tilepipe)
target_compile_features(tilepipe_tilepipe INTERFACE cxx_std_17)
target_include_directories(tilepipe_tilepipe INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

# host/ includes <cuda_runtime.h>: nvcc has it on its path, a C++ compiler is told where it is.
find_package(CUDAToolkit QUIET)
tilepipe_add_interface(host)
target_link_libraries(tilepipe_host INTERFACE tilepipe_tilepipe)
foreach(directory IN LISTS CUDAToolkit_INCLUDE_DIRS)
  target_include_directories(tilepipe_host SYSTEM INTERFACE $<BUILD_INTERFACE:${directory}>)
endforeach()

tilepipe_add_interface(interop)
target_link_libraries(tilepipe_interop INTERFACE tilepipe_tilepipe)

# check/ runs PTX on the CPU: C++ alone.
tilepipe_add_interface(check)
target_link_libraries(tilepipe_check INTERFACE tilepipe_tilepipe)
