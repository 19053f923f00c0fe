// SPDX-License-Identifier: Apache-2.0
// The search of schedules leaves out nothing: it reaches what searches without its reductions
// reach.
#include <tilepipe/check/launch.hpp>

#include <cstdio>
#include <set>

#include "support/catch.hpp"

using namespace tilepipe::check;

namespace {

enum class Fill { store, cp_async, bulk };

// A ring of two stages of 16 bytes, in straight lines: thread 0 fills, the others read. Each line
// is one instruction, or a wait and its loop; the roles begin at lines that are labels.
std::vector<std::string> ring(Fill fill, int readers, int tiles) {
  const auto full = [](int t) { return "[s+" + std::to_string(64 + 8 * (t % 2)) + "]"; };
  const auto empty = [](int t) { return "[s+" + std::to_string(80 + 8 * (t % 2)) + "]"; };
  const auto stage = [](int t) { return "[s+" + std::to_string(16 * (t % 2)) + "]"; };
  const auto arrive = [](const std::string& at) {
    return "mbarrier.arrive.shared::cta.b64 %rd1, " + at + ";";
  };
  int waits = 0;
  const auto wait = [&](const std::string& at, int parity) {
    const std::string label = "W" + std::to_string(waits++);
    return "{\n" + label + ":\nmbarrier.try_wait.parity.shared::cta.b64 %p1, " + at + ", " +
           std::to_string(parity) + ";\n@!%p1 bra " + label + ";\n}";
  };
  std::vector<std::string> lines = {"setp.ne.u32 %p2, %r9, 0;", "@%p2 bra READY;"};
  for (int s = 0; s < 2; ++s) {
    lines.push_back("mbarrier.init.shared::cta.b64 " + full(s) + ", 1;");
    lines.push_back("mbarrier.init.shared::cta.b64 " + empty(s) + ", " + std::to_string(readers) +
                    ";");
  }
  lines.insert(lines.end(),
               {"fence.proxy.async.shared::cta;", "READY:", "bar.sync 0;", "@%p2 bra READ;"});
  for (int t = 0; t < tiles; ++t) {
    lines.push_back(wait(empty(t), (t / 2 & 1) ^ 1));
    if (fill == Fill::bulk) {
      lines.push_back("mbarrier.arrive.expect_tx.shared::cta.b64 _, " + full(t) + ", 16;");
      lines.push_back("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes " +
                      stage(t) + ", [%rd9], 16, " + full(t) + ";");
    } else if (fill == Fill::cp_async) {
      lines.push_back("cp.async.cg.shared.global " + stage(t) + ", [%rd9], 16;");
      lines.push_back("cp.async.mbarrier.arrive.noinc.shared::cta.b64 " + full(t) + ";");
    } else {
      lines.push_back("st.shared.u32 " + stage(t) + ", 7;");
      lines.push_back(arrive(full(t)));
    }
  }
  lines.insert(lines.end(), {"ret;", "READ:"});
  for (int t = 0; t < tiles; ++t) {
    lines.push_back(wait(full(t), t / 2 & 1));
    lines.push_back("ld.shared.u32 %r1, " + stage(t) + ";");
    lines.push_back(arrive(empty(t)));
  }
  return lines;
}

Kernel kernel_of(const std::vector<std::string>& lines) {
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n"
      "{\n.reg .pred %p<4>;\n.reg .b32 %r<10>;\n.reg .b64 %rd<10>;\n.shared .align 16 .b8 s[96];\n"
      "ld.param.u64 %rd9, [k_param_0];\nmov.u32 %r9, %tid.x;\n";
  for (const std::string& line : lines) text += line + "\n";
  return Module(text + "ret;\n}\n").kernel("k");
}

// How a run ended: who waits for what, or that a rule was broken, which ends it, or that data
// raced.
std::string outcome_of(const Report& report) {
  std::set<std::string> said;
  for (const Finding& finding : report.findings) {
    const bool by_data = finding.kind == Kind::race || finding.kind == Kind::unwritten;
    said.insert(by_data ? "race" : finding.kind == Kind::protocol ? "protocol" : finding.text);
  }
  std::string all = said.empty() ? "ends" : "";
  for (const std::string& text : said) all += text + ";";
  return all;
}

struct Outcomes {
  std::set<std::string> all;
  std::size_t runs = 0;
  bool complete = false;
};

Outcomes outcomes(const Kernel& kernel, std::uint32_t threads, Reduction reduction,
                  std::size_t limit) {
  GlobalMemory memory;
  Launch launch(kernel, memory, {threads});
  launch.arguments(memory.add(std::vector<std::uint32_t>(4, 9)));
  launch.max_findings = 1000;
  Search search(reduction);
  Outcomes result;
  while (!(result.complete = !search.next()) && result.runs < limit) {
    ++result.runs;
    const Report report = run(launch, Schedule::ordered(), &search);
    if (!search.was_cut()) result.all.insert(outcome_of(report));
  }
  return result;
}

// Any order, each choice by chance.
class ByChance : public StepChooser {
 public:
  explicit ByChance(std::uint64_t seed) : chance_(Schedule::seeded(seed)) {}
  int choose(const std::vector<Event>& choices, const std::vector<Event>&) override {
    return static_cast<int>(chance_.pick(static_cast<std::uint32_t>(choices.size())));
  }
  void end(Block&) override {}

 private:
  Schedule chance_;
};

std::set<std::string> outcomes_by_chance(const Kernel& kernel, std::uint32_t threads, int runs) {
  GlobalMemory memory;
  Launch launch(kernel, memory, {threads});
  launch.arguments(memory.add(std::vector<std::uint32_t>(4, 9)));
  launch.max_findings = 1000;
  std::set<std::string> all;
  for (int seed = 1; seed <= runs; ++seed) {
    ByChance chance(static_cast<std::uint64_t>(seed));
    all.insert(outcome_of(run(launch, Schedule::ordered(), &chance)));
  }
  return all;
}

}  // namespace

TEST_CASE("a right ring has one order") {
  for (const Fill fill : {Fill::store, Fill::cp_async, Fill::bulk})
    for (const std::uint32_t threads : {2u, 4u, 8u})
      for (int tiles = 0; tiles <= 9; ++tiles) {
        const Kernel kernel = kernel_of(ring(fill, static_cast<int>(threads) - 1, tiles));
        GlobalMemory memory;
        Launch launch(kernel, memory, {threads});
        launch.arguments(memory.add(std::vector<std::uint32_t>(4, 9)));
        const Report report = search(launch, 2);
        INFO(report.text());
        CHECK(report.clean());
        CHECK(report.complete);
        CHECK(report.schedules == 1);
      }
}

// Thread 0 waits for phase 0, which thread 1 ends; and thread 1 ends phase 1 too once it has seen
// phase 0 end. If thread 0 comes later than that, it waits for the end of phase 2.
TEST_CASE("a wait that can be overtaken is found, and its order replays") {
  const std::string wait =
      "{\nW%:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [s], 0;\n@!%p1 bra W%;\n}";
  const auto numbered = [&](const char* n) {
    std::string text = wait;
    for (std::size_t at; (at = text.find("W%")) != std::string::npos;) text.replace(at + 1, 1, n);
    return text;
  };
  const Kernel kernel =
      kernel_of({"setp.eq.u32 %p2, %r9, 1;", "@%p2 bra READY;",
                 "mbarrier.init.shared::cta.b64 [s], 1;", "READY:", "bar.sync 0;",
                 "@!%p2 bra READ;", "mbarrier.arrive.shared::cta.b64 %rd1, [s];", numbered("0"),
                 "mbarrier.arrive.shared::cta.b64 %rd1, [s];", "ret;", "READ:", numbered("1")});
  GlobalMemory memory;
  Launch launch(kernel, memory, {2});
  launch.arguments(memory.add(std::vector<std::uint32_t>(4, 9)));
  CHECK(run(launch, Schedule::ordered()).clean());
  const Report found = search(launch, 100);
  REQUIRE(found.has(Kind::deadlock));
  CHECK_FALSE(found.complete);
  const Report again = run(launch, Schedule::named(found.findings[0].replay));
  CHECK(again.text() == found.text());
  CHECK(found.text().find("thread 0 waits for the mbarrier") != std::string::npos);
}

TEST_CASE("a search says when its limit has ended it") {
  const Kernel kernel = kernel_of(ring(Fill::store, 2, 2));
  GlobalMemory memory;
  Launch launch(kernel, memory, {3});
  launch.arguments(memory.add(std::vector<std::uint32_t>(4, 9)));
  const Report report = search(launch, 10, Reduction::none);
  CHECK(report.clean());
  CHECK(report.schedules == 10);
  CHECK_FALSE(report.complete);
}

TEST_CASE("the search reaches every end that a search without its reductions reaches") {
  std::size_t compared = 0, by_none = 0, ends = 0, runs[3] = {};
  for (const Fill fill : {Fill::store, Fill::cp_async, Fill::bulk})
    for (const std::uint32_t threads : {2u, 3u}) {
      const auto original = ring(fill, static_cast<int>(threads) - 1, 3);
      // Each line left out, doubled, and swapped with the next one.
      for (std::size_t line = 0; line < 3 * original.size(); ++line) {
        const std::size_t at = line / 3;
        auto lines = original;
        if (lines[at].find("bra") < 10 || lines[at].back() == ':') continue;
        const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
        if (line % 3 == 0) {
          lines.erase(place);
        } else if (line % 3 == 1) {
          if (lines[at][0] == '{') continue;  // its label would be there twice
          lines.insert(place, original[at]);
        } else if (at + 1 < lines.size()) {
          std::swap(lines[at], lines[at + 1]);
        }
        const Kernel kernel = kernel_of(lines);
        const Outcomes sources = outcomes(kernel, threads, Reduction::sources, 20000);
        const Outcomes sleep = outcomes(kernel, threads, Reduction::sleep, 3000);
        const Outcomes none = outcomes(kernel, threads, Reduction::none, 300);
        INFO(original[at] << " " << line % 3 << ", fill " << static_cast<int>(fill) << ", "
                          << threads << " threads: " << sources.runs << " and " << sleep.runs
                          << " runs");
        REQUIRE(sources.complete);
        for (const std::string& end : sleep.all) {
          INFO(end);
          CHECK(sources.all.count(end) == 1);
        }
        for (const std::string& end : outcomes_by_chance(kernel, threads, 200)) {
          INFO(end);
          CHECK(sources.all.count(end) == 1);
        }
        if (none.complete) CHECK(none.all == sources.all);
        if (sleep.complete) CHECK(sleep.all == sources.all);
        if (sleep.complete) ++compared;
        if (none.complete) ++by_none;
        ends += sources.all.size();
        runs[0] += sources.runs, runs[1] += sleep.runs, runs[2] += none.runs;
      }
    }
  std::printf(
      "compared %zu with sleep sets alone, %zu with every order: %zu ends; %zu, %zu, %zu runs\n",
      compared, by_none, ends, runs[0], runs[1], runs[2]);
}
