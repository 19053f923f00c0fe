// SPDX-License-Identifier: Apache-2.0
// Tests of tensor maps made on the host, against a CUDA runtime and a driver that this file plays:
// what the driver is asked, which bit the workaround changes, and what is said when it fails.
#include <cstring>
#include <string>
#include <tilepipe/host/tensor_map.hpp>
#include <vector>

#include "support/catch.hpp"

namespace {

struct Asked {
  CUtensorMapDataType type{};
  void* address = nullptr;
  std::vector<cuuint64_t> extent, stride;
  std::vector<cuuint32_t> box, element_stride;
  CUtensorMapInterleave interleave{};
  CUtensorMapSwizzle swizzle{};
  CUtensorMapL2promotion promotion{};
  CUtensorMapFloatOOBfill fill{};
};
struct Fake {
  int major = 9, minor = 0, driver = 13000;
  bool has_encode = true;
  CUresult result = CUDA_SUCCESS;
  std::vector<Asked> asked;
  std::string failing_call;
  // What device_zeros() does: bytes allocated, those of them that are set, to what, and whether
  // that is waited for.
  std::size_t allocated = 0, set = 0;
  int value = -1;
  bool waited = false;
};
Fake fake;

cudaError_t answer(const char* call) {
  return fake.failing_call == call ? cudaErrorInvalidValue : cudaSuccess;
}

// Fills the map with ones, so that every cleared bit shows.
CUresult CUDAAPI encode(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                        const cuuint64_t* extent, const cuuint64_t* stride, const cuuint32_t* box,
                        const cuuint32_t* element_stride, CUtensorMapInterleave interleave,
                        CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                        CUtensorMapFloatOOBfill fill) {
  fake.asked.push_back({type,
                        address,
                        {extent, extent + rank},
                        {stride, stride + rank - 1},
                        {box, box + rank},
                        {element_stride, element_stride + rank},
                        interleave,
                        swizzle,
                        promotion,
                        fill});
  std::memset(map, 0xFF, sizeof *map);
  return fake.result;
}

template <class F>
std::string message(F&& f) {
  try {
    f();
  } catch (const tilepipe::host::Error& error) {
    return error.what();
  }
  return "";
}

using namespace tilepipe;
using host::SmallTensorWorkaround;
using Matrix = Tile<float, 8, 16>;

// Never read: the driver that reads addresses is not there.
const float* const data = reinterpret_cast<const float*>(std::uintptr_t{1} << 32);
void* const zeros = reinterpret_cast<void*>(std::uintptr_t{3} << 32);
Source<float, 2> matrix(index_t rows, index_t cols, index_t pitch) {
  return Source<float, 2>::pitched(data, rows, cols, pitch);
}
// The bits of a map that are 0, where the driver played here sets all.
std::vector<int> cleared_bits(const TensorMap& map) {
  std::vector<int> bits;
  for (int i = 0; i < 1024; ++i)
    if ((map.bytes[i / 8] >> i % 8 & 1) == 0) bits.push_back(i);
  return bits;
}

}  // namespace

extern "C" {
cudaError_t CUDARTAPI cudaGetDevice(int* device) {
  *device = 3;
  return answer("cudaGetDevice");
}
cudaError_t CUDARTAPI cudaDeviceGetAttribute(int* value, cudaDeviceAttr what, int device) {
  if (device != 3) return cudaErrorInvalidDevice;
  *value = what == cudaDevAttrComputeCapabilityMajor ? fake.major : fake.minor;
  return answer("cudaDeviceGetAttribute");
}
cudaError_t CUDARTAPI cudaDriverGetVersion(int* version) {
  *version = fake.driver;
  return answer("cudaDriverGetVersion");
}
cudaError_t CUDARTAPI cudaGetDriverEntryPointByVersion(const char* symbol, void** entry,
                                                       unsigned int version, unsigned long long,
                                                       cudaDriverEntryPointQueryResult* found) {
  const bool known =
      fake.has_encode && std::string(symbol) == "cuTensorMapEncodeTiled" && version == 12000;
  *entry = known ? reinterpret_cast<void*>(encode) : nullptr;
  *found = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointVersionNotSufficent;
  return answer("cudaGetDriverEntryPointByVersion");
}
cudaError_t CUDARTAPI cudaMalloc(void** memory, std::size_t bytes) {
  *memory = zeros;
  fake.allocated += bytes;
  return answer("cudaMalloc");
}
cudaError_t CUDARTAPI cudaMemset(void* memory, int value, std::size_t bytes) {
  fake.set += memory == zeros ? bytes : 0;
  fake.value = value;
  return answer("cudaMemset");
}
cudaError_t CUDARTAPI cudaStreamSynchronize(cudaStream_t stream) {
  fake.waited = stream == nullptr && fake.set > 0;
  return answer("cudaStreamSynchronize");
}
const char* CUDARTAPI cudaGetErrorName(cudaError_t) { return "cudaErrorInvalidValue"; }
const char* CUDARTAPI cudaGetErrorString(cudaError_t) { return "invalid argument"; }
}

TEST_CASE("tensor_source asks the driver in its order when a matrix is given rows first") {
  fake = Fake{};
  const TensorSource<Matrix> source = host::tensor_source<Matrix>(matrix(1000, 70, 72));
  CHECK(source.mapped == 1);
  CHECK(source.view.data == data);
  CHECK((source.view.extent[0] == 1000 && source.view.extent[1] == 70));
  REQUIRE(fake.asked.size() == 1);
  const Asked& asked = fake.asked[0];
  CHECK(asked.type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
  CHECK(asked.address == data);
  CHECK(asked.extent == std::vector<cuuint64_t>{70, 1000});
  CHECK(asked.stride == std::vector<cuuint64_t>{288});
  CHECK(asked.box == std::vector<cuuint32_t>{16, 8});
  CHECK(asked.element_stride == std::vector<cuuint32_t>{1, 1});
  CHECK(asked.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE);
  CHECK(asked.swizzle == CU_TENSOR_MAP_SWIZZLE_NONE);
  CHECK(asked.promotion == CU_TENSOR_MAP_L2_PROMOTION_L2_128B);
  CHECK(asked.fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  CHECK(cleared_bits(source.map).empty());
}

TEST_CASE("tensor_source passes swizzle, promotion and all strides when a tile has five extents") {
  fake = Fake{};
  using Five = SwizzledTile<short, 2, 2, 2, 4, 64>;
  const auto* shorts = reinterpret_cast<const short*>(data);
  const Source<short, 5> view{shorts, {2, 3, 4, 5, 64}, {4096, 1024, 512, 64, 1}};
  const TensorSource<Five> source =
      host::tensor_source<Five>(view, {L2Promotion::bytes_256, SmallTensorWorkaround::never});
  CHECK(source.mapped == 1);
  REQUIRE(fake.asked.size() == 1);
  CHECK(fake.asked[0].extent == std::vector<cuuint64_t>{64, 5, 4, 3, 2});
  CHECK(fake.asked[0].stride == std::vector<cuuint64_t>{128, 1024, 2048, 8192});
  CHECK(fake.asked[0].box == std::vector<cuuint32_t>{64, 4, 2, 2, 2});
  CHECK(fake.asked[0].swizzle == CU_TENSOR_MAP_SWIZZLE_128B);
  CHECK(fake.asked[0].promotion == CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
}

TEST_CASE("tensor_source goes by the view and says why when there can be no map") {
  fake = Fake{};
  std::string why;
  TensorSource<Matrix> source = host::tensor_source<Matrix>(matrix(100, 11, 11), why);
  CHECK(source.mapped == 0);
  CHECK(source.view.stride[0] == 11);
  CHECK(why == "row stride 44 B is not a multiple of 16");
  CHECK(fake.asked.empty());
  fake.major = 8;
  fake.minor = 6;
  source = host::tensor_source<Matrix>(matrix(100, 11, 12), why);
  CHECK(source.mapped == 0);
  CHECK(why == "the device has compute capability 8.6, and tensor copies need 9.0");
  CHECK(fake.asked.empty());
  fake.major = 12;
  source = host::tensor_source<Matrix>(matrix(100, 11, 12), why);
  CHECK(source.mapped == 1);
  CHECK(why.empty());
}

TEST_CASE("tensor_source maps one zero of its own when an extent is 0") {
  fake = Fake{};
  std::string why = "none yet";
  const TensorSource<Matrix> source = host::tensor_source<Matrix>(matrix(0, 11, 11), why);
  CHECK(source.mapped == 2);
  CHECK(why.empty());
  CHECK((source.view.data == data && source.view.extent[0] == 0 && source.view.extent[1] == 11));
  REQUIRE(fake.asked.size() == 1);
  CHECK(fake.asked[0].address == zeros);
  CHECK(fake.asked[0].extent == std::vector<cuuint64_t>{1, 1});
  CHECK(fake.asked[0].stride == std::vector<cuuint64_t>{16});
  CHECK(fake.asked[0].box == std::vector<cuuint32_t>{16, 8});
  CHECK((fake.allocated == 16 && fake.set == 16 && fake.value == 0 && fake.waited));
  // The memory is there from now on; no rule is broken where there is nothing to load.
  using Wide = SwizzledTile<long double, 8, 8>;  // two elements of the map each
  const Source<long double, 2> wide{nullptr, {7, 0}, {3, 1}};
  CHECK(host::tensor_source<Wide>(wide).mapped == 2);
  REQUIRE(fake.asked.size() == 2);
  CHECK(fake.asked[1].extent == std::vector<cuuint64_t>{1, 1});
  CHECK(fake.allocated == 16);
  fake.major = 8;
  CHECK(host::tensor_source<Matrix>(matrix(0, 11, 11)).mapped == 0);
  CHECK(fake.asked.size() == 2);
}

TEST_CASE("tensor_source throws the rule when the source breaks it") {
  fake = Fake{};
  CHECK(message([] { host::tensor_source<Matrix>(matrix(100, 11, 11)); }) ==
        "tilepipe::host::tensor_source: row stride 44 B is not a multiple of 16; change the "
        "source, or pass a string for the reason and load by the plain view");
  TensorMapRequest request = host::tensor_map_request<Matrix>(matrix(100, 11, 12));
  request.box[0] = 300;
  CHECK(message([&] { host::encode_tensor_map(request); }) ==
        "tilepipe::host::encode_tensor_map: box extent 0 is 300, outside 1..256");
  CHECK(fake.asked.empty());
}

TEST_CASE("encode_tensor_map says so when the driver refuses, or is too old") {
  fake = Fake{};
  fake.result = CUDA_ERROR_INVALID_VALUE;
  CHECK(message([] { host::tensor_source<Matrix>(matrix(100, 11, 12)); }) ==
        "tilepipe::host::encode_tensor_map: cuTensorMapEncodeTiled refused with CUresult 1, though "
        "every rule that it documents holds");
  fake = Fake{};
  fake.has_encode = false;
  fake.driver = 11080;
  CHECK(message([] { host::tensor_source<Matrix>(matrix(100, 11, 12)); }) ==
        "tilepipe::host::encode_tensor_map: the driver, of CUDA 11.8, has no "
        "cuTensorMapEncodeTiled; tensor maps need 12.0");
  for (const std::string call : {"cudaGetDevice", "cudaDeviceGetAttribute", "cudaDriverGetVersion",
                                 "cudaGetDriverEntryPointByVersion"}) {
    fake = Fake{};
    fake.failing_call = call;
    CHECK(message([] {
            host::tensor_source<Matrix>(matrix(100, 11, 12));
          }).find("tilepipe::host: " + call) == 0);
  }
}

TEST_CASE("the workaround clears bit 85 of the map where it is documented, always or never") {
  const Source<float, 2> gaps = matrix(100, 11, 12), dense = matrix(100, 12, 12);
  // 128 KiB from the first byte to the last: 8191 pitches of 16 B and 16 B.
  const Source<float, 2> below = matrix(8192, 3, 4), at = matrix(8192, 4, 4),
                         beyond = matrix(8193, 3, 4);
  const struct {
    int major;
    int driver;
    Source<float, 2> view;
    bool cleared;
  } cases[] = {{10, 13010, gaps, true}, {10, 13020, gaps, false},  {12, 12040, gaps, true},
               {9, 13010, gaps, false}, {10, 13010, dense, false}, {10, 13010, below, true},
               {10, 13010, at, false},  {10, 13010, beyond, false}};
  for (const auto& c : cases) {
    CAPTURE(c.major, c.driver, c.view.extent[0], c.view.extent[1], c.view.stride[0]);
    fake = Fake{};
    fake.major = c.major;
    fake.driver = c.driver;
    const auto bits = [&](SmallTensorWorkaround workaround) {
      return cleared_bits(host::tensor_source<Matrix>(c.view, {L2Promotion::none, workaround}).map);
    };
    CHECK(bits(SmallTensorWorkaround::where_documented) ==
          (c.cleared ? std::vector<int>{85} : std::vector<int>{}));
    CHECK(bits(SmallTensorWorkaround::always) == std::vector<int>{85});
    CHECK(bits(SmallTensorWorkaround::never).empty());
  }
}

#if CUDA_VERSION >= 12080
TEST_CASE("the library's numbers are the driver's when types, swizzles and the rest are cast") {
  CHECK(static_cast<int>(TensorElement::bfloat16) == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
  CHECK(static_cast<int>(TensorElement::float32) == CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
  CHECK(static_cast<int>(TensorElement::int64) == CU_TENSOR_MAP_DATA_TYPE_INT64);
  CHECK(static_cast<int>(TensorElement::tfloat32_ftz) == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ);
  CHECK(static_cast<int>(TensorElement::u6_align16) == CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B);
  CHECK(static_cast<int>(TensorInterleave::bytes_32) == CU_TENSOR_MAP_INTERLEAVE_32B);
  CHECK(static_cast<int>(TensorSwizzle::bytes_128) == CU_TENSOR_MAP_SWIZZLE_128B);
  CHECK(static_cast<int>(TensorSwizzle::bytes_128_atom_64) == CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B);
  CHECK(static_cast<int>(L2Promotion::bytes_256) == CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
  CHECK(static_cast<int>(TensorFill::nan) == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
}
#endif
