# SPDX-License-Identifier: Apache-2.0
# Helpers that add one kind of test each; the ctest label says the level.
include_guard()

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(TILEPIPE_CMAKE_DIR ${PROJECT_SOURCE_DIR}/cmake)
set(TILEPIPE_NVCC ${CMAKE_CUDA_COMPILER})

# What `cmake --build --target` builds for the tests of one label.
foreach(label core compile device check)
  add_custom_target(tests_${label})
endforeach()

# A tool that some tests need: an error now if tools are required, else those tests report skipped.
function(tilepipe_find_tool variable)
  find_program(${variable} NAMES ${ARGN} HINTS /usr/lib/llvm-14/bin)
  if(NOT ${variable})
    if(TILEPIPE_REQUIRE_TOOLS)
      message(FATAL_ERROR "tilepipe: ${ARGN} was not found, and TILEPIPE_REQUIRE_TOOLS is ON")
    endif()
    message(STATUS "tilepipe: ${ARGN} was not found; tests that need it report skipped")
  endif()
endfunction()

# add_test with a label; exit status 77 means skipped.
function(tilepipe_add_test name label)
  cmake_parse_arguments(arg "" "TIMEOUT" "COMMAND" ${ARGN})
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES
    LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT ${arg_TIMEOUT})
endfunction()

# The mains of Catch2 tests (version 2 or 3), and the launch support of device tests.
function(tilepipe_find_catch)
  if(TARGET tilepipe_core_main)
    return()
  endif()
  find_package(Catch2 REQUIRED)
  set(support ${PROJECT_SOURCE_DIR}/tests/support)
  add_library(tilepipe_core_main OBJECT ${TILEPIPE_CMAKE_DIR}/catch_main.cpp)
  target_compile_features(tilepipe_core_main PUBLIC cxx_std_17)
  target_link_libraries(tilepipe_core_main PUBLIC Catch2::Catch2)
  if(TILEPIPE_HAS_CUDA)
    file(GLOB sources CONFIGURE_DEPENDS ${support}/*.cpp ${support}/*.cu)
    add_library(tilepipe_device_support OBJECT ${sources})
    target_compile_features(tilepipe_device_support PUBLIC cxx_std_17)
    target_include_directories(tilepipe_device_support PUBLIC ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(tilepipe_device_support PUBLIC
      tilepipe::host Catch2::Catch2 CUDA::cudart_static ${CMAKE_DL_LIBS})
    tilepipe_add_warnings(tilepipe_device_support)
  endif()
endfunction()

# A test of constexpr and host code: g++ alone, address and undefined-behaviour sanitizers.
function(tilepipe_add_core_test name)
  tilepipe_find_catch()
  add_executable(core_${name} ${ARGN})
  add_dependencies(tests_core core_${name})
  target_include_directories(core_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(core_${name} PRIVATE tilepipe::tilepipe tilepipe_core_main)
  # Optimized, the sanitizers' code for these templates takes minutes to compile; -O0 still runs in a second.
  target_compile_options(core_${name} PRIVATE
    -O0 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all)
  target_link_options(core_${name} PRIVATE -fsanitize=address,undefined)
  tilepipe_add_warnings(core_${name})
  tilepipe_add_test(core.${name} core COMMAND core_${name})
endfunction()

# A test of host/, which sees the CUDA runtime's headers: as a core test, skipped without a GPU if it says so.
function(tilepipe_add_host_test name)
  if(NOT TILEPIPE_HAS_CUDA)
    return()
  endif()
  tilepipe_add_core_test(${name} ${ARGN})
  target_link_libraries(core_${name} PRIVATE tilepipe::host CUDA::cudart_static)
endfunction()

# One test for each file of `directory`: it must not compile, and its twin must.
# The file's comments say what is expected: cmake/expect_error.py lists them.
function(tilepipe_add_fail_tests directory)
  file(GLOB cpp_files CONFIGURE_DEPENDS ${directory}/*.cpp)
  file(GLOB cu_files CONFIGURE_DEPENDS ${directory}/*.cu)
  if(NOT TILEPIPE_HAS_CUDA)
    set(cu_files "")
  endif()
  foreach(file IN LISTS cpp_files cu_files)
    get_filename_component(stem ${file} NAME_WE)
    tilepipe_add_test(fail.${stem} fail COMMAND
      Python3::Interpreter ${TILEPIPE_CMAKE_DIR}/expect_error.py
      --nvcc "${TILEPIPE_NVCC}" --cxx ${CMAKE_CXX_COMPILER}
      --include ${PROJECT_SOURCE_DIR}/include --include ${PROJECT_SOURCE_DIR}/tests ${file})
  endforeach()
endfunction()

# One FileCheck test for each .cu file of `directory` and architecture of its `// RUN-ARCH:` line.
function(tilepipe_add_ptx_tests directory)
  if(NOT TILEPIPE_HAS_CUDA)
    return()
  endif()
  tilepipe_find_tool(TILEPIPE_FILECHECK
    FileCheck FileCheck-14 FileCheck-15 FileCheck-16 FileCheck-17 FileCheck-18 FileCheck-19)
  file(GLOB files CONFIGURE_DEPENDS ${directory}/*.cu)
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(stem ${file} NAME_WE)
    file(STRINGS ${file} line REGEX "^// RUN-ARCH:")
    string(REGEX MATCHALL "[0-9]+[af]?" archs "${line}")
    if(NOT archs)
      message(FATAL_ERROR "tilepipe: ${file} has no line '// RUN-ARCH: 80 90'")
    endif()
    foreach(arch IN LISTS archs)
      tilepipe_add_test(ptx.${stem}.${arch} ptx COMMAND
        Python3::Interpreter ${TILEPIPE_CMAKE_DIR}/check_ptx.py
        --nvcc ${TILEPIPE_NVCC} --filecheck "${TILEPIPE_FILECHECK}" --arch ${arch}
        --include ${PROJECT_SOURCE_DIR}/include --include ${PROJECT_SOURCE_DIR}/tests ${file})
    endforeach()
  endforeach()
endfunction()

# Four binaries of one device test: native, compute_75 PTX alone, compute_80 PTX alone, native with TILEPIPE_CHECKS.
# A fitting cubin in the same binary would win over the PTX, so none is there. The native one holds PTX for 90 and 100
# beside its cubin, and no PTX is compressed: the checker runs it where there is no GPU.
# Cases tagged [sanitize] run under racecheck, synccheck and initcheck; memcheck runs everything.
function(tilepipe_add_device_test name)
  if(NOT TILEPIPE_HAS_CUDA)
    return()
  endif()
  tilepipe_find_catch()
  set(native 90)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    set(native 90,100-virtual)
  endif()
  foreach(build "native:${native}" "ptx75:75-virtual" "ptx80:80-virtual" "checks:90-real")
    string(REPLACE ":" ";" build ${build})
    list(GET build 0 suffix)
    list(GET build 1 arch)
    string(REPLACE "," ";" arch "${arch}")
    set(target device_${name}_${suffix})
    add_executable(${target} ${ARGN})
    add_dependencies(tests_device ${target})
    set_target_properties(${target} PROPERTIES
      CUDA_ARCHITECTURES "${arch}" CUDA_RUNTIME_LIBRARY Static CUDA_STANDARD 17)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>"
      "$<$<COMPILE_LANGUAGE:CUDA>:$<IF:$<STREQUAL:${suffix},checks>,-Xfatbin=-compress-all,-no-compress>>")
    target_link_libraries(${target} PRIVATE
      tilepipe::tilepipe tilepipe::host tilepipe::interop
      tilepipe_device_support)
    string(REGEX MATCH "^[0-9]+" number "${arch}")
    target_compile_definitions(${target} PRIVATE TILEPIPE_TEST_ARCH=${number}
      $<$<STREQUAL:${suffix},checks>:TILEPIPE_CHECKS>)
    tilepipe_add_warnings(${target})
    tilepipe_add_test(device.${name}.${suffix} device COMMAND ${target})
    set_tests_properties(device.${name}.${suffix} PROPERTIES RESOURCE_LOCK gpu)
    if(suffix STREQUAL checks)
      continue()
    endif()
    foreach(tool memcheck racecheck synccheck initcheck)
      tilepipe_add_test(sanitize.${name}.${suffix}.${tool} sanitize TIMEOUT 600 COMMAND
        ${TILEPIPE_CMAKE_DIR}/sanitize.sh ${tool} $<TARGET_FILE:${target}>)
      set_tests_properties(sanitize.${name}.${suffix}.${tool} PROPERTIES RESOURCE_LOCK gpu)
    endforeach()
  endforeach()
endfunction()
