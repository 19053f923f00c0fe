// SPDX-License-Identifier: Apache-2.0
// Mutants of the PTX: each synchronising instruction dropped or shifted by one must be found, or be
// one of those that are listed as equivalent, in survivors_<arch>.txt beside this file.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>

#include "library_launch.hpp"
#include "ptx_files.hpp"
#include "support/catch.hpp"

using namespace check_test;

namespace {

struct Mutation {
  const char* name;
  const char* original;
  const char* replacement;
};

const Mutation mutations[] = {
    {"bar.sync dropped", R"(bar\.sync\s+0;)", ""},
    {"bar.warp.sync dropped", R"(bar\.warp\.sync\s+-1;)", ""},
    {"named bar.sync dropped", R"(bar\.sync (%r\d+), (%r\d+);)", ""},
    {"named bar.sync for one warp more", R"(bar\.sync (%r\d+), (%r\d+);)",
     "{ .reg .u32 m; add.u32 m, $2, 32; bar.sync $1, m; }"},
    {"bar.arrive dropped", R"(bar\.arrive (%r\d+), (%r\d+);)", ""},
    {"wait_group dropped", R"(cp\.async\.wait_group \d+;)", ""},
    {"wait_group one shallower", R"(cp\.async\.wait_group (\d+);)", "cp.async.wait_group $1+1;"},
    {"commit_group dropped", R"(cp\.async\.commit_group;)", ""},
    {"mbarrier.init dropped", R"(mbarrier\.init\.shared::cta\.b64 \[[^\]]+\], %r\d+;)", ""},
    {"mbarrier.init of one more", R"(mbarrier\.init\.shared::cta\.b64 (\[[^\]]+\]), (%r\d+);)",
     "{ .reg .u32 m; add.u32 m, $2, 1; mbarrier.init.shared::cta.b64 $1, m; }"},
    {"mbarrier.init of one less", R"(mbarrier\.init\.shared::cta\.b64 (\[[^\]]+\]), (%r\d+);)",
     "{ .reg .u32 m; sub.u32 m, $2, 1; mbarrier.init.shared::cta.b64 $1, m; }"},
    {"arrive dropped", R"(mbarrier\.arrive\.shared::cta\.b64 state, \[[^\]]+\];)", ""},
    {"arrive doubled", R"((mbarrier\.arrive\.shared::cta\.b64 state, \[[^\]]+\];))", "$1 $1"},
    {"noinc arrival dropped", R"(cp\.async\.mbarrier\.arrive\.noinc\.shared::cta\.b64 \S+;)", ""},
    {"noinc arrival made plain", R"(cp\.async\.mbarrier\.arrive\.noinc\.shared::cta\.b64 (\S+);)",
     "{ .reg .b64 m; mbarrier.arrive.shared::cta.b64 m, $1; }"},
    {"noinc arrival counted", R"(cp\.async\.mbarrier\.arrive\.noinc(\S+ \S+;))",
     "cp.async.mbarrier.arrive$1"},
    {"arrive.expect_tx dropped", R"(mbarrier\.arrive\.expect_tx\S+ _, \[[^\]]+\], %r\d+;)", ""},
    {"arrive.expect_tx 16 more", R"((mbarrier\.arrive\.expect_tx\S+ _, \[[^\]]+\]), (%r\d+);)",
     "{ .reg .u32 m; add.u32 m, $2, 16; $1, m; }"},
    {"arrive.expect_tx 16 less", R"((mbarrier\.arrive\.expect_tx\S+ _, \[[^\]]+\]), (%r\d+);)",
     "{ .reg .u32 m; sub.u32 m, $2, 16; $1, m; }"},
    {"expect_tx dropped", R"(mbarrier\.expect_tx\.relaxed\S+ \[[^\]]+\], %r\d+;)", ""},
    {"parity wait dropped", R"(mbarrier\.t\w+_wait\.parity\S+ done, \[[^\]]+\], %r\d+;)",
     "setp.eq.u32 done, 0, 0;"},
    {"parity wait flipped", R"((mbarrier\.t\w+_wait\.parity\S+ done, \[[^\]]+\]), (%r\d+);)",
     "{ .reg .u32 m; xor.b32 m, $2, 1; $1, m; }"},
    {"fence.proxy.async dropped", R"(fence\.proxy\.async\.shared::cta;)", ""},
    {"fence.mbarrier_init dropped", R"(fence\.mbarrier_init\.release\.cluster;)", ""},
    {"inval dropped", R"(mbarrier\.inval\S+ \[[^\]]+\];)", ""}};

// What no schedule of these launches can tell from the kernel as it is. Each entry says why.
struct Equivalent {
  const char* mutation;  // regular expressions
  const char* kernels;
  const char* reason;
};
const Equivalent equivalents[] = {
    {"fence.mbarrier_init dropped", ".*", "the fence.proxy.async behind it orders the init too"},
    {"fence.proxy.async dropped", "bulk_rows",
     "only the last tile has a rest that is stored, and nothing is copied over it"},
    {"fence.proxy.async dropped", "tensor_stores_cut",
     "every tile is cut within 16 bytes, and so goes by plain stores"},
    {"bar.*sync dropped", ".*",
     "another barrier, the kernel's own before the pipeline or its end, orders the same"},
    {"(commit|wait)_group", "^(roles|closed|reused|window|stop)|groups_s2",
     "the end of a run waits for groups that are empty, or of which mbarriers have told"},
    {"parity wait dropped", "roles_bulk|tensor_(empty_)?roles|^closed",
     "the end of a run waits for phases that the computing threads have seen"},
    {"arrive dropped|noinc arrival|mbarrier.init of", "^closed",
     "close() ends a stage that was filled and that nobody waits for"}};

// "registers_s1__t128u1e512_exact: bar.sync dropped: another barrier ..."
std::string survivor(const std::string& mutation, const std::string& kernel) {
  for (const Equivalent& e : equivalents)
    if (std::regex_search(mutation, std::regex(e.mutation)) &&
        std::regex_search(kernel, std::regex(e.kernels)))
      return kernel + ": " + mutation + ": " + e.reason;
  return kernel + ": " + mutation + ": not explained";
}

// How many places of a kernel survive a mutation: a line for each, "2 x " and the survivor.
using Survivors = std::map<std::string, std::size_t>;
std::string survivors_file() {
  return std::string(CHECK_SURVIVORS_DIR) + "/survivors_" + std::to_string(ptx_arch()) + ".txt";
}
Survivors stored_survivors() {
  Survivors stored;
  std::ifstream file(survivors_file());
  std::size_t count = 0;
  for (std::string line; file >> count && file.ignore(3) && std::getline(file, line);)
    stored[line] = count;
  return stored;
}
void store(const Survivors& survivors) {
  std::ofstream file(survivors_file());
  for (const auto& [line, count] : survivors) file << count << " x " << line << "\n";
}

// "$1+1" becomes the number one above group 1.
std::string replacement_of(const Mutation& mutation, const std::smatch& match) {
  std::string text = match.format(mutation.replacement);
  const std::size_t plus = text.find("+1;");
  if (plus == std::string::npos) return text;
  return text.substr(0, text.rfind(' ')) + " " + std::to_string(std::stoi(match[1]) + 1) + ";";
}

// Whether any launch shows a fault, or the kernel cannot even be read.
bool is_found(const ptx::ModuleText& module, const ptx::ModuleText::Entry& entry) {
  try {
    const Kernel kernel = ptx::KernelParser(module, entry).take();
    for (const int tiles : {7, 1, 2, 3, 4, 5, 13})
      for (const Schedule& schedule : schedules(1)) {
        const Outcome outcome = launch_library_kernel(kernel, tiles, {schedule});
        if (!outcome.report.clean() || !outcome.wrong.empty()) return true;
      }
    return !launch_library_kernel(kernel, 5, {}).report.clean();
  } catch (const Unsupported&) {
    return true;
  }
}

}  // namespace

TEST_CASE("each synchronising instruction dropped or shifted is found") {
  const ptx::ModuleText module = ptx::module_text(Module::read_file(ptx_file("library_kernels")));
  constexpr std::size_t ends = 2;  // places at each end: between, the compiler repeats itself
  std::size_t found = 0, equivalent = 0, unreached = 0;
  Survivors survivors;
  for (const ptx::ModuleText::Entry& entry : module.entries)
    for (const Mutation& mutation : mutations) {
      const std::regex original(mutation.original);
      std::vector<std::smatch> places;
      for (std::sregex_iterator it(entry.body.begin(), entry.body.end(), original), end; it != end;
           ++it)
        places.push_back(*it);
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (i >= ends && i + ends < places.size()) continue;
        const auto with = [&](const std::string& text) {
          ptx::ModuleText::Entry changed = entry;
          changed.body.replace(static_cast<std::size_t>(places[i].position()),
                               static_cast<std::size_t>(places[i].length()), text);
          return changed;
        };
        if (is_found(module, with(replacement_of(mutation, places[i])))) {
          ++found;
        } else if (!is_found(module, with("trap;"))) {
          ++unreached;
        } else {
          ++equivalent;
          ++survivors[survivor(mutation.name, entry.name)];
        }
      }
    }
  std::printf("mutants: %zu found, %zu equivalent; %zu at places that no launch reaches\n", found,
              equivalent, unreached);
  if (std::getenv("CHECK_STORE_SURVIVORS") != nullptr) store(survivors);
  const Survivors stored = stored_survivors();
  std::size_t gone = 0;
  for (const auto& [line, count] : stored) {
    const auto here = survivors.find(line);
    gone += count - std::min(count, here == survivors.end() ? 0 : here->second);
  }
  std::printf("%zu of those stored are found now\n", gone);
  // A survivor that is not stored: find out why nothing tells it from the kernel as it is, or what
  // the checker misses; then store it, by CHECK_STORE_SURVIVORS=1 in the environment.
  for (const auto& [line, count] : survivors) {
    INFO(line);
    CHECK(line.find("not explained") == std::string::npos);
    const auto listed = stored.find(line);
    CHECK(count <= (listed == stored.end() ? 0 : listed->second));
  }
}
