#pragma once

#include <cstdint>

// The binary interface of DLPack 1.x. It lies in a namespace of its own, so that a program may use
// DLPack's own header beside it; the layouts are the same.
namespace rill::dlpack {

enum class DeviceType : std::int32_t {
  cpu = 1,
  cuda = 2,
  cuda_host = 3,
  opencl = 4,
  vulkan = 7,
  metal = 8,
  vpi = 9,
  rocm = 10,
  rocm_host = 11,
  extension = 12,
  cuda_managed = 13,
  oneapi = 14,
  webgpu = 15,
  hexagon = 16,
  maia = 17,
};

struct Device {
  DeviceType type;
  std::int32_t id;
};

enum class TypeCode : std::uint8_t {
  signed_int = 0,
  unsigned_int = 1,
  floating = 2,
  opaque = 3,
  bfloat = 4,
  complex = 5,
  boolean = 6,
};

struct DataType {
  TypeCode code;
  std::uint8_t bits;  // of one lane; of both parts of a complex number
  std::uint16_t lanes;
};

struct Array {
  void* data;
  Device device;
  std::int32_t rank;
  DataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;      // in elements; nullptr means row-major and dense
  std::uint64_t byte_offset;  // from `data` to the first element
};

// What is handed over before version 1. Whoever has it calls the deleter once.
struct ManagedTensor {
  Array array;
  void* context;
  void (*deleter)(ManagedTensor* self);  // nullptr when nothing needs to be released
};

struct Version {
  std::uint32_t major, minor;
};

inline constexpr std::uint32_t kMajorVersion = 1, kMinorVersion = 0;
inline constexpr std::uint64_t kReadOnly = 1;  // flags
inline constexpr std::uint64_t kIsCopied = 2;

// The same since version 1, with flags.
struct ManagedTensorVersioned {
  Version version;  // comes first, whatever the version
  void* context;
  void (*deleter)(ManagedTensorVersioned* self);
  std::uint64_t flags;
  Array array;
};

static_assert(sizeof(DataType) == 4 && sizeof(Device) == 8 && sizeof(Array) == 48);
static_assert(sizeof(ManagedTensor) == 64 && sizeof(ManagedTensorVersioned) == 80);

}  // namespace rill::dlpack
