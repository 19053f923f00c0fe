// SPDX-License-Identifier: Apache-2.0
// Rings by hand: the right ones are clean, and each planted fault is found on the first schedule.
#include "ptx_files.hpp"

#include <algorithm>
#include <ctime>
#include <map>

#include "support/catch.hpp"

using namespace check_test;

static constexpr int stages = 3, elements = 128;

static Report check_ring(const Kernel& kernel, int tiles, Dim3 block,
                         const std::vector<Schedule>& all) {
  std::vector<float> in(static_cast<std::size_t>(tiles) * elements);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 8191);
  GlobalMemory memory;
  const Address from = memory.add(in), to = memory.add_output<float>(in.size());
  Launch launch(kernel, memory, block);
  launch.arguments(from, to, tiles);
  // Without schedules: all that differ.
  const Report report = all.empty() ? search(launch, 50) : run(launch, all);
  if (!report.clean()) return report;
  const std::vector<float> out = memory.read<float>(to);
  for (std::size_t i = 0; i < out.size(); ++i)
    REQUIRE(out[i] == 2 * in[i / elements * elements + elements - 1 - i % elements]);
  return report;
}

static std::string fault_of(const std::string& kernel) {
  const std::size_t at = kernel.find("__");
  return at == std::string::npos ? "" : kernel.substr(at + 2);
}
static bool has_roles(const std::string& kernel) { return kernel.rfind("roles", 0) == 0; }

TEST_CASE("right rings are clean and right in blocks of every shape and for 0 to 4S+1 tiles") {
  const Module module = Module::from_file(ptx_file("rings"));
  int checked = 0;
  for (const std::string& name : module.names()) {
    if (fault_of(name) != "none") continue;
    const Kernel kernel = module.kernel(name);
    const std::vector<Dim3> blocks = has_roles(name)
                                         ? std::vector<Dim3>{{64}}
                                         : std::vector<Dim3>{{32}, {96}, {16, 5}, {33}, {256}};
    for (const Dim3 block : blocks)
      for (int tiles = 0; tiles <= 4 * stages + 1; ++tiles) {
        const Report report = check_ring(kernel, tiles, block, schedules(3));
        INFO(name << ", " << tiles << " tiles, " << block.x << "x" << block.y << "\n"
                  << report.text());
        CHECK(report.clean());
        ++checked;
        if (tiles % 4 != 1) continue;
        const Report orders = check_ring(kernel, tiles, block, {});
        INFO(orders.text());
        CHECK(orders.clean());
        CHECK(orders.complete);
      }
  }
  CHECK(checked > 0);
}

TEST_CASE("a product of 256 threads in 32 tiles takes less than 0.3 s a schedule") {
  if (ptx_arch() < 80) return;
  constexpr std::size_t tiles = 32, elements_of_all = tiles * 1024;
  std::vector<float> a(elements_of_all), b(elements_of_all);
  for (std::size_t i = 0; i < elements_of_all; ++i) {
    a[i] = static_cast<float>(i % 61);
    b[i] = static_cast<float>(i % 59);
  }
  const Kernel kernel = Module::from_file(ptx_file("rings")).kernel("product");
  double seconds = 1e9;
  for (const Schedule& schedule : {Schedule::late(), Schedule::early(), Schedule::ordered()}) {
    GlobalMemory memory;
    const Address from_a = memory.add(a), from_b = memory.add(b);
    const Address to = memory.add_output<float>(64 * 64);
    Launch launch(kernel, memory, {256});
    launch.arguments(from_a, from_b, to, static_cast<int>(tiles));
    const std::clock_t begin = std::clock();  // of this process alone: others may use the machine
    const Report report = run(launch, schedule);
    seconds = std::min(seconds, static_cast<double>(std::clock() - begin) / double{CLOCKS_PER_SEC});
    INFO(report.text());
    CHECK(report.clean());
    const std::vector<float> out = memory.read<float>(to);
    for (const std::size_t at : {0u, 77u, 4095u}) {
      float sum = 0;
      for (std::size_t k = 0; k < 16 * tiles; ++k) sum += a[k * 64 + at / 64] * b[k * 64 + at % 64];
      CHECK(out[at] == sum);
    }
  }
  std::printf("a schedule of the product: %.3f s\n", seconds);
  CHECK(seconds < 0.3);
}

// What must be said about each fault, at least.
static const std::map<std::string, std::vector<Kind>> expected_kinds = {
    {"missing_wait", {Kind::race}},
    {"shallow_wait", {Kind::race}},
    {"commit_only_copies", {Kind::race}},
    {"no_barrier_after_wait", {Kind::race}},
    {"refill_before_barrier", {Kind::race}},
    {"no_release", {Kind::deadlock}},
    {"release_before_read", {Kind::race}},
    {"consumer_parity_stuck", {Kind::race, Kind::deadlock, Kind::protocol}},
    {"producer_parity_wrong", {Kind::deadlock}},
    {"expect_16_more", {Kind::deadlock}},
    {"expect_16_less", {Kind::race, Kind::protocol}},
    {"no_expect", {Kind::race, Kind::protocol}},
    {"no_barrier_after_init", {Kind::race, Kind::protocol}},
    {"no_wait_for_empty", {Kind::race, Kind::protocol}},
    {"full_count_plus_1", {Kind::deadlock}},
    {"no_fence", {Kind::proxy}},
    {"store_before_barrier", {Kind::race}},
    {"missing_store_wait", {Kind::race}},
    {"shallow_store_wait", {Kind::race}},
    {"no_last_store_wait", {Kind::abandoned}}};

TEST_CASE("each planted fault is found on the first schedule, and on every other") {
  const Module module = Module::from_file(ptx_file("rings"));
  std::size_t faults = 0;
  for (const std::string& name : module.names()) {
    if (fault_of(name) == "none" || fault_of(name).empty()) continue;
    ++faults;
    const Kernel kernel = module.kernel(name);
    const Dim3 block{has_roles(name) ? 64u : 32u};
    std::vector<std::vector<Schedule>> tries{{}};  // a search, and each schedule by itself
    for (const Schedule& schedule : schedules(5)) tries.push_back({schedule});
    for (const std::vector<Schedule>& schedule : tries) {
      const Report report = check_ring(kernel, 7, block, schedule);
      INFO(name << ", " << (schedule.empty() ? "search" : schedule[0].name()) << "\n"
                << report.text());
      CHECK(report.schedules == 1);
      bool found = false;
      for (const Kind kind : expected_kinds.at(fault_of(name))) found = found || report.has(kind);
      CHECK(found);
      if (!report.clean()) {
        const Report again =
            check_ring(kernel, 7, block, {Schedule::named(report.findings[0].replay)});
        CHECK(again.text() == report.text());
      }
    }
  }
  CHECK(faults == (ptx_arch() >= 90 ? 28u : ptx_arch() >= 80 ? 13u : 1u));
  std::printf("faults found: %zu of %zu\n", faults, faults);
}

TEST_CASE("a finding names both source lines, and a deadlock what each thread waits for") {
  const Module module = Module::from_file(ptx_file("rings"));
  const Report race =
      check_ring(module.kernel("registers__no_barrier_after_wait"), 3, {64}, {Schedule::late()});
  REQUIRE(race.has(Kind::race));
  for (const Finding& finding : race.findings)
    if (finding.kind == Kind::race)
      CHECK(finding.text.rfind("rings.cu:") != finding.text.find("rings.cu:"));
  if (ptx_arch() < 80) return;
  const Report stuck =
      check_ring(module.kernel("roles_cp_async__full_count_plus_1"), 3, {64}, {Schedule::late()});
  REQUIRE(stuck.has(Kind::deadlock));
  INFO(stuck.text());
  CHECK(stuck.text().find("threads 0-31 wait for the mbarrier") != std::string::npos);
  CHECK(stuck.text().find("mbarrier.cuh:") < stuck.text().find(", from rings.cu:"));
  CHECK(stuck.text().find("(phase 0, 1 of 33 arrivals and 0 bytes are missing)") !=
        std::string::npos);
  if (ptx_arch() < 90) return;
  const Report bytes =
      check_ring(module.kernel("roles_bulk__expect_16_more"), 13, {64}, {Schedule::late()});
  INFO(bytes.text());
  CHECK(bytes.text().find("for parity 0 at mbarrier.try_wait.parity") != std::string::npos);
  CHECK(bytes.text().find("(phase 0, 0 of 1 arrivals and 16 bytes are missing)") !=
        std::string::npos);
  CHECK(bytes.text().find("thread 32 waits for the mbarrier") != std::string::npos);
}
