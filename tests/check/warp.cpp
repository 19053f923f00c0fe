// SPDX-License-Identifier: Apache-2.0
// Tests of what lanes do together, matrices above all, and of what atomics do and order.
#include <cstring>

#include "ptx_body.hpp"

using namespace check_test;

namespace {

// %rd1 becomes the address of the lane's own `words` words.
std::string own_words(int words) {
  return "mul.wide.u32 %rd1, %r9, " + std::to_string(4 * words) + "; add.s64 %rd1, %rd9, %rd1;";
}

struct Element {
  int row, column;
};
// Where element i of a lane's fragment lies, as the ISA's chapter on mma.m16n8k* lists it: the
// lane's group, its number in the group.
using Map = Element (*)(int i, int group, int number);

struct Product {
  const char* instruction;
  int k;
  int bits;  // of an element of A and B
  Map a, b;
  bool half_sums;
};

Element sums(int i, int group, int number) {
  return {i < 2 ? group : group + 8, number * 2 + (i & 1)};
}

const Product products[] = {
    {"m16n8k16.row.col.f32.f16.f16.f32", 16, 16,
     [](int i, int g, int n) {
       return Element{i == 0 || i == 1 || i == 4 || i == 5 ? g : g + 8,
                      n * 2 + (i & 1) + (i < 4 ? 0 : 8)};
     },
     [](int i, int g, int n) {
       return Element{n * 2 + (i & 1) + (i < 2 ? 0 : 8), g};
     },
     false},
    {"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16,
     [](int i, int g, int n) {
       return Element{i == 0 || i == 1 || i == 4 || i == 5 ? g : g + 8,
                      n * 2 + (i & 1) + (i < 4 ? 0 : 8)};
     },
     [](int i, int g, int n) {
       return Element{n * 2 + (i & 1) + (i < 2 ? 0 : 8), g};
     },
     false},
    {"m16n8k16.row.col.f16.f16.f16.f16", 16, 16,
     [](int i, int g, int n) {
       return Element{i == 0 || i == 1 || i == 4 || i == 5 ? g : g + 8,
                      n * 2 + (i & 1) + (i < 4 ? 0 : 8)};
     },
     [](int i, int g, int n) {
       return Element{n * 2 + (i & 1) + (i < 2 ? 0 : 8), g};
     },
     true},
    {"m16n8k8.row.col.f32.f16.f16.f32", 8, 16,
     [](int i, int g, int n) {
       return Element{i < 2 ? g : g + 8, n * 2 + (i & 1)};
     },
     [](int i, int g, int n) {
       return Element{n * 2 + i, g};
     },
     false},
    {"m16n8k8.row.col.f32.bf16.bf16.f32", 8, 16,
     [](int i, int g, int n) {
       return Element{i < 2 ? g : g + 8, n * 2 + (i & 1)};
     },
     [](int i, int g, int n) {
       return Element{n * 2 + i, g};
     },
     false},
    {"m16n8k8.row.col.f16.f16.f16.f16", 8, 16,
     [](int i, int g, int n) {
       return Element{i < 2 ? g : g + 8, n * 2 + (i & 1)};
     },
     [](int i, int g, int n) {
       return Element{n * 2 + i, g};
     },
     true},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", 8, 32,
     [](int i, int g, int n) {
       return Element{i % 2 == 0 ? g : g + 8, i < 2 ? n : n + 4};
     },
     [](int i, int g, int n) {
       return Element{i == 0 ? n : n + 4, g};
     },
     false},
    {"m16n8k4.row.col.f32.tf32.tf32.f32", 4, 32,
     [](int i, int g, int n) {
       return Element{i == 0 ? g : g + 8, n};
     },
     [](int, int g, int n) {
       return Element{n, g};
     },
     false},
    {"m16n8k32.row.col.s32.s8.s8.s32", 32, 8,
     [](int i, int g, int n) {
       return Element{i < 4 || (i >= 8 && i < 12) ? g : g + 8, n * 4 + (i & 3) + (i < 8 ? 0 : 16)};
     },
     [](int i, int g, int n) {
       return Element{n * 4 + (i & 3) + (i < 4 ? 0 : 16), g};
     },
     false},
    {"m16n8k16.row.col.s32.s8.s8.s32", 16, 8,
     [](int i, int g, int n) {
       return Element{i < 4 ? g : g + 8, n * 4 + (i & 3)};
     },
     [](int i, int g, int n) {
       return Element{n * 4 + i, g};
     },
     false}};

// Small integers, whose patterns are exact in every type.
int small(int row, int column, int salt) { return (row * 7 + column * 5 + salt) % 9 - 4; }
std::uint32_t f32_bits(float f) {
  std::uint32_t word;
  std::memcpy(&word, &f, sizeof word);
  return word;
}
// -64 to 64 in f16: sign, exponent, and the leading bits.
std::uint32_t f16_bits(int n) {
  if (n == 0) return 0;
  const std::uint32_t a = static_cast<std::uint32_t>(n < 0 ? -n : n);
  std::uint32_t exponent = 0;
  while (a >> (exponent + 1) != 0) ++exponent;
  return (n < 0 ? 0x8000u : 0u) | (exponent + 15) << 10 | ((a << (10 - exponent)) & 0x3ffu);
}
std::uint32_t pattern(const Product& p, int n) {
  const std::string name = p.instruction;
  if (name.find("bf16") != std::string::npos) return f32_bits(static_cast<float>(n)) >> 16;
  if (name.find("tf32") != std::string::npos) return f32_bits(static_cast<float>(n));
  if (name.find("s8") != std::string::npos) return static_cast<std::uint32_t>(n) & 0xff;
  return f16_bits(n);
}
std::uint32_t sum_pattern(const Product& p, int n) {
  if (p.bits == 8) return static_cast<std::uint32_t>(n);
  return p.half_sums ? f16_bits(n) : f32_bits(static_cast<float>(n));
}
std::string registers(int first, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i != 0 ? ", %r" : "%r") + std::to_string(first + i);
  return text + "}";
}

}  // namespace

TEST_CASE("mma.sync multiplies what the ISA's fragments hold") {
  for (const Product& p : products) {
    INFO(p.instruction);
    const int each = 32 / p.bits, a_count = 16 * p.k / 32, b_count = 8 * p.k / 32;
    const int sum_bits = p.half_sums ? 16 : 32;
    constexpr int words = 16;  // of a lane: A from 0 on, B from 4, C from 8, D from 12
    std::vector<std::uint32_t> memory(32 * words);
    const auto put = [&](int lane, int first, int i, int width, std::uint32_t value) {
      memory[static_cast<std::size_t>(lane * words + first + i * width / 32)] |= value
                                                                                 << i * width % 32;
    };
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < a_count; ++i) {
        const Element e = p.a(i, lane / 4, lane % 4);
        put(lane, 0, i, p.bits, pattern(p, small(e.row, e.column, 1)));
      }
      for (int i = 0; i < b_count; ++i) {
        const Element e = p.b(i, lane / 4, lane % 4);
        put(lane, 4, i, p.bits, pattern(p, small(e.row, e.column, 3)));
      }
      for (int i = 0; i < 4; ++i) {
        const Element e = sums(i, lane / 4, lane % 4);
        put(lane, 8, i, sum_bits, sum_pattern(p, small(e.row, e.column, 5)));
      }
    }
    const int a_registers = a_count / each, b_registers = b_count / each;
    const int d_registers = 4 * sum_bits / 32;
    std::string body = own_words(words);
    for (int i = 0; i < 12; ++i)
      body +=
          "ld.global.u32 %r" + std::to_string(12 + i) + ", [%rd1+" + std::to_string(4 * i) + "];";
    body += "mma.sync.aligned." + std::string(p.instruction) + " " + registers(24, d_registers) +
            ", " + registers(12, a_registers) + ", " + registers(16, b_registers) + ", " +
            registers(20, d_registers) + ";";
    for (int i = 0; i < d_registers; ++i)
      body += "st.global.u32 [%rd1+" + std::to_string(4 * (12 + i)) + "], %r" +
              std::to_string(24 + i) + ";";
    const Report report = run_on(memory, body, 32);
    INFO(report.text());
    REQUIRE(report.clean());
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < 4; ++i) {
        const Element e = sums(i, lane / 4, lane % 4);
        int sum = small(e.row, e.column, 5);
        for (int k = 0; k < p.k; ++k) sum += small(e.row, k, 1) * small(k, e.column, 3);
        const std::uint32_t word =
            memory[static_cast<std::size_t>(lane * words + 12 + i * sum_bits / 32)];
        CHECK((word >> i * sum_bits % 32 & (p.half_sums ? 0xffffu : ~0u)) == sum_pattern(p, sum));
      }
  }
}

namespace {

// Shared memory becomes 256 numbers of 16 bits: element i is i.
const std::string fill_shared =
    "shl.b32 %r1, %r9, 4; mov.u32 %r2, s; add.s32 %r10, %r2, %r1;"
    "shl.b32 %r3, %r9, 3; shl.b32 %r4, %r9, 19; or.b32 %r3, %r3, %r4; add.s32 %r3, %r3, 0x10000;"
    "add.s32 %r4, %r3, 0x20002; add.s32 %r5, %r4, 0x20002; add.s32 %r6, %r5, 0x20002;"
    "st.shared.v4.u32 [%r10], {%r3, %r4, %r5, %r6}; bar.warp.sync -1;";

}  // namespace

TEST_CASE("ldmatrix, stmatrix and movmatrix spread rows over lanes") {
  for (const bool transposed : {false, true}) {
    std::vector<std::uint32_t> out(128);
    REQUIRE(run_on(out,
                   fill_shared + own_words(4) + "ldmatrix.sync.aligned.m8n8.x4" +
                       (transposed ? ".trans" : "") +
                       ".shared.b16 {%r12, %r13, %r14, %r15}, [%r10];"
                       "st.global.v4.u32 [%rd1], {%r12, %r13, %r14, %r15};",
                   32)
                .clean());
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      for (std::uint32_t m = 0; m < 4; ++m) {
        const std::uint32_t row = lane / 4, column = lane % 4 * 2;
        const auto element = [&](std::uint32_t r, std::uint32_t c) { return 64 * m + 8 * r + c; };
        const std::uint32_t low = transposed ? element(column, row) : element(row, column);
        const std::uint32_t high = transposed ? element(column + 1, row) : element(row, column + 1);
        CHECK(out[4 * lane + m] == (high << 16 | low));
      }
  }
  // What stmatrix puts down, ldmatrix takes up; twice transposed is as before.
  std::vector<std::uint32_t> out(32);
  REQUIRE(
      run_on(out,
             fill_shared + own_words(1) +
                 "mul.lo.u32 %r11, %r9, 77; stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 "
                 "[%r10], {%r11}; ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r12}, [%r10];"
                 "movmatrix.sync.aligned.m8n8.trans.b16 %r13, %r12;"
                 "movmatrix.sync.aligned.m8n8.trans.b16 %r13, %r13; st.global.u32 [%rd1], %r13;",
             32)
          .clean());
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(out[lane] == 77 * lane);
  // The row that a lane names must be written before, in its order, and aligned.
  CHECK(run_body("mov.u32 %r1, s; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1];", nullptr,
                 32)
            .has(Kind::unwritten));
  CHECK(run_body(fill_shared + "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r10+8];", nullptr,
                 32)
            .has(Kind::alignment));
  CHECK(run_body("mov.u32 %r1, s; setp.eq.u32 %p1, %r9, 3; @%p1 st.shared.u32 [s], 1;"
                 "setp.ne.u32 %p1, %r9, 3; @%p1 st.shared.u32 [s], 1;",
                 nullptr, 32)
            .has(Kind::race));
}

TEST_CASE("matches, reductions and votes of a warp") {
  std::vector<std::uint32_t> out(32);
  const std::string store = own_words(1) + "st.global.u32 [%rd1], %r1;";
  REQUIRE(run_on(out, "and.b32 %r2, %r9, 3; match.any.sync.b32 %r1, %r2, -1;" + store, 32).clean());
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(out[lane] == 0x11111111u << lane % 4);
  REQUIRE(run_on(out, "match.all.sync.b32 %r1|%p1, %r9, -1;" + store, 32).clean());
  CHECK(out[3] == 0);
  REQUIRE(run_on(out, "redux.sync.add.s32 %r1, %r9, -1;" + store, 32).clean());
  CHECK(out[7] == 496);
  REQUIRE(run_on(out, "sub.s32 %r2, %r9, 5; redux.sync.min.s32 %r1, %r2, -1;" + store, 32).clean());
  CHECK(out[7] == 0xfffffffb);
  REQUIRE(run_on(out, "shl.b32 %r2, 1, %r9; redux.sync.xor.b32 %r1, %r2, -1;" + store, 32).clean());
  CHECK(out[7] == ~0u);
  REQUIRE(run_on(out,
                 "setp.lt.u32 %p1, %r9, 32; vote.sync.uni.pred %p2, %p1, -1; selp.u32 %r1, 1, 0, "
                 "%p2;" +
                     store,
                 32)
              .clean());
  CHECK(out[0] == 1);
  REQUIRE(run_on(out, "mov.u32 %r1, %lanemask_lt;" + store, 32).clean());
  CHECK((out[0] == 0 && out[5] == 31 && out[31] == 0x7fffffff));
}

TEST_CASE("atomics give the value before, and any order of threads gives one sum") {
  std::vector<std::uint32_t> out(4, 0);
  REQUIRE(
      run_on(out,
             "red.global.add.u32 [%rd9], %r9; atom.global.max.s32 %r1, [%rd9+4], %r9;"
             "atom.relaxed.gpu.global.inc.u32 %r1, [%rd9+8], 9; red.gpu.global.or.b32 [%rd9+12],"
             "1;",
             64)
          .clean());
  CHECK((out[0] == 2016 && out[1] == 63 && out[2] == 4 && out[3] == 1));
  CHECK(result_of("st.global.u32 [%rd9], 5; atom.global.cas.b32 %r1, [%rd9], 5, 8;"
                  "ld.global.u32 %r2, [%rd9]; add.u32 %r1, %r1, %r2;") == 13);
  CHECK(result_of("st.global.u32 [%rd9], 0; atom.global.dec.u32 %r2, [%rd9], 7;"
                  "ld.global.u32 %r1, [%rd9];") == 7);
  CHECK(result_of("st.global.f32 [%rd9], 0f3F800000; red.global.add.f32 [%rd9], 0f3F800000;"
                  "ld.global.u32 %r1, [%rd9];") == 0x40000000);
  CHECK(result_of("st.global.u32 [%rd9], 0x3c004000; red.global.add.noftz.f16x2 [%rd9], 0x3c003c00;"
                  "ld.global.u32 %r1, [%rd9];") == 0x40004200);
  CHECK(run_body("red.global.add.u32 [%rd9+64], 1;").has(Kind::bounds));
  CHECK(run_body("red.global.add.u32 [%rd9+2], 1;").has(Kind::alignment));
}

TEST_CASE("atomics of shared memory do not race with each other, and race with plain accesses") {
  const std::string zero = "setp.eq.u32 %p1, %r9, 0; @%p1 st.shared.u32 [s], 0; bar.sync 0;";
  CHECK(run_body("red.shared.add.u32 [s], 1;", nullptr, 2).has(Kind::unwritten));
  CHECK(run_body(zero + "red.shared.add.u32 [s], 1;", nullptr, 64).clean());
  CHECK(
      run_body(zero + "red.shared.add.u32 [s], 1; bar.sync 0; ld.shared.u32 %r1, [s];", nullptr, 64)
          .clean());
  CHECK(run_body(zero + "red.shared.add.u32 [s], 1; ld.shared.u32 %r1, [s];", nullptr, 64)
            .has(Kind::race));
  CHECK(run_body("setp.eq.u32 %p1, %r9, 0; @%p1 st.shared.u32 [s], 0; red.shared.add.u32 [s], 1;",
                 nullptr, 64)
            .has(Kind::race));
}

TEST_CASE("a release that an acquire reads orders what is around them; relaxed ones do not") {
  const auto message = [](const std::string& store, const std::string& load) {
    return "setp.eq.u32 %p1, %r9, 0; @%p1 st.shared.u32 [s], 0; bar.sync 0; @%p1 bra WRITER;\n"
           "READER:\n" +
           load +
           " %r1, [s]; setp.ne.u32 %p2, %r1, 1; @%p2 bra READER;\n"
           "FENCE ld.shared.u32 %r2, [s+16]; bra DONE;\n"
           "WRITER:\nst.shared.u32 [s+16], 7; FENCE " +
           store + " [s], 1;\nDONE:";
  };
  const auto fenced = [](std::string text, const std::string& fence) {
    for (std::size_t at; (at = text.find("FENCE")) != std::string::npos;)
      text.replace(at, 5, fence);
    return text;
  };
  const std::string release = "st.release.cta.shared.u32", acquire = "ld.acquire.cta.shared.u32";
  const std::string store = "st.relaxed.cta.shared.u32", load = "ld.relaxed.cta.shared.u32";
  CHECK(run_body(fenced(message(release, acquire), ""), nullptr, 2).clean());
  CHECK(run_body(fenced(message(store, acquire), ""), nullptr, 2).has(Kind::race));
  CHECK(run_body(fenced(message(release, load), ""), nullptr, 2).has(Kind::race));
  CHECK(run_body(fenced(message(store, load), ""), nullptr, 2).has(Kind::race));
  CHECK(run_body(fenced(message(store, load), "fence.acq_rel.cta;"), nullptr, 2).clean());
  CHECK(run_body(fenced(message(store, load), "membar.cta;"), nullptr, 2).clean());
  // A lock.
  const std::string lock =
      "setp.eq.u32 %p1, %r9, 0; @%p1 st.shared.u32 [s], 0; @%p1 st.shared.u32 [s+16], 0; bar.sync "
      "0;\n"
      "TRY:\natom.acquire.cta.shared.cas.b32 %r1, [s], 0, 1; setp.ne.u32 %p2, %r1, 0; @%p2 bra "
      "TRY;\n"
      "ld.shared.u32 %r2, [s+16]; add.u32 %r2, %r2, 1; st.shared.u32 [s+16], %r2;";
  CHECK(run_body(lock + "atom.release.cta.shared.exch.b32 %r1, [s], 0;", nullptr, 8).clean());
  CHECK(
      run_body(lock + "atom.relaxed.cta.shared.exch.b32 %r1, [s], 0;", nullptr, 8).has(Kind::race));
}
