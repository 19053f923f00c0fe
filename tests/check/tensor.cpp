// SPDX-License-Identifier: Apache-2.0
// Tests of tensor copies: which bytes a box has, where they lie, what they are ordered by, and what
// is found.
#include "ptx_body.hpp"
#include "support/swizzle_table.hpp"

using namespace check_test;
using namespace tilepipe;

namespace {

using Bytes = std::vector<unsigned char>;
constexpr int unit = 4;  // bytes of an element

// A map of 4-byte elements; extents, strides and boxes slowest first.
struct Tensor {
  std::vector<index_t> extent, stride, box;
  TensorSwizzle swizzle = TensorSwizzle::none;
  int rank() const { return static_cast<int>(extent.size()); }
  index_t box_bytes() const {
    index_t all = unit;
    for (const index_t n : box) all *= n;
    return all;
  }
  TensorMapRequest request(Address address) const {
    TensorMapRequest r;
    r.address = address;
    r.element = TensorElement::uint32;
    r.rank = rank();
    r.swizzle = swizzle;
    for (int d = 0; d < r.rank; ++d) {
      const auto i = static_cast<std::size_t>(d);
      r.extent[d] = extent[i];
      r.stride[d] = stride[i];
      r.box[d] = box[i];
    }
    return r;
  }
};
// 9 rows of 22 elements, 96 bytes apart; boxes of 8 rows.
Tensor matrix(index_t cols, TensorSwizzle swizzle = TensorSwizzle::none) {
  return {{9, 22}, {96, 4}, {8, cols}, swizzle};
}

// %rd1: the map; %rd9: the tensor; %rd8: the output; s: the box; b: the mbarrier.
std::string tensor_text(const std::string& body) {
  return ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(\n"
         ".param .align 64 .b8 k_param_0[128], .param .u64 k_param_1, .param .u64 k_param_2)\n"
         "{\n.reg .pred %p<4>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<10>;\n"
         ".shared .align 1024 .b8 s[2048];\n.shared .align 8 .b8 b[8];\n"
         "mov.b64 %rd2, k_param_0;\ncvta.param.u64 %rd1, %rd2;\n"
         "ld.param.u64 %rd9, [k_param_1];\nld.param.u64 %rd8, [k_param_2];\n"
         "mov.u32 %r9, %tid.x;\nprefetch.tensormap [%rd1];\n" +
         body + "\nret;\n}\n";
}
std::string coordinates(const std::vector<int>& at) {  // slowest first; PTX has them fastest first
  std::string text;
  for (std::size_t n = at.size(); n-- > 0;) text += std::to_string(at[n]) + (n > 0 ? ", " : "");
  return "{" + text + "}";
}
std::string dimensions(const std::vector<int>& at) { return std::to_string(at.size()) + "d"; }
std::string load(const std::vector<int>& at, int to = 0, const std::string& space = "cta") {
  return "cp.async.bulk.tensor." + dimensions(at) + ".shared::" + space +
         ".global.tile.mbarrier::complete_tx::bytes [s+" + std::to_string(to) + "], [%rd1, " +
         coordinates(at) + "], [b];\n";
}
std::string store(const std::vector<int>& at, int from = 0) {
  return "cp.async.bulk.tensor." + dimensions(at) + ".global.shared::cta.tile.bulk_group [%rd1, " +
         coordinates(at) + "], [s+" + std::to_string(from) + "];\n";
}
const std::string fence = "fence.proxy.async.shared::cta;\n";
const std::string init = "mbarrier.init.shared::cta.b64 [b], 1;\n" + fence;
const std::string wait =
    "W:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [b], 0;\n@!%p1 bra W;\n";
const std::string commit = "cp.async.bulk.commit_group;\n";
const std::string wait_stores = "cp.async.bulk.wait_group.read 0;\n";
std::string expect(index_t bytes) {
  return "mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], " + std::to_string(bytes) + ";\n";
}
// The first bytes of s to the output, and back.
std::string read_back(index_t bytes) {
  return "mov.u32 %r1, s;\nmov.u64 %rd3, %rd8;\nmov.u32 %r2, " + std::to_string(bytes) +
         ";\nR:\nld.shared.u32 %r3, [%r1];\nst.global.u32 [%rd3], %r3;\nadd.u32 %r1, %r1, 4;\n"
         "add.u64 %rd3, %rd3, 4;\nsub.u32 %r2, %r2, 4;\nsetp.ne.u32 %p2, %r2, 0;\n@%p2 bra R;\n";
}
std::string fill(index_t bytes) {
  return "mov.u32 %r1, s;\nmov.u64 %rd3, %rd8;\nmov.u32 %r2, " + std::to_string(bytes) +
         ";\nF:\nld.global.u32 %r3, [%rd3];\nst.shared.u32 [%r1], %r3;\nadd.u32 %r1, %r1, 4;\n"
         "add.u64 %rd3, %rd3, 4;\nsub.u32 %r2, %r2, 4;\nsetp.ne.u32 %p2, %r2, 0;\n@%p2 bra F;\n";
}
std::string load_text(const Tensor& tensor, const std::vector<int>& at,
                      const std::string& space = "cta") {
  return init + expect(tensor.box_bytes()) + load(at, 0, space) + wait +
         read_back(tensor.box_bytes());
}

Bytes position_bytes(std::size_t count, std::uint32_t h) {
  Bytes all(count);
  for (unsigned char& b : all)
    b = static_cast<unsigned char>((h = h * 1664525u + 1013904223u) >> 24);
  return all;
}

struct Run {
  Report report;
  Bytes tensor, out;
};
// By both fixed schedules; the results are those of the last.
Run run_tensor(const Tensor& tensor, const std::string& body, const Bytes& content,
               const Bytes& out_before, std::uint32_t threads = 1, bool with_map = true) {
  const Module module(tensor_text(body));
  const Kernel kernel = module.kernel("k");
  GlobalMemory memory;
  const Address address = memory.add(content), out = memory.add(out_before);
  Launch launch(kernel, memory, {threads});
  launch.arguments(with_map ? check::tensor_map(tensor.request(address)) : TensorMap{}, address,
                   out);
  Run result;
  result.report = run(launch, schedules(0));
  result.tensor = memory.read<unsigned char>(address);
  result.out = memory.read<unsigned char>(out);
  return result;
}
Report report_of(const std::string& body, std::uint32_t threads = 1, bool with_map = true) {
  return run_tensor(matrix(8), body, Bytes(9 * 96), Bytes(2048), threads, with_map).report;
}
void check_only(Kind kind, const std::string& body, std::uint32_t threads = 1,
                bool with_map = true) {
  const Report report = report_of(body, threads, with_map);
  INFO(body << "\n" << report.text());
  CHECK(report.has(kind));
  for (const Finding& finding : report.findings) CHECK(finding.kind == kind);
}

// Calls f(byte of the box as it lies in shared memory, byte of the tensor, index in the fastest
// dimension) for every byte of a box; a tensor byte of -1 is outside.
template <class F>
void for_each_byte(const Tensor& tensor, const std::vector<int>& at, F f) {
  const int rank = tensor.rank();
  const int row_bytes = static_cast<int>(tensor.box.back()) * unit;
  const int rows = static_cast<int>(tensor.box_bytes()) / row_bytes;
  for (int row = 0; row < rows; ++row)
    for (int byte = 0; byte < row_bytes; ++byte) {
      index_t from = byte % unit;
      bool rows_inside = true;
      int rest = row;
      for (int d = rank - 2; d >= 0; --d) {
        const auto i = static_cast<std::size_t>(d);
        const index_t index = index_t{at[i]} + rest % tensor.box[i];
        rest /= static_cast<int>(tensor.box[i]);
        rows_inside = rows_inside && index >= 0 && index < tensor.extent[i];
        from += index * tensor.stride[i];
      }
      const index_t col = index_t{at.back()} + byte / unit;
      from += col * unit;
      const int width = tensor.swizzle == TensorSwizzle::none ? 0 : row_bytes;
      const int to = width == 0 ? row * row_bytes + byte
                                : tilepipe_test::swizzled_offset(width, rows, row, byte);
      f(to, rows_inside ? from : -1, col);
    }
}

const Tensor tensors[] = {{{22}, {4}, {8}, TensorSwizzle::none},
                          matrix(4),
                          matrix(8),
                          matrix(8, TensorSwizzle::bytes_32),
                          matrix(16, TensorSwizzle::bytes_64),
                          matrix(32, TensorSwizzle::bytes_128),
                          {{3, 2, 22}, {192, 96, 4}, {2, 2, 8}, TensorSwizzle::none},
                          {{2, 2, 3, 9}, {288, 144, 48, 4}, {2, 1, 2, 4}, TensorSwizzle::none},
                          {{2, 2, 2, 2, 5}, {256, 128, 64, 32, 4}, {2, 2, 1, 2, 8}, {}}};
std::vector<std::vector<int>> starts_of(const Tensor& tensor) {
  std::vector<std::vector<int>> all;
  for (const int col : {-2147483647 - 1, -64, -8, -4, 0, 4, 12, 20, 24, 2147483632})
    for (const int row : {-2147483647 - 1, -9, -7, -1, 0, 1, 2, 8, 9, 2147483647}) {
      std::vector<int> at(static_cast<std::size_t>(tensor.rank()), row);
      at.back() = col;
      if (tensor.rank() == 1 && row != 0) continue;
      for (std::size_t d = 0; d + 2 < at.size(); ++d)
        if (row > -10 && row < 10) at[d] = row / 2;
      all.push_back(at);
    }
  return all;
}

}  // namespace

TEST_CASE("a tensor load brings the box's bytes, and zeros from outside, for every start") {
  for (const Tensor& tensor : tensors) {
    const Bytes content = position_bytes(
        static_cast<std::size_t>(tensor.rank() == 1 ? 96 : tensor.extent[0] * tensor.stride[0]), 1);
    for (const std::vector<int>& at : starts_of(tensor)) {
      const Bytes before(static_cast<std::size_t>(tensor.box_bytes()), 0xaa);
      const Run got = run_tensor(tensor, load_text(tensor, at), content, before);
      INFO(tensor.rank() << "d, from " << coordinates(at) << "\n" << got.report.text());
      REQUIRE(got.report.clean());
      Bytes want(before.size());
      for_each_byte(tensor, at, [&](int to, index_t from, index_t col) {
        const bool inside = from >= 0 && col >= 0 && col < tensor.extent.back();
        want[static_cast<std::size_t>(to)] = inside ? content[static_cast<std::size_t>(from)] : 0;
      });
      CHECK(got.out == want);
    }
  }
  CHECK(report_of(load_text(matrix(8), {0, 0}, "cluster")).clean());
}

TEST_CASE("a tensor store writes what is inside, and the last 16 bytes of a cut row whole") {
  for (const Tensor& tensor : tensors) {
    const Bytes content = position_bytes(
        static_cast<std::size_t>(tensor.rank() == 1 ? 96 : tensor.extent[0] * tensor.stride[0]), 1);
    const Bytes tile = position_bytes(static_cast<std::size_t>(tensor.box_bytes()), 2);
    for (const std::vector<int>& at : starts_of(tensor)) {
      const Run got =
          run_tensor(tensor, fill(tensor.box_bytes()) + fence + store(at) + commit + wait_stores,
                     content, tile);
      INFO(tensor.rank() << "d, to " << coordinates(at) << "\n" << got.report.text());
      REQUIRE(got.report.clean());
      Bytes want = content;
      const index_t end = (tensor.extent.back() * unit + 15) / 16 * 16;
      for_each_byte(tensor, at, [&](int from, index_t to, index_t col) {
        if (to >= 0 && col >= 0 && col * unit < end)
          want[static_cast<std::size_t>(to)] = tile[static_cast<std::size_t>(from)];
      });
      CHECK(got.tensor == want);
    }
  }
}

TEST_CASE("a tensor store that adds goes by the map's element") {
  struct Example {
    TensorElement element;
    std::uint32_t there, with, result;
  };
  for (const Example& e : {Example{TensorElement::uint32, 0xffffffff, 2, 1},
                           Example{TensorElement::int32, 0xffffffff, 3, 2},
                           Example{TensorElement::float32, 0x3f800000, 0x40000000, 0x40400000}}) {
    const Kernel kernel =
        Module(tensor_text("mov.u32 %r1, " + std::to_string(e.with) +
                           ";\nst.shared.v4.u32 [s], {%r1, %r1, %r1, %r1};\n" + fence +
                           "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group "
                           "[%rd1, {4}], [s];\n" +
                           commit + wait_stores))
            .kernel("k");
    GlobalMemory memory;
    const Address address = memory.add(std::vector<std::uint32_t>(12, e.there));
    TensorMapRequest request = Tensor{{12}, {4}, {4}, TensorSwizzle::none}.request(address);
    request.element = e.element;
    Launch launch(kernel, memory, {1});
    launch.arguments(check::tensor_map(request), address, address);
    const Report report = run(launch, Schedule::late());
    INFO(report.text());
    CHECK(report.clean());
    const auto words = memory.read<std::uint32_t>(address);
    for (std::size_t i = 0; i < 12; ++i) CHECK(words[i] == (i / 4 == 1 ? e.result : e.there));
  }
}

TEST_CASE("a tensor load is ordered by its mbarrier alone, and all of its box counts") {
  const std::string read = "ld.shared.u32 %r1, [s];\n";
  CHECK(report_of(init + expect(256) + load({0, 0}) + wait + read).clean());
  CHECK(report_of(init + expect(256) + load({-9, 0}) + wait + read).clean());  // all outside
  check_only(Kind::race, init + expect(256) + load({0, 0}) + read + wait);
  check_only(Kind::race, init + expect(512) + load({0, 0}) + load({0, 0}) + wait + read);
  check_only(Kind::deadlock, init + expect(272) + load({0, 0}) + wait);
  CHECK(report_of(init + expect(256) + load({0, 0}) + load({1, 0}, 256) + wait + read)
            .has(Kind::abandoned));
  check_only(Kind::abandoned, init + expect(256) + load({0, 0}));
  check_only(Kind::proxy,
             "mbarrier.init.shared::cta.b64 [b], 1;\n" + expect(256) + load({0, 0}) + wait + read);
  check_only(Kind::proxy, "st.shared.u32 [s+252], 1;\n" + init.substr(0, init.find(fence)) +
                              "fence.mbarrier_init.release.cluster;\n" + expect(256) +
                              load({0, 0}) + wait + read);
  check_only(Kind::proxy, init + expect(256) + "st.shared.u32 [s+252], 1;\n" + load({0, 0}) + wait);
  CHECK(
      report_of(init + expect(256) + "st.shared.u32 [s+256], 1;\n" + load({0, 0}) + wait).clean());
}

TEST_CASE("a tensor store reads its box until its group is waited for") {
  const std::string stored = fill(256) + fence + store({0, 0}) + commit;
  CHECK(report_of(stored + wait_stores + "st.shared.u32 [s+252], 1;\n").clean());
  check_only(Kind::race, stored + "st.shared.u32 [s+252], 1;\n" + wait_stores);
  CHECK(report_of(stored + "st.shared.u32 [s+256], 1;\n" + wait_stores).clean());
  check_only(Kind::abandoned, stored);
  check_only(Kind::proxy, fill(256) + store({0, 0}) + commit + wait_stores);
  check_only(Kind::unwritten, fill(252) + fence + store({0, 0}) + commit + wait_stores);
}

TEST_CASE("tensor copies at wrong places, by no map or outside of buffers are found") {
  check_only(Kind::alignment, init + load({0, 0}, 64));
  check_only(Kind::alignment, init + load({0, 1}));
  check_only(Kind::alignment, fill(512) + fence + store({0, 2}) + commit + wait_stores);
  check_only(Kind::bounds, init + load({0, 0}, 1920));
  check_only(Kind::protocol, init + load({0, 0}), 1, false);
  check_only(Kind::protocol, init + load({0, 0, 0}));
  // The tensor's last row is in no buffer: found where a box has it.
  const auto with_bytes = [](std::size_t bytes, const std::string& body) {
    return run_tensor(matrix(8), body, Bytes(bytes), Bytes(2048)).report;
  };
  const std::string first = init + expect(256) + load({0, 16}) + wait;
  const std::string last = init + expect(256) + load({1, 16}) + wait;
  const std::size_t end = 8 * 96 + 22 * 4;
  CHECK(with_bytes(end, first).clean());
  CHECK(with_bytes(end, last).clean());
  CHECK(with_bytes(end - 1, first).clean());
  CHECK(with_bytes(end - 1, last).has(Kind::bounds));
  CHECK(with_bytes(0, init + expect(256) + load({-9, 0}) + wait).has(Kind::bounds));
  // A store writes 8 bytes more than the last row has.
  const std::string stored = fill(256) + fence + store({1, 16}) + commit + wait_stores;
  CHECK(with_bytes(end, stored).has(Kind::bounds));
  CHECK(with_bytes(end + 8, stored).clean());
}

TEST_CASE("maps that break a rule or that the checker has no model of are refused") {
  const TensorMapRequest right = matrix(8).request(1 << 20);
  CHECK_NOTHROW(check::tensor_map(right));
  const auto refused = [&](auto change) {
    TensorMapRequest r = right;
    change(r);
    CHECK_THROWS_AS(check::tensor_map(r), Unsupported);
  };
  refused([](TensorMapRequest& r) { r.address += 8; });
  refused([](TensorMapRequest& r) { r.stride[0] = 100; });
  refused([](TensorMapRequest& r) { r.element_stride[0] = 2; });
  refused([](TensorMapRequest& r) { r.swizzle = TensorSwizzle::bytes_128; });  // of 32-byte rows
  refused([](TensorMapRequest& r) { r.swizzle = TensorSwizzle::bytes_128_atom_32; });
  refused([](TensorMapRequest& r) { r.element = TensorElement::tfloat32; });
  refused([](TensorMapRequest& r) {
    r.element = TensorElement::float32;
    r.fill = TensorFill::nan;
  });
}
