// SPDX-License-Identifier: Apache-2.0
// The checker as back end: runs each block of a launch on the CPU, from the PTX in this program.
#include "check_backend.hpp"

#include <tilepipe/check/launch.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

#include "kernel_symbol.hpp"

namespace tilepipe_test {
namespace {

namespace check = tilepipe::check;

// The PTX of one architecture in the running program, where it lies as text that ends with a zero;
// by kernel, which of the texts has it.
class ProgramPtx {
 public:
  explicit ProgramPtx(int arch) {
    std::ifstream in("/proc/self/exe", std::ios::binary);
    const std::string file{std::istreambuf_iterator<char>(in), {}};
    const std::string target = ".target sm_" + std::to_string(arch);
    for (std::size_t at = 0; (at = file.find("\n.version ", at)) != std::string::npos;) {
      const std::size_t end = std::min(file.find('\0', at), file.size());
      const std::size_t found = file.find(target, at);
      const bool ours = found < end && file.find_first_of("\n,", found) == found + target.size();
      if (ours) texts_.push_back(file.substr(at, end - at));
      at = end;
    }
    for (std::size_t n = 0; n < texts_.size(); ++n)
      for (std::size_t at = 0; (at = texts_[n].find(".entry ", at)) != std::string::npos;) {
        at += 7;
        where_[texts_[n].substr(at, texts_[n].find_first_of("(\n ", at) - at)] = n;
      }
  }

  const check::Kernel& kernel(const std::string& name) {
    const auto known = kernels_.find(name);
    if (known != kernels_.end()) return known->second;
    const auto found = where_.find(name);
    if (found == where_.end())
      throw LaunchError("this program has no PTX of the kernel '" + name + "'");
    auto& module = modules_[found->second];
    if (module == nullptr) module = std::make_unique<check::Module>(texts_[found->second]);
    return kernels_.emplace(name, module->kernel(name)).first->second;
  }

 private:
  std::vector<std::string> texts_;
  std::map<std::string, std::size_t> where_;
  std::map<std::size_t, std::unique_ptr<check::Module>> modules_;
  std::map<std::string, check::Kernel> kernels_;
};

class CheckBackend final : public Backend {
 public:
  explicit CheckBackend(int arch) : arch_(arch), ptx_(arch) {}

  const char* name() const override { return "check"; }
  // Addresses are those of the checked memory: nothing of the host lies there.
  void* allocate(std::size_t bytes) override {
    if (bytes > most_bytes)
      throw LaunchError("a buffer of " + std::to_string(bytes) + " bytes is over the budget");
    return reinterpret_cast<void*>(memory_.add(nullptr, bytes));
  }
  void deallocate(void* address) noexcept override { memory_.release(address_of(address)); }
  void write(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(bytes_at(to, bytes), from, bytes);
  }
  void read(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, bytes_at(from, bytes), bytes);
  }
  void set(void* to, int byte, std::size_t bytes) override {
    if (bytes > 0) std::memset(bytes_at(to, bytes), byte, bytes);
  }
  KernelInfo info(const void* kernel) override {
    return {arch_, arch_, ptx_.kernel(symbol(kernel)).static_shared};
  }
  tilepipe::TensorMap tensor_map(const tilepipe::TensorMapRequest& request, bool) override {
    return check::tensor_map(request);
  }
  const void* zeros() override {
    if (zeros_ == nullptr) set(zeros_ = allocate(16), 0, 16);
    return zeros_;
  }
  std::string symbol(const void* kernel) override { return kernel_symbol(kernel); }

  // The blocks of the grid one after the other; the second launch of two alike in another order.
  void run(const Launch& record) override try {
    const check::Kernel& kernel = ptx_.kernel(symbol(record.kernel));
    check::Launch launch(kernel, memory_, dim(record.block));
    launch.grid = dim(record.grid);
    launch.dynamic_shared = static_cast<std::uint32_t>(record.shared_bytes);
    launch.max_instructions = most_instructions;
    put_arguments(launch, record);
    const check::Schedule schedule =
        counts_.launches++ % 2 == 0 ? check::Schedule::late() : check::Schedule::early();
    for (unsigned z = 0; z < record.grid.z; ++z)
      for (unsigned y = 0; y < record.grid.y; ++y)
        for (unsigned x = 0; x < record.grid.x; ++x) {
          launch.index = {x, y, z};
          const check::Report report = check::run(launch, schedule);
          ++counts_.blocks;
          counts_.instructions += report.instructions;
          if (!report.clean()) throw LaunchError(record.name + ": " + report.text());
        }
  } catch (const check::Unsupported& e) {
    throw LaunchError(record.name + ": " + e.what());
  }

  const CheckCounts& counts() const { return counts_; }

 private:
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;
  static constexpr std::uint64_t most_instructions = 100u << 20;

  static check::Dim3 dim(Dim d) { return {d.x, d.y, d.z}; }
  static check::Address address_of(const void* p) { return reinterpret_cast<check::Address>(p); }
  unsigned char* bytes_at(const void* p, std::size_t bytes) {
    unsigned char* found = memory_.find(address_of(p), bytes);
    if (found == nullptr) throw LaunchError("the host accesses bytes outside a buffer");
    return found;
  }
  static void put_arguments(check::Launch& launch, const Launch& record) {
    const auto& parameters = launch.kernel.parameters;
    if (parameters.size() != record.arguments.size())
      throw check::Unsupported("another number of arguments than the kernel takes");
    launch.parameters.assign(launch.kernel.parameter_bytes, 0);
    for (std::size_t n = 0; n < parameters.size(); ++n) {
      const std::vector<unsigned char>& bytes = record.arguments[n].bytes;
      if (bytes.size() != parameters[n].bytes)
        throw check::Unsupported("an argument of another size than the kernel takes");
      std::memcpy(launch.parameters.data() + parameters[n].at, bytes.data(), bytes.size());
    }
  }

  void* zeros_ = nullptr;
  int arch_;
  ProgramPtx ptx_;
  check::GlobalMemory memory_;
  CheckCounts counts_;
};

CheckBackend* current = nullptr;

}  // namespace

Backend& check_backend(int arch) {
  static CheckBackend backend(arch);
  current = &backend;
  return backend;
}
CheckCounts check_counts() { return current == nullptr ? CheckCounts{} : current->counts(); }

}  // namespace tilepipe_test
