// SPDX-License-Identifier: Apache-2.0
// Tests of the PTX front end: what it reads, what it computes, what it refuses, what it finds.
#include "ptx_body.hpp"
#include "support/catch.hpp"

using namespace check_test;

TEST_CASE("integer instructions compute what the ISA says") {
  struct Example {
    const char* body;
    std::uint32_t result;
  };
  const Example examples[] = {
      {"mov.u32 %r2, -5; add.s32 %r1, %r2, 3;", 0xfffffffe},
      {"mov.u32 %r2, 0x80000000; sub.s32 %r1, %r2, 1;", 0x7fffffff},
      {"mov.u32 %r2, 0xffffffff; mul.hi.u32 %r1, %r2, %r2;", 0xfffffffe},
      {"mov.u32 %r2, 0xffffffff; mul.hi.s32 %r1, %r2, %r2;", 0},
      {"mov.u32 %r2, -3; mul.wide.s32 %rd1, %r2, 5; shr.u64 %rd2, %rd1, 32; cvt.u32.u64 %r1, %rd2;",
       0xffffffff},
      {"mov.u32 %r2, -7; div.s32 %r1, %r2, 2;", 0xfffffffd},
      {"mov.u32 %r2, -7; rem.s32 %r1, %r2, 2;", 0xffffffff},
      {"mov.u32 %r2, 1; shl.b32 %r1, %r2, 32;", 0},
      {"mov.u32 %r2, 0x80000000; shr.s32 %r1, %r2, 40;", 0xffffffff},
      {"mov.u32 %r2, 0x80000000; shr.u32 %r1, %r2, 31;", 1},
      {"mov.u32 %r2, 0x12345678; shf.l.wrap.b32 %r1, %r2, %r2, 8;", 0x34567812},
      {"mov.u32 %r2, 0xf; mov.u32 %r3, 0; bfi.b32 %r1, %r2, %r3, 4, 2;", 0x30},
      {"mov.u16 %rs1, 0xffff; cvt.s32.s16 %r1, %rs1;", 0xffffffff},
      {"mov.u16 %rs1, 0xffff; mul.wide.u16 %r1, %rs1, %rs1;", 0xfffe0001},
      {"mov.u32 %r2, 7; setp.lt.s32 %p1, %r2, -1; selp.b32 %r1, 1, 2, %p1;", 2},
      {"mov.u32 %r2, 7; setp.lt.u32 %p1, %r2, -1; selp.b32 %r1, 1, 2, %p1;", 1},
      {"mov.u32 %r2, 0x40490fdb; cvt.rzi.s32.f32 %r1, %r2;", 3},
      {"mov.u32 %r2, 0x3fc00000; add.f32 %r1, %r2, 0f3F800000;", 0x40200000},
      {"mov.u32 %r2, 0x3fc00000; add.f32 %r1, %r2, 0.;", 0x3fc00000},
      {"mov.b32 {%rs1, %rs2}, 0x00020001; mov.b32 %r1, {%rs2, %rs1};", 0x00010002},
      {"mov.b32{%rs1, %rs2}, 0x00020001; mov.b32 %r1, {%rs2, %rs1};", 0x00010002},
      {"mov.u32 %r2, 0xf0; popc.b32 %r1, %r2;", 4},
      {"mov.u32 %r2, 1; clz.b32 %r1, %r2;", 31}};
  for (const Example& e : examples) {
    INFO(e.body);
    CHECK(result_of(e.body) == e.result);
  }
}

TEST_CASE("guards, loops, and labels and registers of a scope") {
  CHECK(result_of("mov.u32 %r1, 0; mov.u32 %r2, 0;\nTOP:\nadd.s32 %r1, %r1, %r2;\n"
                  "add.s32 %r2, %r2, 1; setp.ne.s32 %p1, %r2, 5;\n@%p1 bra TOP;") == 10);
  const std::string scoped =
      "{ .reg .pred done;\nagain:\nadd.s32 %r1, %r1, 1; setp.ge.s32 done, %r1, 3;\n"
      "@!done bra again;\n}\n";
  CHECK(result_of("mov.u32 %r1, 0;" + scoped + "sub.s32 %r1, %r1, 9;" + scoped) == 3);
}

TEST_CASE("what the checker does not know it refuses by name") {
  const std::pair<const char*, const char*> refused[] = {
      {"wgmma.fence.sync.aligned;", "wgmma.fence.sync.aligned"},
      {"mul.hi.f32 %r1, %r1, %r1;", "mul.hi.f32"},
      {"add.sat.s32 %r1, %r1, %r1;", "add.sat.s32"},
      {"add.f32 %r1, %r1, 1.5;", "unknown number 1.5"},
      {"ld.mmio.relaxed.sys.global.u32 %r1, [%rd9];", "ld.relaxed.global.mmio.u32"},
      {"atom.global.add.vec_32_bit.u32 %r1, [%rd9], 1;", "atom.global.add.vec_32_bit.u32"},
      {"ld.global.L2::cache_hint.u32 %r1, [%rd9], %rd1;", "L2::cache_hint"},
      {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r1}, {%r1}, {%r1}, {%r1};",
       "mma.sync.aligned.m8n8k4"},
      {"mov.u32 %r1, %clusterid.x;", "%clusterid.x"},
      {"mov.u32 %r1, nothing;", "nothing"},
      {"call.uni (%r1), function, (%r2);", "call function"},
      {"bra NOWHERE;", "NOWHERE"},
      {"add.s32 %r1, %r1;", "number of operands"},
      {"ld.shared.v2.u32 {%r1}, [s];", "vector"},
      {".surprise 3;", "unknown directive"}};
  for (const auto& [body, name] : refused) {
    INFO(body);
    std::string said;
    try {
      Module(kernel_text(body)).kernel("k");
    } catch (const Unsupported& e) {
      said = e.what();
    }
    CHECK(said.find(name) != std::string::npos);
  }
  CHECK_THROWS_AS(Module("").kernel("k"), Unsupported);
}

TEST_CASE("arguments must agree with the kernel's parameters in number and size") {
  const Kernel kernel = Module(kernel_text("")).kernel("k");
  GlobalMemory memory;
  Launch launch(kernel, memory, {32});
  CHECK_THROWS_AS(launch.arguments(1, 2), Unsupported);
  CHECK_THROWS_AS(launch.arguments(1), Unsupported);
  CHECK_THROWS_AS(run(launch, Schedule::late()), Unsupported);
}

TEST_CASE("accesses outside memory, not aligned, or of what nothing wrote are found") {
  CHECK(run_body("st.global.u32 [%rd9+64], 1;").has(Kind::bounds));
  CHECK(run_body("st.global.u32 [%rd9+-4], 1;").has(Kind::bounds));
  CHECK(run_body("st.global.u32 [%rd9+2], 1;").has(Kind::alignment));
  CHECK(run_body("st.shared.u32 [s+512], 1;").has(Kind::bounds));
  CHECK(run_body("st.shared.v4.u32 [s+8], {%r1, %r1, %r1, %r1};").has(Kind::alignment));
  CHECK(run_body("ld.shared.u32 %r1, [s+4];").has(Kind::unwritten));
  CHECK(run_body("st.shared.u32 [s+4], 1; ld.shared.u32 %r1, [s+4];").clean());
}

TEST_CASE("copies that nobody waits for and barriers that nobody made are found") {
  const std::string copy = "cp.async.ca.shared.global [s], [%rd9], 16;\n";
  CHECK(run_body(copy).has(Kind::abandoned));
  CHECK(run_body(copy + "cp.async.wait_group 0;").has(Kind::abandoned));  // no group was closed
  CHECK(run_body(copy + "cp.async.commit_group; cp.async.wait_group 0;").clean());
  CHECK(run_body(copy + "cp.async.wait_all;").clean());
  CHECK(run_body("cp.async.ca.shared.global [s], [%rd9], 8, 16; cp.async.wait_all;")
            .has(Kind::bounds));
  CHECK(run_body("mbarrier.arrive.shared::cta.b64 %rd1, [s];").has(Kind::protocol));
  CHECK(run_body("mbarrier.init.shared::cta.b64 [s], 1; ld.shared.u32 %r1, [s];")
            .has(Kind::protocol));
}

TEST_CASE("variables of constant and global memory hold what the source or the launch says") {
  const std::string declarations =
      ".const .align 4 .b8 table[8] = {1, 0, 0, 0,\n 2, 0};\n.const .align 4 .u32 given;\n"
      ".visible .global .align 4 .u32 counter = 5;\n.extern .global .align 4 .u32 elsewhere;\n";
  const auto kernel = [&](const std::string& body) {
    return Module(declarations + kernel_text(body + "st.global.u32 [%rd9], %r1;")).kernel("k");
  };
  const auto result = [](Launch& launch, Address buffer, int schedule_count) {
    launch.arguments(buffer);
    const Report report = run(launch, schedules(schedule_count));
    INFO(report.text());
    CHECK(report.clean());
    return launch.memory.read<std::uint32_t>(buffer)[0];
  };
  GlobalMemory memory;
  const Address buffer = memory.add_output<std::uint32_t>(1);
  const Kernel sum = kernel(
      "mov.u64 %rd1, table; ld.const.u32 %r1, [%rd1]; ld.const.u32 %r2, [table+4];"
      "ld.const.u32 %r3, [given]; atom.global.add.u32 %r4, [counter], 1; ld.global.u32 %r5, "
      "[counter];"
      "shl.b32 %r2, %r2, 4; shl.b32 %r3, %r3, 8; shl.b32 %r5, %r5, 12;"
      "or.b32 %r1, %r1, %r2; or.b32 %r1, %r1, %r3; or.b32 %r1, %r1, %r5;");
  Launch launch(sum, memory, {1});
  CHECK(result(launch, buffer, 2) == 0x6021);  // the counter begins anew in each run
  launch.variable("given", 3u);
  launch.variable("counter", 8u);
  CHECK(result(launch, buffer, 0) == 0x9321);
  CHECK_THROWS_AS(launch.variable("given", std::uint8_t{3}), Unsupported);
  CHECK_THROWS_AS(launch.variable("elsewhere", 3u), Unsupported);

  const Kernel outside = kernel("ld.const.u32 %r1, [table+8];");
  Launch beyond(outside, memory, {1});
  beyond.arguments(buffer);
  CHECK(run(beyond, Schedule::late()).has(Kind::bounds));
  const Kernel foreign = kernel("ld.global.u32 %r1, [elsewhere];");
  Launch unknown(foreign, memory, {1});
  unknown.arguments(buffer);
  CHECK_THROWS_AS(run(unknown, Schedule::late()), Unsupported);
}

TEST_CASE("assertions that fail are found, what is printed is not, and other calls are refused") {
  const auto call = [](const std::string& called) {
    return "{ .param .b64 param0;\nst.param.b64 [param0+0], %rd9;\n.param .b32 retval0;\n"
           "call.uni (retval0), " +
           called + ", (param0);\nld.param.b64 %rd1, [param0+0];\n}\n";
  };
  CHECK(result_of(call("vprintf") + call("vprintf") +
                  "setp.eq.s64 %p1, %rd1, %rd9; selp.u32 %r1, 1, 0, %p1;") == 1);
  const Report report = run_body(call("__assertfail"));
  CHECK(report.has(Kind::protocol));
  CHECK(report.text().find("an assertion of thread 0 fails") != std::string::npos);
  CHECK_THROWS_AS(run_body(call("malloc")), Unsupported);
}

TEST_CASE("a copy shorter than its destination fills with zeros") {
  CHECK(result_of("cp.async.ca.shared.global [s], [%rd9], 8, 4; cp.async.wait_all;"
                  "ld.shared.u32 %r1, [s+4];") == 0);
  CHECK(result_of("cp.async.ca.shared.global [s], [%rd9], 8, 4; cp.async.wait_all;"
                  "ld.shared.u32 %r1, [s];") == ~0u);
}

TEST_CASE("lanes exchange by shuffles, votes and elections, and wait for each other") {
  const std::string store =
      "mul.wide.u32 %rd1, %r9, 4; add.s64 %rd1, %rd9, %rd1;"
      "setp.lt.u32 %p3, %r9, 16; @%p3 st.global.u32 [%rd1], %r1;";
  std::vector<std::uint32_t> out;
  REQUIRE(run_body("shfl.sync.down.b32 %r1|%p1, %r9, 3, 31, -1;" + store, &out, 32).clean());
  CHECK(out[5] == 8);
  REQUIRE(run_body("shfl.sync.up.b32 %r1, %r9, 1, 0, -1;" + store, &out, 32).clean());
  CHECK((out[0] == 0 && out[7] == 6));
  REQUIRE(run_body("shfl.sync.bfly.b32 %r1, %r9, 5, 31, -1;" + store, &out, 32).clean());
  CHECK(out[4] == 1);
  REQUIRE(run_body("shfl.sync.idx.b32 %r1, %r9, 2, 0x181f, -1;" + store, &out, 32).clean());
  CHECK((out[1] == 2 && out[13] == 10));
  REQUIRE(run_body("setp.lt.u32 %p1, %r9, 3; vote.sync.ballot.b32 %r1, %p1, -1;" + store, &out, 32)
              .clean());
  CHECK(out[9] == 7);
  REQUIRE(run_body("elect.sync _|%p1, -1; selp.u32 %r1, 1, 0, %p1;" + store, &out, 32).clean());
  CHECK((out[0] == 1 && out[1] == 0));
  // Who is elected is not said: what lane 0 wrote, another may read without any order.
  const Kernel elected =
      Module(kernel_text("mov.u32 %r5, s; setp.eq.s32 %p1, %r9, 0; @%p1 st.shared.u32 [%r5], 7;"
                         "elect.sync _|%p2, -1; @%p2 ld.shared.u32 %r1, [%r5];"))
          .kernel("k");
  GlobalMemory memory;
  Launch launch(elected, memory, {32});
  launch.arguments(memory.add(std::vector<std::uint32_t>(16)));
  CHECK(run(launch, Schedule::late()).clean());
  CHECK(run(launch, Schedule::early()).has(Kind::race));
  CHECK(
      run_body("setp.lt.u32 %p1, %r9, 3; @%p1 bar.warp.sync -1;", nullptr, 32).has(Kind::deadlock));
}

TEST_CASE("a barrier that reduces answers all who wait, for its count of threads") {
  const std::string store =
      "mul.wide.u32 %rd1, %r9, 4; add.s64 %rd1, %rd9, %rd1; and.b32 %r8, %r9, 31;"
      "shr.u32 %r7, %r9, 2; setp.eq.s32 %p3, %r8, 5; mad.wide.u32 %rd1, %r7, 1, %rd9;"
      "and.b64 %rd1, %rd1, -4; @%p3 st.global.u32 [%rd1], %r1;";  // lane 5 of warp w: word 2 w
  std::vector<std::uint32_t> out;
  const std::string below = "setp.lt.u32 %p1, %r9, 40;";
  REQUIRE(run_body(below + "bar.red.popc.u32 %r1, 0, %p1;" + store, &out, 96).clean());
  CHECK((out[0] == 40 && out[2] == 40 && out[4] == 40));
  const std::string chosen = " selp.u32 %r1, 1, 0, %p2;";
  REQUIRE(
      run_body(below + "barrier.cta.red.and.aligned.pred %p2, 1, %p1;" + chosen + store, &out, 64)
          .clean());
  CHECK((out[0] == 0 && out[2] == 0));
  REQUIRE(run_body(below + "bar.red.or.pred %p2, 1, %p1;" + chosen + store, &out, 96).clean());
  CHECK((out[0] == 1 && out[4] == 1));
  // Each warp on its own barrier.
  REQUIRE(
      run_body(below + "shr.u32 %r6, %r9, 5; bar.red.and.pred %p2, %r6, 32, %p1;" + chosen + store,
               &out, 96)
          .clean());
  CHECK((out[0] == 1 && out[2] == 0 && out[4] == 0));
  CHECK(
      run_body(
          below + "setp.lt.u32 %p3, %r9, 32; @%p3 bar.sync 0; @!%p3 bar.red.popc.u32 %r1, 0, %p1;",
          nullptr, 64)
          .has(Kind::protocol));
  CHECK(run_body(below + "setp.lt.u32 %p3, %r9, 32; @%p3 bar.red.popc.u32 %r1, 0, 64, %p1;",
                 nullptr, 64)
            .has(Kind::deadlock));
}

TEST_CASE("a barrier that reduces orders like any other") {
  const std::string wrote = "mov.u32 %r5, s; setp.eq.s32 %p1, %r9, 0; @%p1 st.shared.u32 [%r5], 7;";
  const std::string read = "ld.shared.u32 %r1, [%r5];";
  CHECK(run_body(wrote + "bar.red.popc.u32 %r2, 0, %p1;" + read, nullptr, 64).clean());
  CHECK(run_body(wrote + read, nullptr, 64).has(Kind::race));
}

TEST_CASE("a loop that never ends is found") {
  const Kernel kernel = Module(kernel_text("TOP: bra TOP;")).kernel("k");
  GlobalMemory memory;
  Launch launch(kernel, memory, {1});
  launch.arguments(Address{0});
  launch.max_instructions = 1000;
  CHECK(run(launch, Schedule::late()).has(Kind::deadlock));
}
