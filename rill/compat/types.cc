#include "tensorflow/core/framework/types.h"

#include <cstddef>
#include <ostream>

#include "rill/compat/convert.h"
#include "rill/tensor/allocator.h"
#include "rill/tensor/resource_handle.h"

namespace tensorflow {

// Elements of the two classes stand in for each other.
static_assert(sizeof(ResourceHandle) == sizeof(rill::ResourceHandle) &&
              alignof(ResourceHandle) == alignof(rill::ResourceHandle));

string ResourceHandle::DebugString() const {
  return rill::str_cat("device: ", device_, " container: ", container_, " name: ", name_,
                       " hash_code: ", hash_code_, " maybe_type_name: ", maybe_type_name_);
}

const char* const DEVICE_DEFAULT = "DEFAULT";
const char* const DEVICE_CPU = "CPU";
const char* const DEVICE_GPU = "GPU";
const char* const DEVICE_SYCL = "SYCL";

std::ostream& operator<<(std::ostream& os, const DeviceType& d) { return os << d.type(); }

string DataTypeString(DataType dtype) {
  if (dtype != DT_INVALID && rill::is_valid(to_rill(dtype)))
    return string(rill::dtype_name(to_rill(dtype)));
  return dtype == DT_INVALID
             ? "INVALID"
             : "unknown dtype enum (" + std::to_string(static_cast<int>(dtype)) + ")";
}
string DataTypeSliceString(const DataTypeSlice dtypes) {
  string text;
  for (const DataType dtype : dtypes) text += (text.empty() ? "" : ", ") + DataTypeString(dtype);
  return text;
}
bool DataTypeFromString(StringPiece sp, DataType* dt) {
  rill::DType parsed = rill::DType::invalid;
  if (!rill::parse_dtype(to_rill(sp), &parsed)) return false;
  *dt = from_rill(parsed);
  return true;
}
int DataTypeSize(DataType dt) {
  const rill::DType type = to_rill(dt);
  if (IsRefType(dt) || !rill::is_valid(type) || !rill::is_trivial(type)) return 0;
  return static_cast<int>(rill::element_size(type));
}

namespace {
bool is_in(DataType dt, rill::TypeSet set) {
  return !IsRefType(dt) && rill::is_valid(to_rill(dt)) && set.contains(to_rill(dt));
}
}  // namespace

bool DataTypeCanUseMemcpy(DataType dt) { return is_in(dt, rill::kAllTypes - rill::kObjectTypes); }
bool DataTypeIsFloating(DataType dt) { return is_in(dt, rill::kFloatTypes); }
bool DataTypeIsComplex(DataType dt) { return is_in(dt, rill::kComplexTypes); }
bool DataTypeIsQuantized(DataType dt) { return is_in(dt, rill::kQuantizedTypes); }
bool DataTypeIsInteger(DataType dt) { return is_in(dt, rill::kIntTypes); }
bool DataTypeIsUnsigned(DataType dt) { return is_in(dt, rill::kUnsignedIntTypes); }
bool DataTypeAlwaysOnHost(DataType dt) {
  return dt == DT_STRING || dt == DT_STRING_REF || dt == DT_RESOURCE;
}

namespace {
class CpuAllocator final : public Allocator {
 public:
  string Name() override { return "cpu"; }
  void* AllocateRaw(size_t alignment, size_t num_bytes) override {
    const size_t unit = alignment < kAllocatorAlignment ? kAllocatorAlignment : alignment;
    return std::aligned_alloc(unit, (num_bytes + unit - 1) / unit * unit);
  }
  void DeallocateRaw(void* ptr) override { std::free(ptr); }
};
}  // namespace

Allocator* cpu_allocator() {
  static CpuAllocator& allocator = *new CpuAllocator;
  return &allocator;
}

}  // namespace tensorflow
