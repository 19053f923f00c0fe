# SPDX-License-Identifier: Apache-2.0
# For projects that check their kernels without a GPU: PTX by nvcc, and a test for each architecture.
include_guard()

# A target that compiles a .cu file to <directory>/<name>_<arch>.ptx for each architecture, with the
# source's lines in it. CHECK_ARCH is defined as the architecture.
#   tilepipe_add_ptx(target SOURCE kernel.cu NAME name DIRECTORY directory ARCHITECTURES 80 90
#                    [OPTIONS -Iinclude ...] [DEPENDS headers])
function(tilepipe_add_ptx target)
  cmake_parse_arguments(arg "" "SOURCE;NAME;DIRECTORY" "ARCHITECTURES;OPTIONS;DEPENDS" ${ARGN})
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "tilepipe_add_ptx: PTX needs nvcc; enable the language CUDA first")
  endif()
  get_filename_component(source ${arg_SOURCE} ABSOLUTE)
  set(include "$<TARGET_PROPERTY:tilepipe::tilepipe,INTERFACE_INCLUDE_DIRECTORIES>")
  set(files "")
  foreach(arch IN LISTS arg_ARCHITECTURES)
    set(file ${arg_DIRECTORY}/${arg_NAME}_${arch}.ptx)
    add_custom_command(OUTPUT ${file}
      COMMAND ${CMAKE_CUDA_COMPILER} -std=c++17 -ptx -lineinfo -arch=compute_${arch}
              -DCHECK_ARCH=${arch} "$<$<BOOL:${include}>:-I$<JOIN:${include},;-I>>" ${arg_OPTIONS}
              -o ${file} ${source}
      DEPENDS ${source} ${arg_DEPENDS} COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND files ${file})
  endforeach()
  add_custom_target(${target} DEPENDS ${files})
endfunction()

# Tests <name>.<arch>: TEST, a program of yours that includes <tilepipe/check/launch.hpp>, gets the
# path of the PTX of SOURCE as its only argument, and passes if it returns 0.
#   tilepipe_check_kernel(name SOURCE kernel.cu TEST kernel_check.cpp ARCHITECTURES 80 90
#                         [OPTIONS -Iinclude ...] [DEPENDS headers])
function(tilepipe_check_kernel name)
  cmake_parse_arguments(arg "" "SOURCE;TEST" "ARCHITECTURES;OPTIONS;DEPENDS" ${ARGN})
  tilepipe_add_ptx(${name}_ptx SOURCE ${arg_SOURCE} NAME ${name}
    DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} ARCHITECTURES ${arg_ARCHITECTURES}
    OPTIONS ${arg_OPTIONS} DEPENDS ${arg_DEPENDS})
  add_executable(${name} ${arg_TEST})
  add_dependencies(${name} ${name}_ptx)
  target_link_libraries(${name} PRIVATE tilepipe::check)
  foreach(arch IN LISTS arg_ARCHITECTURES)
    add_test(NAME ${name}.${arch}
      COMMAND ${name} ${CMAKE_CURRENT_BINARY_DIR}/${name}_${arch}.ptx)
    set_tests_properties(${name}.${arch} PROPERTIES LABELS check)
  endforeach()
endfunction()
