// SPDX-License-Identifier: Apache-2.0
// Tests of what instructions compute: half and bf16, matrices, exchanges of a warp, atomics.
#include <cmath>
#include <cstring>

#include "ptx_body.hpp"

using namespace check_test;

namespace {

std::string hex(std::uint32_t value) { return std::to_string(value); }
std::uint32_t bits(float value) {
  std::uint32_t result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

// All finite values of a 16-bit format that are not negative, from its definition: the index is the
// bit pattern.
std::vector<double> finite_values(int exponent_bits) {
  const int fraction = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  std::vector<double> all;
  for (int e = 0; e < (1 << exponent_bits) - 1; ++e)
    for (int f = 0; f < 1 << fraction; ++f)
      all.push_back(e == 0 ? f * std::pow(2.0, 1 - bias - fraction)
                           : (1 + f * std::pow(2.0, -fraction)) * std::pow(2.0, e - bias));
  return all;
}
// The pattern of the nearest value, the even one of two; infinity from half a step past the last.
std::uint32_t nearest(const std::vector<double>& values, long double x) {
  const std::uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  const long double a = std::fabs(x);
  std::size_t low = 0, high = values.size() - 1;
  const long double step = static_cast<long double>(values[high]) - values[high - 1];
  if (a >= values[high] + step / 2) return sign | static_cast<std::uint32_t>(high + 1);
  if (a >= values[high]) return sign | static_cast<std::uint32_t>(high);
  while (high - low > 1) (values[(low + high) / 2] <= a ? low : high) = (low + high) / 2;
  const long double below = a - values[low], above = values[high] - a;
  const bool up = above < below || (above == below && low % 2 == 1);
  return sign | static_cast<std::uint32_t>(up ? high : low);
}
double decoded(const std::vector<double>& values, std::uint32_t pattern) {
  return (pattern & 0x8000) != 0 ? -values[pattern & 0x7fff] : values[pattern];
}

std::uint32_t random_word() {
  static std::uint32_t state = 12345;
  state = state * 1664525u + 1013904223u;
  return state >> 8 ^ state << 11;
}

}  // namespace

TEST_CASE("f16 and bf16 arithmetic and conversions round once, to the nearest") {
  struct Format {
    const char* type;
    int exponent_bits;
  };
  for (const Format& f : {Format{"f16", 5}, Format{"bf16", 8}}) {
    const std::vector<double> values = finite_values(f.exponent_bits);
    const auto finite = [&] {
      std::uint32_t pattern;
      do pattern = random_word() & 0xffff;
      while ((pattern & 0x7fff) >= values.size());
      return pattern;
    };
    // Three numbers in the low halves of registers; a few at a time, since each case is a kernel.
    for (int round = 0; round < 40; ++round) {
      std::uint32_t a = finite(), b = finite(), c = finite();
      if (round % 2 == 1) {  // near each other, so that sums round
        b = (a & 0x7fff) > 0x300 ? a - random_word() % 0x300 : a;
        c = random_word() % 2 == 0 ? b ^ 0x8000 : a;
      }
      const long double x = decoded(values, a), y = decoded(values, b), z = decoded(values, c);
      const std::string in = "mov.u16 %rs1, " + hex(a) + "; mov.u16 %rs2, " + hex(b) +
                             "; mov.u16 %rs3, " + hex(c) + ";";
      const std::string out = " %rs0, %rs1, %rs2; cvt.u32.u16 %r1, %rs0;";
      const std::string type = std::string(".") + f.type;
      CHECK(result_of(in + "add" + type + out) == nearest(values, x + y));
      CHECK(result_of(in + "sub.rn" + type + " %rs0, %rs1, %rs2; cvt.u32.u16 %r1, %rs0;") ==
            nearest(values, x - y));
      CHECK(result_of(in + "mul" + type + out) == nearest(values, x * y));
      CHECK(result_of(in + "fma.rn" + type + " %rs0, %rs1, %rs2, %rs3; cvt.u32.u16 %r1, %rs0;") ==
            nearest(values, x * y + z));
      CHECK(result_of(in + "setp.lt" + type + " %p1, %rs1, %rs2; selp.u32 %r1, 1, 0, %p1;") ==
            (x < y));
      CHECK(result_of(in + "cvt.f32" + type + " %r1, %rs1;") == bits(static_cast<float>(x)));
      const float wide = static_cast<float>(x) * 1.0007f;
      CHECK(result_of("cvt.rn" + type + ".f32 %rs0, " + hex(bits(wide)) +
                      "; cvt.u32.u16 %r1, %rs0;") == nearest(values, wide));
      const float upper = static_cast<float>(y) * 0.9993f;
      CHECK(result_of("cvt.rn" + type + "x2.f32 %r1, " + hex(bits(upper)) + ", " + hex(bits(wide)) +
                      ";") == (nearest(values, upper) << 16 | nearest(values, wide)));
      CHECK(result_of("mov.u32 %r2, " + hex(a << 16 | b) + "; mov.u32 %r3, " + hex(b << 16 | c) +
                      "; mul" + type + "x2 %r1, %r2, %r3;") ==
            (nearest(values, x * y) << 16 | nearest(values, y * z)));
    }
  }
}

TEST_CASE("special values of f16, and numbers that take both roundings apart") {
  const std::pair<const char*, std::uint32_t> examples[] = {
      {"mov.u16 %rs1, 0x7e01; mov.u16 %rs2, 0x3c00; max.f16 %rs0, %rs1, %rs2;", 0x3c00},
      {"mov.u16 %rs1, 0x7e01; mov.u16 %rs2, 0x3c00; max.NaN.f16 %rs0, %rs1, %rs2;", 0x7fff},
      {"mov.u16 %rs1, 0x7e01; neg.f16 %rs0, %rs1;", 0x7fff},
      {"mov.u16 %rs1, 0xfc00; abs.f16 %rs0, %rs1;", 0x7c00},
      {"mov.u16 %rs1, 0x7c00; mov.u16 %rs2, 0x7c00; sub.f16 %rs0, %rs1, %rs2;", 0x7fff},
      {"cvt.rz.f16.f32 %rs0, 0f477FFFFF;", 0x7bff},
      {"cvt.rn.f16.f32 %rs0, 0f477FFFFF;", 0x7c00},
      {"cvt.rn.f16.s32 %rs0, -2049;", 0xe800},
      {"mov.u16 %rs1, 0xc580; cvt.rzi.s16.f16 %rs0, %rs1;", 0xfffb},
      // (1 + 2^-10)^2 lies 2^-20 above 1 + 2^-9; less 2^-24, it still rounds down; minus half a
      // step and that, it is just below the middle.
      {"mov.u16 %rs1, 0x3c01; mov.u16 %rs3, 0x9000; fma.rn.f16 %rs0, %rs1, %rs1, %rs3;", 0x3c02},
      {"mov.u16 %rs1, 0x3c01; mov.u16 %rs3, 0x0001; fma.rn.f16 %rs0, %rs1, %rs1, %rs3;", 0x3c02},
      // A sum on the middle but for a term that a double cannot hold beside it.
      {"mov.u16 %rs1, 0x7801; mov.u16 %rs2, 0x0000; mov.u16 %rs3, 0x8001; fma.rn.f16 %rs0, %rs1, "
       "%rs2, %rs3;",
       0x8001}};
  for (const auto& [body, result] : examples) {
    INFO(body);
    CHECK(result_of(std::string(body) + "cvt.u32.u16 %r1, %rs0;") == result);
  }
  CHECK(result_of("cvt.rna.tf32.f32 %r1, 0f3F801000;") == 0x3f802000);
  CHECK(result_of("cvt.rna.tf32.f32 %r1, 0f3F800FFF;") == 0x3f800000);
}

TEST_CASE("f32 rounds as it is told, flushes, saturates, and becomes whole") {
  const std::pair<const char*, std::uint32_t> examples[] = {
      // 1 + 2^-24 and a little: between 1 and the next number
      {"add.rn.f32 %r1, 0f3F800000, 0f33800000;", 0x3f800000},
      {"add.rp.f32 %r1, 0f3F800000, 0f33800000;", 0x3f800001},
      {"add.rm.f32 %r1, 0f3F800000, 0f33800001;", 0x3f800000},
      {"add.rz.f32 %r1, 0fBF800000, 0fB3800001;", 0xbf800000},
      {"add.rm.f32 %r1, 0fBF800000, 0fB3800001;", 0xbf800001},
      {"mul.rp.f32 %r1, 0f3F800001, 0f3F800001;", 0x3f800003},
      {"mul.rz.f32 %r1, 0f3F800001, 0f3F800001;", 0x3f800002},
      {"fma.rp.f32 %r1, 0f3F800000, 0f3F800000, 0f00000001;", 0x3f800001},
      {"fma.rm.f32 %r1, 0f3F800000, 0f3F800000, 0f80000001;", 0x3f7fffff},
      {"add.ftz.f32 %r1, 0f00000001, 0f80000002;", 0},
      {"mul.ftz.f32 %r1, 0f00800000, 0fBF000000;", 0x80000000},
      {"mul.f32 %r1, 0f00800000, 0f3F000000;", 0x00400000},
      {"cvt.sat.f32.f32 %r1, 0f40000000;", 0x3f800000},
      {"cvt.sat.f32.f32 %r1, 0fC0000000;", 0},
      {"cvt.sat.f32.f32 %r1, 0f7FC00000;", 0},
      {"cvt.rni.f32.f32 %r1, 0f40200000;", 0x40000000},
      {"cvt.rni.s32.f32 %r1, 0f40600000;", 4},
      {"cvt.rmi.s32.f32 %r1, 0fBF000000;", 0xffffffff},
      {"cvt.rpi.ftz.s32.f32 %r1, 0f3F000000;", 1},
      {"cvt.rzi.u32.f32 %r1, 0fC0000000;", 0},
      {"cvt.rzi.s32.f32 %r1, 0f4F000000;", 0x7fffffff},
      {"ex2.approx.ftz.f32 %r1, 0f40400000;", 0x41000000},
      {"lg2.approx.f32 %r1, 0f41000000;", 0x40400000},
      {"rcp.approx.ftz.f32 %r1, 0f40000000;", 0x3f000000},
      {"rsqrt.approx.f32 %r1, 0f40800000;", 0x3f000000},
      {"div.full.f32 %r1, 0f40C00000, 0f40000000;", 0x40400000},
      {"copysign.f32 %r1, 0fBF800000, 0f40000000;", 0xc0000000},
      {"setp.nan.f32 %p1, 0f7FC00000, 0f3F800000; selp.u32 %r1, 1, 0, %p1;", 1},
      {"setp.num.f32 %p1, 0f7FC00000, 0f3F800000; selp.u32 %r1, 1, 0, %p1;", 0}};
  for (const auto& [body, result] : examples) {
    INFO(body);
    CHECK(result_of(body) == result);
  }
}

TEST_CASE("bit fields, permutations and products of bytes") {
  const std::pair<const char*, std::uint32_t> examples[] = {
      {"bfe.u32 %r1, 0xabcd1234, 8, 12;", 0xd12},
      {"bfe.s32 %r1, 0xabcd1234, 8, 12;", 0xfffffd12},
      {"bfe.s32 %r1, 0x80000000, 28, 8;", 0xfffffff8},
      {"bfe.u32 %r1, 0xffffffff, 3, 0;", 0},
      {"bfind.u32 %r1, 0x00008000;", 15},
      {"bfind.s32 %r1, -256;", 7},
      {"bfind.u32 %r1, 0;", 0xffffffff},
      {"bfind.shiftamt.u32 %r1, 0x00008000;", 16},
      {"brev.b32 %r1, 0x80000001;", 0x80000001},
      {"brev.b32 %r1, 0x00000006;", 0x60000000},
      {"prmt.b32 %r1, 0x33221100, 0x77665544, 0x7430;", 0x77443300},
      {"prmt.b32 %r1, 0x80, 0x7f, 0x00c8;", 0x808000ff},
      {"lop3.b32 %r1, 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x96;", 0x96969696},
      {"shf.l.clamp.b32 %r1, 0x12345678, 0x9abcdef0, 40;", 0x12345678},
      {"shf.r.clamp.b32 %r1, 0x12345678, 0x9abcdef0, 8;", 0xf0123456},
      {"mad.wide.u32 %rd1, 0xffffffff, 16, 5; shr.u64 %rd2, %rd1, 32; cvt.u32.u64 %r1, %rd2;", 15},
      {"mad.hi.s32 %r1, -1, 1, 3;", 2},
      {"dp4a.s32.s32 %r1, 0xff020304, 0x01010101, 10;", 18},
      {"mov.u64 %rd1, 0; mov.u64 %rd2, 0xff; bfi.b64 %rd3, %rd2, %rd1, 30, 4;"
       "shr.u64 %rd3, %rd3, 28; cvt.u32.u64 %r1, %rd3;",
       0x3c}};
  for (const auto& [body, result] : examples) {
    INFO(body);
    CHECK(result_of(body) == result);
  }
}

TEST_CASE("caches' qualifiers and scopes change nothing") {
  CHECK(result_of("ld.global.nc.L1::no_allocate.L2::128B.u32 %r1, [%rd9+4];") == ~0u);
  CHECK(result_of("st.global.cs.u32 [%rd9+4], 7; ld.global.cg.u32 %r1, [%rd9+4];") == 7);
  CHECK(result_of("prefetch.global.L2 [%rd9]; mov.u32 %r1, WARP_SZ;") == 32);
}
