// SPDX-License-Identifier: Apache-2.0
// The event timer, the alternating rounds, and the JSON line of each row.
#include "measure.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "device.hpp"
#include "stamp.hpp"

namespace bench {
namespace {

constexpr int full_rounds = 21;
constexpr int quick_rounds = 5;

struct Options {
  bool quick = false;
  std::FILE* out = nullptr;
  int wrong_rows = 0;
};

class EventTimer {
 public:
  EventTimer() {
    check(cudaEventCreate(&begin_), "cudaEventCreate");
    check(cudaEventCreate(&end_), "cudaEventCreate");
  }
  ~EventTimer() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  double seconds(const std::function<void()>& launch) {
    float ms = 0;
    hold_stream();
    check(cudaEventRecord(begin_), "cudaEventRecord");
    launch();
    check(cudaEventRecord(end_), "cudaEventRecord");
    check(cudaEventSynchronize(end_), "kernel");
    check(cudaEventElapsedTime(&ms, begin_, end_), "cudaEventElapsedTime");
    return ms * 1e-3;
  }

 private:
  cudaEvent_t begin_;
  cudaEvent_t end_;
};

std::string quoted(const std::string& text) {
  std::string s = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') s += '\\';
    s += c;
  }
  return s + '"';
}

double median(std::vector<double> v) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  const std::size_t half = v.size() / 2;
  return v.size() % 2 ? v[half] : (v[half - 1] + v[half]) / 2;
}

struct Timed {
  const Side* side;
  bool ours;
  std::vector<double> seconds;
};

// Right results first, then two launches to warm up; a wrong side ends its row.
bool prepare(const Row& row, const Side& side) {
  if (side.poison) side.poison();
  side.launch();
  check(cudaGetLastError(), (row.bench + ": " + side.config).c_str());
  check(cudaDeviceSynchronize(), (row.bench + ": " + side.config).c_str());
  const unsigned wrong = side.wrong ? side.wrong() : 0;
  if (wrong)
    std::fprintf(stderr, "%s, %s, %s: %u wrong results\n", row.bench.c_str(), row.config.c_str(),
                 side.config.c_str(), wrong);
  side.launch();
  check(cudaDeviceSynchronize(), side.config.c_str());
  return wrong == 0;
}

void print_sides(std::FILE* out, const Row& row, const std::vector<Timed>& timed,
                 const std::vector<Side>& sides) {
  const char* between = "";
  for (const Side& side : sides) {
    std::fprintf(out, "%s{\"config\": %s, ", between, quoted(side.config).c_str());
    between = ", ";
    if (!side.launch) {
      std::fprintf(out, "\"figure\": %.6g}", side.figure);
      continue;
    }
    const auto at =
        std::find_if(timed.begin(), timed.end(), [&](const Timed& t) { return t.side == &side; });
    std::fprintf(out, "\"samples\": [");
    for (std::size_t i = 0; i < at->seconds.size(); ++i)
      std::fprintf(out, "%s%.6g", i ? ", " : "", row.amount / at->seconds[i]);
    std::fprintf(out, "]}");
  }
}

void print_row(std::FILE* out, const Row& row, const std::vector<Timed>& timed, bool quick) {
  char when[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  const Clocks clocks = read_clocks();
  std::fprintf(out, "{\"bench\": %s, \"config\": %s, \"unit\": %s, \"data\": %s, ",
               quoted(row.bench).c_str(), quoted(row.config).c_str(), quoted(row.unit).c_str(),
               quoted(row.data).c_str());
  std::fprintf(out, "\"peer\": %s, \"counts\": \"%s\", \"ours\": [", quoted(row.peer).c_str(),
               row.slowest ? "slowest" : "best");
  print_sides(out, row, timed, row.ours);
  std::fprintf(out, "], \"peers\": [");
  print_sides(out, row, timed, row.peers);
  std::fprintf(out,
               "], \"quick\": %s, \"time\": \"%s\", \"clocks\": {\"sm_mhz\": %d, "
               "\"memory_mhz\": %d, \"watts\": %.1f, \"celsius\": %d}}\n",
               quick ? "true" : "false", when, clocks.sm_mhz, clocks.memory_mhz, clocks.watts,
               clocks.celsius);
  std::fflush(out);
}

// The time of the side that counts.
double chosen(const std::vector<Timed>& timed, bool ours, bool slowest) {
  double seconds = 0;
  for (const Timed& t : timed) {
    const double m = median(t.seconds);
    if (t.ours == ours && (seconds == 0 || (slowest ? m > seconds : m < seconds))) seconds = m;
  }
  return seconds;
}

void measure(benchmark::State& state, const Row& row, Options& options) {
  std::vector<Timed> timed;
  for (const Side& side : row.ours) timed.push_back({&side, true, {}});
  for (const Side& side : row.peers)
    if (side.launch) timed.push_back({&side, false, {}});
  for (const Timed& t : timed) {
    if (prepare(row, *t.side)) continue;
    ++options.wrong_rows;
    state.SkipWithError(("wrong results: " + t.side->config).c_str());
    return;
  }
  EventTimer timer;
  std::size_t round = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < timed.size(); ++i) {
      Timed& t = timed[(i + round) % timed.size()];  // the next round begins with the next side
      if (row.flush) flush_l2();
      t.seconds.push_back(timer.seconds(t.side->launch));
    }
    ++round;
    state.SetIterationTime(timed.front().seconds.back());
  }
  const double ours = chosen(timed, true, row.slowest);
  double theirs = chosen(timed, false, false);
  for (const Side& side : row.peers)
    if (!side.launch) theirs = row.amount / side.figure;
  state.counters[row.unit] = row.amount / ours;
  state.counters["peer"] = row.amount / theirs;
  state.counters["ratio"] = theirs / ours;
  if (options.out) print_row(options.out, row, timed, options.quick);
}

// Takes out the options that are not Google Benchmark's.
Options take_options(int& argc, char** argv) {
  Options options;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      options.quick = true;
    } else if (std::strncmp(argv[i], "--out=", 6) == 0) {
      options.out = std::fopen(argv[i] + 6, "a");
      if (!options.out) {
        std::perror(argv[i] + 6);
        std::exit(1);
      }
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  return options;
}

}  // namespace

void Rows::add(Row row) { rows_.push_back(std::move(row)); }

int Rows::run(int argc, char** argv) {
  Options options = take_options(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  if (options.out) {
    const Device& d = device();
    const Stamp made = stamp();
    std::fprintf(options.out,
                 "{\"machine\": %s, \"multiprocessors\": %d, \"l2_bytes\": %zu, \"driver\": %s, "
                 "\"cuda\": %s, \"cccl\": %s, \"sources\": %s, \"commit\": %s, \"clean\": %s}\n",
                 quoted(d.name).c_str(), d.multiprocessors, d.l2_bytes, quoted(d.driver).c_str(),
                 quoted(d.runtime).c_str(), quoted(made.cccl).c_str(), quoted(made.sources).c_str(),
                 quoted(made.commit).c_str(), made.clean ? "true" : "false");
  }
  for (const Row& row : rows_) {
    benchmark::RegisterBenchmark(
        (row.bench + "/" + row.config).c_str(),
        [&row, &options](benchmark::State& state) { measure(state, row, options); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond)
        ->Iterations(options.quick ? quick_rounds : full_rounds);
  }
  benchmark::RunSpecifiedBenchmarks();
  if (options.out) std::fclose(options.out);
  return options.wrong_rows ? 1 : 0;
}

}  // namespace bench
