// SPDX-License-Identifier: Apache-2.0
// Launch records as JSON, the choice of back end, and the back end that only lists.
#include "launch.hpp"

#include <cstdio>
#include <cstdlib>

#include "kernel_symbol.hpp"

namespace tilepipe_test {
namespace {

Backend*& chosen() {
  static Backend* current = nullptr;
  return current;
}
std::string& test_name() {
  static std::string name = "(no test)";
  return name;
}

std::string hex(const std::vector<unsigned char>& bytes) {
  std::string text;
  char digits[3];
  for (unsigned char b : bytes) {
    std::snprintf(digits, sizeof digits, "%02x", b);
    text += digits;
  }
  return text;
}
std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}
std::string list(Dim d) {
  return "[" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + "]";
}

class ListingBackend final : public Backend {
 public:
  const char* name() const override { return "listing"; }
  void* allocate(std::size_t bytes) override { return std::calloc(bytes + 1, 1); }
  void deallocate(void* address) noexcept override { std::free(address); }
  void write(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void read(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void set(void* to, int byte, std::size_t bytes) override { std::memset(to, byte, bytes); }
  KernelInfo info(const void*) override { return {}; }
  tilepipe::TensorMap tensor_map(const tilepipe::TensorMapRequest&, bool) override { return {}; }
  const void* zeros() override {
    static const unsigned char none[16] = {};
    return none;
  }
  std::string symbol(const void* kernel) override { return kernel_symbol(kernel); }
  void run(const Launch&) override {}
};

}  // namespace

Backend& listing_backend() {
  static ListingBackend listing;
  return listing;
}
Backend& backend() { return chosen() != nullptr ? *chosen() : cuda_backend(); }
void use_backend(Backend& other) { chosen() = &other; }

void set_current_test(std::string name) { test_name() = std::move(name); }
const std::string& current_test() { return test_name(); }

double time_limit() {
  static const double seconds = [] {
    const char* text = std::getenv("TILEPIPE_TEST_SECONDS");
    const double given = text != nullptr ? std::atof(text) : 0;
    return given > 0 ? given : 20.0;
  }();
  return seconds;
}

std::string to_json(const Launch& record, const std::string& symbol) {
  std::string text = "{\"test\":\"" + escaped(current_test()) + "\",\"name\":\"" +
                     escaped(record.name) + "\",\"kernel\":\"" + escaped(symbol) +
                     "\",\"grid\":" + list(record.grid) + ",\"block\":" + list(record.block) +
                     ",\"shared_bytes\":" + std::to_string(record.shared_bytes) +
                     ",\"arguments\":[";
  bool first = true;
  for (const Argument& a : record.arguments) {
    if (!first) text += ',';
    first = false;
    const bool pointer = a.kind == Argument::Kind::pointer;
    text += std::string("{\"kind\":\"") + (pointer ? "pointer" : "scalar") + "\",\"bytes\":\"" +
            hex(a.bytes) + "\"";
    if (pointer) text += ",\"extent\":" + std::to_string(a.extent);
    text += "}";
  }
  return text + "]}";
}

void launch(const Launch& record) {
  if (const char* file = std::getenv("TILEPIPE_TEST_RECORDS")) {
    std::FILE* out = std::fopen(file, "a");
    if (out == nullptr)
      throw LaunchError(std::string("TILEPIPE_TEST_RECORDS: cannot write ") + file);
    std::fprintf(out, "%s\n", to_json(record, backend().symbol(record.kernel)).c_str());
    std::fclose(out);
  }
  backend().run(record);
}

}  // namespace tilepipe_test
