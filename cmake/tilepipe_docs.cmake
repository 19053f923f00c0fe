# SPDX-License-Identifier: Apache-2.0
# The docs target: Doxygen over the public headers, warnings are errors.
find_package(Doxygen QUIET)
if(DOXYGEN_FOUND)
  add_custom_target(docs
    COMMAND ${CMAKE_COMMAND} -E env TILEPIPE_DOCS_OUTPUT=${PROJECT_BINARY_DIR}/docs
            TILEPIPE_VERSION=${PROJECT_VERSION} ${DOXYGEN_EXECUTABLE} Doxyfile
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Reference pages of the public headers" VERBATIM)
else()
  message(STATUS "tilepipe: Doxygen was not found; there is no docs target")
endif()
