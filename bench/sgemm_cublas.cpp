// SPDX-License-Identifier: Apache-2.0
// cuBLAS by its shared library, which is looked for when the program runs: so the program starts
// where there is none.
#include "sgemm_peers.hpp"

#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace bench {
namespace {

void* library() {
  for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"})
    if (void* found = dlopen(name, RTLD_NOW)) return found;
  return nullptr;
}

template <class Function>
Function function(void* from, const char* name) {
  void* found = dlsym(from, name);
  if (found == nullptr) {
    std::fprintf(stderr, "cuBLAS has no %s\n", name);
    std::exit(1);
  }
  return reinterpret_cast<Function>(found);
}

void check(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: cuBLAS status %d\n", what, static_cast<int>(status));
  std::exit(1);
}

}  // namespace

SgemmPeer cublas_pedantic() {
  void* const cublas = library();
  if (cublas == nullptr) return {};
  const auto property = function<decltype(&cublasGetProperty)>(cublas, "cublasGetProperty");
  std::string name = "cublasSgemm, cuBLAS";
  for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
    int value = 0;
    check(property(part, &value), "cublasGetProperty");
    name += (part == MAJOR_VERSION ? " " : ".") + std::to_string(value);
  }
  const auto create = function<decltype(&cublasCreate_v2)>(cublas, "cublasCreate_v2");
  const auto set_mode = function<decltype(&cublasSetMathMode)>(cublas, "cublasSetMathMode");
  const auto sgemm = function<decltype(&cublasSgemm_v2)>(cublas, "cublasSgemm_v2");
  const auto launch = [create, set_mode, sgemm,
                       handle = cublasHandle_t{}](const SgemmProblem& p) mutable {
    if (handle == nullptr) {
      check(create(&handle), "cublasCreate");
      check(set_mode(handle, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode");
    }
    // Its matrices are column-major: the transpose of C is B's times A's.
    const float one = 1, zero = 0;
    check(sgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, p.size, p.size, p.size, &one, p.b, p.size, p.a,
                p.size, &zero, p.c, p.size),
          "cublasSgemm");
  };
  return {name, launch};
}

}  // namespace bench
#else
bench::SgemmPeer bench::cublas_pedantic() { return {}; }
#endif
