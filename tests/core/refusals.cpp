// SPDX-License-Identifier: Apache-2.0
// Tests of the sentences of refusals; combinations.cpp reaches each of them.
#include <set>
#include <string>
#include <tilepipe/core/completion.hpp>

#include "support/catch.hpp"

using tilepipe::PathRefusal;
using tilepipe::PipelineRefusal;

TEST_CASE("Sentences of refusals are whole and differ when refusals do") {
  std::set<std::string> sentences;
  const auto check = [&](const std::string& text) {
    INFO(text);
    CHECK(sentences.insert(text).second);
    CHECK(text.rfind("tilepipe::", 0) == 0);      // subject
    CHECK(text.find(": ") != std::string::npos);  // rule
    CHECK((text.find("; ") != std::string::npos ||
           text.find(" use ") != std::string::npos));  // remedy
    CHECK(text.back() != '.');
    CHECK(text.find("  ") == std::string::npos);
  };
#define TILEPIPE_TEST_PATH(name, text)                     \
  CHECK(std::string(sentence(PathRefusal::name)) == text); \
  check(sentence(PathRefusal::name));
#define TILEPIPE_TEST_PIPELINE(name, text)                     \
  CHECK(std::string(sentence(PipelineRefusal::name)) == text); \
  check(sentence(PipelineRefusal::name));
  TILEPIPE_PATH_REFUSALS(TILEPIPE_TEST_PATH)
  TILEPIPE_PIPELINE_REFUSALS(TILEPIPE_TEST_PIPELINE)
  CHECK(sentences.size() == 26);
  CHECK(std::string(sentence(PathRefusal::none)).empty());
  CHECK(std::string(sentence(PipelineRefusal::none)).empty());
}
