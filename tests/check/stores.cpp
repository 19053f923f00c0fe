// SPDX-License-Identifier: Apache-2.0
// Tests of bulk stores: groups, the slot that a store still reads, the proxy fence, additions.
#include "ptx_body.hpp"

using namespace check_test;

namespace {

const std::string fence = "fence.proxy.async.shared::cta;\n";
const std::string commit = "cp.async.bulk.commit_group;\n";
const std::string first = "setp.ne.u32 %p1, %r9, 0;\n@%p1 bra BEHIND;\n", behind = "BEHIND:\n";

// 16 bytes from s + from to the buffer's byte `to`.
std::string store(int to, int from, const std::string& name = "cp.async.bulk") {
  const std::string verb = name.substr(0, name.find(' '));
  const std::string operation = verb == name ? "" : name.substr(verb.size() + 1);
  return verb + ".global.shared::cta.bulk_group" + operation + " [%rd9+" + std::to_string(to) +
         "], [s+" + std::to_string(from) + "], 16;\n";
}
std::string wait(int groups, bool read = true) {
  return std::string("cp.async.bulk.wait_group") + (read ? ".read " : " ") +
         std::to_string(groups) + ";\n";
}
// Four words of value + 0, 1, 2, 3.
std::string fill(int at, int value) {
  std::string text;
  for (int i = 0; i < 4; ++i)
    text += "st.shared.u32 [s+" + std::to_string(at + 4 * i) + "], " + std::to_string(value + i) +
            ";\n";
  return text;
}

Report run_all(const std::string& body, std::uint32_t threads = 1,
               std::vector<std::uint32_t>* out = nullptr) {
  const Kernel kernel = Module(kernel_text(body)).kernel("k");
  GlobalMemory memory;
  const Address buffer = memory.add(std::vector<std::uint32_t>(16, 100));
  Launch launch(kernel, memory, {threads});
  launch.arguments(buffer);
  Report report = search(launch, 10);
  CHECK((report.complete || !report.clean()));
  memory = GlobalMemory();
  memory.add(std::vector<std::uint32_t>(16, 100));
  report.add(run(launch, schedules(4)));
  if (out != nullptr) *out = memory.read<std::uint32_t>(buffer);
  return report;
}
// Whether that is all that is said, in every schedule.
void check_only(Kind kind, const std::string& body, std::uint32_t threads = 1) {
  const Report report = run_all(body, threads);
  INFO(body << "\n" << report.text());
  CHECK(report.has(kind));
  for (const Finding& finding : report.findings) CHECK(finding.kind == kind);
}

}  // namespace

TEST_CASE("a cache policy changes nothing of a store") {
  std::vector<std::uint32_t> out;
  const std::string body =
      "createpolicy.fractional.L2::evict_first.b64 %rd2;\n" + fill(0, 7) + fence +
      "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%rd9+16], [s], 16, %rd2;\n" +
      commit + wait(0, false);
  CHECK(run_all(body, 1, &out).clean());
  CHECK(out[3] == 100);
  CHECK((out[4] == 7 && out[7] == 10));
}

TEST_CASE("a store of what all threads wrote is clean, and arrives") {
  std::vector<std::uint32_t> out;
  const std::string body =
      "mul.lo.u32 %r1, %r9, 4;\nmov.u32 %r2, s;\nadd.u32 %r2, %r2, %r1;\n"
      "st.shared.u32 [%r2], %r9;\n" +
      fence + "bar.sync 0;\n" + first + store(16, 0) + store(32, 16) + commit + wait(0) + behind +
      "bar.sync 0;\nst.shared.u32 [%r2], 7;\n";
  const Report report = run_all(body, 8, &out);
  INFO(report.text());
  CHECK(report.clean());
  for (std::uint32_t i = 0; i < 16; ++i) CHECK(out[i] == (i < 4 || i >= 12 ? 100 : i - 4));
}

TEST_CASE("a store of bytes that nothing wrote is found") {
  check_only(Kind::unwritten, store(0, 0) + commit + wait(0));
  check_only(Kind::unwritten, fill(0, 1) + fence + store(0, 4 * 4) + commit + wait(0));
}

TEST_CASE(
    "a store of what another thread wrote needs an order, and a fence as a severity of its own") {
  const std::string written = "@%p1 st.shared.v4.u32 [s], {%r9, %r9, %r9, %r9};\n";
  const std::string stored = "@%p1 bra BEHIND;\n" + store(0, 0) + commit + wait(0) + behind;
  const std::string begin = "setp.ne.u32 %p1, %r9, 0;\n";
  check_only(Kind::race, begin + "@!%p1 bar.warp.sync 1;\n" + written + fence + stored, 2);
  check_only(Kind::proxy, begin + written + "bar.sync 0;\n" + stored, 2);
  CHECK(severity_of(Kind::proxy) == Severity::proxy);
  CHECK(run_all(begin + written + fence + "bar.sync 0;\n" + stored, 2).clean());
  CHECK(run_all(begin + written + "bar.sync 0;\n" + fence + stored, 2).clean());
}

TEST_CASE("what cp.async wrote needs the fence, and what came in bulk does not") {
  const std::string copied = "cp.async.cg.shared.global [s], [%rd9], 16;\ncp.async.wait_all;\n";
  check_only(Kind::proxy, copied + store(16, 0) + commit + wait(0));
  CHECK(run_all(copied + fence + store(16, 0) + commit + wait(0), 1).clean());
  const std::string in_bulk =
      "mbarrier.init.shared::cta.b64 [s+64], 1;\n" + fence +
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [s+64], 16;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd9], 16, [s+64];\n"
      "W:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [s+64], 0;\n@!%p1 bra W;\n";
  CHECK(run_all(in_bulk + store(16, 0) + commit + wait(0), 1).clean());
}

TEST_CASE("a store under way has nothing to do with an mbarrier that ends") {
  CHECK(run_all("mbarrier.init.shared::cta.b64 [s], 1;\n" + fill(16, 1) + fence + store(0, 16) +
                commit + "mbarrier.inval.shared::cta.b64 [s];\n" + wait(0))
            .clean());
}

TEST_CASE("a slot that a store still reads must not be written") {
  const std::string stored = fill(0, 1) + fence + store(0, 0) + commit;
  check_only(Kind::race, stored + fill(0, 5) + wait(0));
  CHECK(run_all(stored + wait(0) + fill(0, 5), 1).clean());
  CHECK(run_all(stored + fill(16, 5) + wait(0), 1).clean());  // another slot
  CHECK(run_all(stored + "ld.shared.u32 %r1, [s];\n" + wait(0), 1).clean());
  check_only(Kind::race, stored +
                             "cp.async.cg.shared.global [s], [%rd9+32], 16;\n"
                             "cp.async.wait_all;\n" +
                             wait(0));
  // By another thread: a barrier alone tells it nothing of the store.
  const std::string overwritten =
      "bar.sync 0;\n@%p1 st.shared.u32 [s], 9;\n@!%p1 cp.async.bulk.wait_group.read 0;\n";
  check_only(Kind::race, first + stored + behind + overwritten, 2);
  CHECK(run_all(first + stored + wait(0) + behind + overwritten, 2).clean());
}

TEST_CASE("a wait covers all groups but the newest, and not what no group holds") {
  const std::string both =
      fill(0, 1) + fill(16, 5) + fence + store(0, 0) + commit + store(16, 16) + commit;
  CHECK(run_all(both + wait(1) + fill(0, 9) + wait(0), 1).clean());
  check_only(Kind::race, both + wait(1) + fill(16, 9) + wait(0));
  check_only(Kind::race, both + wait(2) + fill(0, 9) + wait(0));
  check_only(Kind::abandoned, both);
  check_only(Kind::abandoned, both + wait(1));
  check_only(Kind::abandoned, fill(0, 1) + fence + store(0, 0) + wait(0));
  CHECK(run_all(commit + wait(0) + wait(0, false), 1).clean());
}

TEST_CASE("a wait for reads does not write yet, and the end of the kernel does") {
  const std::string stored = fill(0, 1) + fence + store(0, 0) + commit;
  std::vector<std::uint32_t> out;
  const std::string look = "ld.global.u32 %r1, [%rd9];\nst.global.u32 [%rd9+32], %r1;\n";
  CHECK(run_body(stored + wait(0) + fill(0, 7) + look, &out).clean());
  CHECK(out[8] == ~0u);
  CHECK(out[0] == 1);  // as it was read
  CHECK(run_body(stored + wait(0, false) + look, &out).clean());
  CHECK(out[8] == 1);
}

TEST_CASE("stores of the wrong size or place are found") {
  const auto one = [](const std::string& operands) {
    return fill(0, 1) + fill(16, 1) + fence + "cp.async.bulk.global.shared::cta.bulk_group " +
           operands + ";\n" + commit + wait(0);
  };
  check_only(Kind::alignment, one("[%rd9], [s+4], 16"));
  check_only(Kind::alignment, one("[%rd9], [s], 8"));
  check_only(Kind::alignment, one("[%rd9], [s], 0"));
  CHECK(run_all(one("[%rd9+4], [s], 16"), 1).has(Kind::alignment));
  check_only(Kind::bounds, one("[%rd9+48], [s], 32"));
  check_only(Kind::bounds, one("[%rd9], [s+512], 16"));
  CHECK(run_all(one("[%rd9], [s], 32"), 1).clean());
}

TEST_CASE("a reducing store combines element by element with what is there") {
  struct Example {
    const char* operation;
    std::uint32_t there, with, result;
  };
  const Example examples[] = {{".add.u32", 100, 7, 107},
                              {".add.u32", 0xffffffff, 2, 1},
                              {".min.s32", 0xffffffff, 3, 0xffffffff},
                              {".min.u32", 0xffffffff, 3, 3},
                              {".max.s32", 0xffffffff, 3, 3},
                              {".and.b32", 0xf0, 0x3c, 0x30},
                              {".or.b32", 0xf0, 0x3c, 0xfc},
                              {".xor.b32", 0xf0, 0x3c, 0xcc},
                              {".inc.u32", 4, 4, 0},
                              {".dec.u32", 0, 9, 9},
                              {".add.f32", 0x3f800000, 0x40000000, 0x40400000},
                              {".add.u64", 0xffffffff, 1, 0},
                              {".add.noftz.f16", 0x3c003c00, 0x40003c00, 0x42004000},
                              {".add.noftz.bf16", 0x3f803f80, 0x40003f80, 0x40404000}};
  for (const Example& e : examples) {
    INFO(e.operation);
    std::vector<std::uint32_t> words(16, e.there);
    std::string body;
    for (int i = 0; i < 4; ++i)
      body += "st.shared.u32 [s+" + std::to_string(4 * i) + "], " + std::to_string(e.with) + ";\n";
    const Report report =
        run_on(words,
               body + fence + store(16, 0, std::string("cp.reduce.async.bulk ") + e.operation) +
                   commit + wait(0),
               1);
    INFO(report.text());
    CHECK(report.clean());
    CHECK(words[0] == e.there);
    CHECK(words[4] == e.result);
    CHECK(words[8] == e.there);
  }
}
