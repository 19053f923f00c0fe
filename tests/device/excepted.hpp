// SPDX-License-Identifier: Apache-2.0
// Cases that a sanitizer is not shown: sanitizer_exceptions.json says which, and why.
#pragma once
#include <fnmatch.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>

namespace tilepipe_test {

// Whether a pattern of TILEPIPE_TEST_EXCEPT, patterns with * between spaces, fits the case's name.
// What is left out is printed, once.
inline bool excepted(const std::string& case_name) {
  const char* patterns = std::getenv("TILEPIPE_TEST_EXCEPT");
  std::istringstream words(patterns == nullptr ? "" : patterns);
  for (std::string pattern; words >> pattern;)
    if (fnmatch(pattern.c_str(), case_name.c_str(), 0) == 0) {
      static std::set<std::string> said;
      if (said.insert(case_name).second) std::printf("excepted: %s\n", case_name.c_str());
      return true;
    }
  return false;
}

}  // namespace tilepipe_test
