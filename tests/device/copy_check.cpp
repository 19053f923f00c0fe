// SPDX-License-Identifier: Apache-2.0
// The oracle of the copy tests: index arithmetic and bytes in plain loops, nothing of tilepipe.
#include "copy_check.hpp"

#include <numeric>

#include "expect_right.hpp"
#include "support/device_buffer.hpp"

namespace tilepipe_test {
namespace {

Reported reported;

long long round_up(long long value, long long to) { return (value + to - 1) / to * to; }

// Elements between places that the case's promise allows a tile to start at.
long long step_of(int promise, const CopyCase& c) {
  return promise <= 1 ? 1 : promise / std::gcd(promise, c.element_bytes);
}
long long start_step(const CopyCase& c) { return step_of(c.promise, c); }
long long pitch_step(const CopyCase& c) {
  return step_of(c.pitch_promise > c.promise ? c.pitch_promise : c.promise, c);
}

long long team_count(const CopyCase& c, const Scenario& s) {
  return static_cast<long long>(s.grid) * c.teams;
}
long long tiles_in_all(const CopyCase& c, const Scenario& s) {
  return team_count(c, s) * s.geometry.tiles * s.geometry.passes * c.tiles_per_step;
}

Bytes source_content(const CopyCase& c, const Scenario& s, const Geometry& g) {
  const long long elements =
      g.extent[0] <= 0 || g.extent[1] <= 0 || g.extent[2] <= 0
          ? 0
          : (g.extent[0] - 1) * g.slice_pitch + (g.extent[1] - 1) * g.row_pitch + g.extent[2];
  Bytes content = source_bytes(static_cast<std::size_t>(elements) * c.element_bytes);
  if (s.special_floats) {
    const std::uint32_t special[] = {0x7FC00001u, 0xFFC12345u, 0x7F800001u, 0x80000000u,
                                     0x7F800000u, 0xFF800000u, 0x00000001u, 0x807FFFFFu};
    for (std::size_t i = 0; i + 4 <= content.size(); i += 4)
      std::memcpy(&content[i], &special[i / 4 * 5 % 8], 4);
  }
  return content;
}

struct Expected {
  Bytes output;
  std::string fault;  // of the reported stages
};

// What the output must be, given the stage that each tile was in.
Expected expect(const CopyCase& c, const Scenario& s, const Geometry& g, const Bytes& source,
                const std::vector<int>& stages) {
  const long long teams = team_count(c, s);
  const long long per_team = g.tiles * g.passes;
  const std::size_t tile_bytes = static_cast<std::size_t>(c.elements()) * c.element_bytes;
  Expected e;
  e.output.assign(static_cast<std::size_t>(tiles_in_all(c, s)) * tile_bytes, output_poison);
  for (long long team = 0; team < teams; ++team) {
    std::vector<Bytes> ring(static_cast<std::size_t>(c.stages), Bytes(tile_bytes, shared_poison));
    Bytes outside(tile_bytes, shared_poison);
    int before = -1;
    for (long long n = 0; n < per_team * c.tiles_per_step; ++n) {
      const long long in_pass = n / c.tiles_per_step % (g.tiles > 0 ? g.tiles : 1);
      if (g.stop_after >= 0 && in_pass >= g.stop_after) continue;
      const long long number = team * c.tiles_per_step + n % c.tiles_per_step +
                               n / c.tiles_per_step * teams * c.tiles_per_step;
      Bytes* cell = &outside;
      if (!c.spaced) {
        const int stage = stages[static_cast<std::size_t>(number)];
        const bool cyclic = in_pass == 0 || stage == (before + 1) % c.stages;
        if (stage < 0 || stage >= c.stages || !cyclic) {
          e.fault = "tile " + std::to_string(number) + " was in stage " + std::to_string(stage) +
                    " after stage " + std::to_string(before);
          return e;
        }
        before = stage;
        cell = &ring[static_cast<std::size_t>(stage)];
      }
      const long long x = number % g.across, rest = number / g.across;
      const long long start[3] = {g.first[0] + rest / g.down * c.extent[0],
                                  g.first[1] + rest % g.down * c.extent[1],
                                  g.first[2] + x * c.extent[2]};
      int i = 0;
      for (long long d = start[0]; d < start[0] + c.extent[0]; ++d)
        for (long long r = start[1]; r < start[1] + c.extent[1]; ++r)
          for (long long k = start[2]; k < start[2] + c.extent[2]; ++k, ++i) {
            const bool inside =
                d >= 0 && d < g.extent[0] && r >= 0 && r < g.extent[1] && k >= 0 && k < g.extent[2];
            const std::size_t from =
                inside ? static_cast<std::size_t>(d * g.slice_pitch + r * g.row_pitch + k) *
                             c.element_bytes
                       : 0;
            for (int b = 0; b < c.element_bytes; ++b) {
              unsigned char& byte = (*cell)[static_cast<std::size_t>(i) * c.element_bytes + b];
              if (inside)
                byte = source[from + b];
              else if (c.edge != EdgeKind::skip)
                byte = 0;
              e.output[static_cast<std::size_t>(number) * tile_bytes +
                       static_cast<std::size_t>(i) * c.element_bytes + b] =
                  byte ^ place_byte(number, i, b);
            }
          }
    }
  }
  return e;
}

std::string describe(const CopyCase& c, const Scenario& s, const Geometry& g,
                     const std::string& what) {
  auto list = [](const long long* v) {
    return "{" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) +
           "}";
  };
  return c.name + ": " + what + " [tiles " + std::to_string(g.tiles) + ", passes " +
         std::to_string(g.passes) + ", drain " + std::to_string(g.drain) + ", stop after " +
         std::to_string(g.stop_after) + ", extent " + list(g.extent) + ", first " + list(g.first) +
         ", source offset " + std::to_string(s.source_offset) + ", delayed warp " +
         std::to_string(g.delay.warp) + " lane " + std::to_string(g.delay.lane) + "]";
}

}  // namespace

Reported last_report() { return reported; }

Scenario whole_tiles(const CopyCase& c, long long tiles, int passes) {
  Scenario s;
  Geometry& g = s.geometry;
  g.tiles = tiles;
  g.passes = passes;
  const long long all = tiles_in_all(c, s) > 0 ? tiles_in_all(c, s) : 1;
  g.across = c.rank == 1 ? 1ll << 40 : 3;
  g.down = c.rank == 2 ? 1ll << 40 : 2;
  if (c.rank == 1) g.down = 1;
  const long long wide = c.rank == 1 ? all : g.across;
  const long long rows = c.rank == 1 ? 1 : c.rank == 2 ? (all + wide - 1) / wide : g.down;
  const long long slices = c.rank == 3 ? (all + wide * rows - 1) / (wide * rows) : 1;
  g.extent[0] = slices * c.extent[0];
  g.extent[1] = rows * c.extent[1];
  g.extent[2] = wide * c.extent[2];
  return s;
}

Scenario cut_tiles(const CopyCase& c, long long tiles, int passes) {
  Scenario s = whole_tiles(c, tiles, passes);
  Geometry& g = s.geometry;
  const long long step = start_step(c);
  for (int i = 3 - c.rank; i < 3; ++i) {
    const long long unit = i == 2 ? step : 1;
    long long back = round_up(c.extent[i] / 3 + 1, unit);  // into the first tile
    if (back > c.extent[i]) back = unit == 1 ? 1 : 0;
    g.first[i] = -back;
    g.extent[i] -= back + (c.extent[i] > 2 ? c.extent[i] / 3 + 1 : 0);
    if (g.extent[i] < 0) g.extent[i] = 0;
  }
  return s;
}

std::string run_copy(const CopyCase& c, const Scenario& s) {
  Geometry g = s.geometry;
  const long long step = pitch_step(c);
  if (g.row_pitch == 0) g.row_pitch = round_up(g.extent[2] + 1, step);
  if (g.slice_pitch == 0) g.slice_pitch = round_up((g.extent[1] + 1) * g.row_pitch, step);

  const Bytes content = source_content(c, s, g);
  const std::size_t tiles = static_cast<std::size_t>(tiles_in_all(c, s));
  const std::size_t output_bytes = tiles * static_cast<std::size_t>(c.elements()) * c.element_bytes;
  const std::size_t report_bytes = (report_words + tiles) * sizeof(int);
  // memcheck takes a cp.async for a read of its whole width, whatever its source size
  // (docs/sanitizers.md): there it cannot see the end of the source closer than that.
  const bool cut_copies = c.edge == EdgeKind::zero_fill && expected_path(c.name) == "cp_async";
  const DeviceBuffer source(content, static_cast<std::size_t>(s.source_offset),
                            cut_copies ? static_cast<std::size_t>(c.promise) : 1);
  DeviceBuffer output(output_bytes, static_cast<std::size_t>(s.output_offset));
  DeviceBuffer report(report_bytes);

  const Dim block = s.block.x == 0 ? Dim{static_cast<unsigned>(c.threads), 1, 1} : s.block;
  Launch record =
      make_launch(c.name, c.kernel, Dim{static_cast<unsigned>(s.grid), 1, 1}, block, c.shared_bytes,
                  source.address(), output.address(), report.address(), g);
  if (c.tensor_source != nullptr) record.arguments.push_back(c.tensor_source(g, source.address()));
  for (int i = 0; i < s.launches; ++i) {
    output.fill(output_poison);
    report.fill(0xFF);
    launch(record);

    std::vector<int> words(report_words + tiles);
    const Bytes raw = report.read();
    std::memcpy(words.data(), raw.data(), report_bytes);
    reported = {words[report_path], words[report_completion]};
    const Expected e =
        expect(c, s, g, content, std::vector<int>(words.begin() + report_words, words.end()));
    if (!e.fault.empty()) return describe(c, s, g, e.fault);

    const Bytes got = output.read();
    for (std::size_t b = 0; b < got.size(); ++b)
      if (got[b] != e.output[b]) {
        const std::size_t tile_bytes = static_cast<std::size_t>(c.elements()) * c.element_bytes;
        return describe(c, s, g,
                        "launch " + std::to_string(i) + ", tile " + std::to_string(b / tile_bytes) +
                            ", element " + std::to_string(b % tile_bytes / c.element_bytes) +
                            ", byte " + std::to_string(b % c.element_bytes) + ": " +
                            std::to_string(got[b]) + " instead of " + std::to_string(e.output[b]));
      }
    for (const DeviceBuffer* buffer : {&source, static_cast<const DeviceBuffer*>(&output),
                                       static_cast<const DeviceBuffer*>(&report)})
      if (!buffer->broken_guard().empty()) return describe(c, s, g, buffer->broken_guard());
    if (source.read() != content) return describe(c, s, g, "the source changed");
  }
  return "";
}

}  // namespace tilepipe_test
