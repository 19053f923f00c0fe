# SPDX-License-Identifier: Apache-2.0
# Reads the project's version from its header, the only place where it is written.

# Sets `out` to MAJOR.MINOR.PATCH as the TILEPIPE_VERSION_* macros of `header` say.
function(tilepipe_read_version header out)
  if(NOT EXISTS ${header})
    message(FATAL_ERROR "tilepipe: ${header} is missing; the version is read from it")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  set(parts "")
  foreach(part MAJOR MINOR PATCH)
    file(STRINGS ${header} line REGEX "^#define TILEPIPE_VERSION_${part} +[0-9]+")
    if(NOT line MATCHES "([0-9]+)$")
      message(FATAL_ERROR "tilepipe: TILEPIPE_VERSION_${part} was not found in ${header}")
    endif()
    list(APPEND parts ${CMAKE_MATCH_1})
  endforeach()
  list(JOIN parts "." version)
  set(${out} ${version} PARENT_SCOPE)
endfunction()
