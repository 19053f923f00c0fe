# SPDX-License-Identifier: Apache-2.0
# Install rules, and the package files for find_package from the build tree and the install tree.
include(CMakePackageConfigHelpers)

set(tilepipe_package_dir ${CMAKE_INSTALL_DATADIR}/cmake/tilepipe)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/tilepipeConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tilepipeConfig.cmake
  INSTALL_DESTINATION ${tilepipe_package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/tilepipeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)

install(TARGETS tilepipe_tilepipe tilepipe_host tilepipe_interop tilepipe_check EXPORT tilepipeTargets)
export(EXPORT tilepipeTargets NAMESPACE tilepipe:: FILE ${PROJECT_BINARY_DIR}/tilepipeTargets.cmake)
install(EXPORT tilepipeTargets NAMESPACE tilepipe:: DESTINATION ${tilepipe_package_dir})
configure_file(${PROJECT_SOURCE_DIR}/cmake/tilepipe_check.cmake
  ${PROJECT_BINARY_DIR}/tilepipe_check.cmake COPYONLY)
install(FILES ${PROJECT_BINARY_DIR}/tilepipeConfig.cmake
              ${PROJECT_BINARY_DIR}/tilepipe_check.cmake
              ${PROJECT_BINARY_DIR}/tilepipeConfigVersion.cmake
        DESTINATION ${tilepipe_package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tilepipe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
