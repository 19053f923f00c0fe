// SPDX-License-Identifier: Apache-2.0
// The launch record, and the one function through which every device test starts a kernel.
#pragma once
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <tilepipe/core/tensor_map.hpp>
#include <tilepipe/core/tensor_rules.hpp>
#include <type_traits>
#include <vector>

namespace tilepipe_test {

struct Dim {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
};
inline unsigned count(Dim d) { return d.x * d.y * d.z; }

// A device address, and how many bytes from there on belong to its buffer.
struct DeviceAddress {
  void* address = nullptr;
  std::size_t extent = 0;
};

struct Argument {
  enum class Kind { scalar, pointer };
  Kind kind = Kind::scalar;
  std::vector<unsigned char> bytes;
  std::size_t extent = 0;  // pointers: bytes from the address to the end of its buffer
};

template <class T>
Argument argument(const T& value) {
  static_assert(std::is_trivially_copyable<T>::value, "kernel arguments are copied as bytes");
  static_assert(!std::is_pointer<T>::value,
                "pass a DeviceAddress: its extent belongs to the record");
  Argument a;
  a.bytes.resize(sizeof(T));
  std::memcpy(a.bytes.data(), &value, sizeof(T));
  return a;
}
inline Argument argument(DeviceAddress view) {
  Argument a;
  a.kind = Argument::Kind::pointer;
  a.bytes.resize(sizeof view.address);
  std::memcpy(a.bytes.data(), &view.address, sizeof view.address);
  a.extent = view.extent;
  return a;
}

// All that another back end needs in order to run the same kernel on the same data.
struct Launch {
  std::string name;  // of the test case, for messages
  const void* kernel = nullptr;
  Dim grid;
  Dim block;
  std::size_t shared_bytes = 0;  // dynamic
  std::vector<Argument> arguments;
};
template <class... T>
Launch make_launch(std::string name, const void* kernel, Dim grid, Dim block, std::size_t shared,
                   const T&... values) {
  return {std::move(name), kernel, grid, block, shared, {argument(values)...}};
}

// What the code that really runs was compiled for: 75, 80, 90, ...
struct KernelInfo {
  int ptx_version = 0;
  int binary_version = 0;
  std::size_t static_shared_bytes = 0;
  int registers = 0;            // of a thread, at the launch
  std::size_t local_bytes = 0;  // of a thread: spilled registers and what has an address
};

struct LaunchError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Where memory lives and kernels run. The default is the GPU; `use_backend` puts another in its
// place.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual const char* name() const = 0;
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void deallocate(void* address) noexcept = 0;
  virtual void write(void* to, const void* from, std::size_t bytes) = 0;
  virtual void read(void* to, const void* from, std::size_t bytes) = 0;
  virtual void set(void* to, int byte, std::size_t bytes) = 0;
  virtual KernelInfo info(const void* kernel) = 0;
  // The tensor map of a request whose address is of this back end's memory; where launches are
  // listed only, zeros. Throws if the request breaks a rule. `always`: with the workaround for
  // small tensors, which only the driver's maps have.
  virtual tilepipe::TensorMap tensor_map(const tilepipe::TensorMapRequest& request,
                                         bool always) = 0;
  // 16 bytes of zeros that nobody writes to.
  virtual const void* zeros() = 0;
  // The kernel's name in its PTX; empty if it cannot be found out.
  virtual std::string symbol(const void* kernel) = 0;
  // Runs to the end, or throws LaunchError. A kernel that does not end ends the process (see
  // `time_limit`).
  virtual void run(const Launch& launch) = 0;
};

Backend& backend();
void use_backend(Backend& other);

// Starts the kernel, waits for its end within `time_limit`, throws LaunchError on failure. With
// TILEPIPE_TEST_RECORDS=FILE each record is first appended to the file as one line of JSON.
void launch(const Launch& record);

std::string to_json(const Launch& record, const std::string& symbol);

// Seconds a kernel may run (TILEPIPE_TEST_SECONDS, default 20). A hung kernel cannot be stopped:
// the process prints the names of test and kernel and leaves with exit code 124.
double time_limit();

// The name of the running test, for the message of a hang.
void set_current_test(std::string name);
const std::string& current_test();

// Records without running: every launch is recorded and none executed. For listing without a GPU.
Backend& listing_backend();
Backend& cuda_backend();
bool cuda_available(std::string& why_not);

}  // namespace tilepipe_test
