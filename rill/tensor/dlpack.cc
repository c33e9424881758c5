#include "rill/tensor/dlpack.h"

#include <cstring>
#include <memory>
#include <type_traits>

namespace rill {
namespace {

using namespace dlpack;

struct TypePair {
  DType dtype;
  TypeCode code;
};

// The sizes follow from the dtype.
constexpr TypePair kTypes[] = {
    {DType::boolean, TypeCode::boolean},  {DType::i8, TypeCode::signed_int},
    {DType::i16, TypeCode::signed_int},   {DType::i32, TypeCode::signed_int},
    {DType::i64, TypeCode::signed_int},   {DType::u8, TypeCode::unsigned_int},
    {DType::u16, TypeCode::unsigned_int}, {DType::u32, TypeCode::unsigned_int},
    {DType::u64, TypeCode::unsigned_int}, {DType::f16, TypeCode::floating},
    {DType::f32, TypeCode::floating},     {DType::f64, TypeCode::floating},
    {DType::bf16, TypeCode::bfloat},      {DType::c64, TypeCode::complex},
    {DType::c128, TypeCode::complex},
};

DataType exported_type(DType dtype) {
  for (const TypePair& type : kTypes)
    if (type.dtype == dtype)
      return {type.code, static_cast<std::uint8_t>(8 * element_size(dtype)), 1};
  raise(Code::kInvalidArgument, "DLPack has no elements of dtype ", dtype);
}

DType imported_type(const DataType& wanted) {
  if (wanted.lanes == 1)
    for (const TypePair& type : kTypes)
      if (type.code == wanted.code && 8 * element_size(type.dtype) == wanted.bits)
        return type.dtype;
  raise(Code::kUnimplemented, "DLPack elements of type code ", static_cast<int>(wanted.code), ", ",
        wanted.bits, " bits and ", wanted.lanes, " lanes are not supported");
}

std::string device_name(DeviceType type) {
  constexpr const char* kNames[] = {"",       "CPU",       "CUDA",      "CUDA host",    "OpenCL",
                                    "",       "",          "Vulkan",    "Metal",        "VPI",
                                    "ROCm",   "ROCm host", "extension", "CUDA managed", "oneAPI",
                                    "WebGPU", "Hexagon",   "MAIA"};
  const auto i = static_cast<std::size_t>(type);
  return i < std::size(kNames) && *kNames[i] != 0 ? kNames[i] : str_cat("number ", i);
}

Dims dense_strides(const Shape& shape) {
  Dims strides(shape.dims());
  std::int64_t stride = 1;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= std::max<std::int64_t>(shape[i], 1);
  }
  return strides;
}

// --- lending ---------------------------------------------------------------------------------

// What is lent, with everything it points to.
template <class Managed>
struct Loan {
  Managed managed;
  Tensor tensor;
  Dims shape, strides;
};

template <class Managed>
Managed* lend(const Tensor& tensor) {
  const DataType dtype = exported_type(tensor.dtype());
  if (tensor.memory_kind() == MemoryKind::device)
    raise(Code::kUnimplemented, "DLPack can lend tensors in host memory only");
  auto loan = std::make_unique<Loan<Managed>>();
  loan->tensor = tensor;
  loan->shape = Dims(tensor.shape().dims());
  loan->strides = dense_strides(tensor.shape());
  loan->managed.array = {.data = tensor.raw_data(),
                         .device = {DeviceType::cpu, 0},
                         .rank = tensor.rank(),
                         .dtype = dtype,
                         .shape = loan->shape.data(),
                         .strides = loan->strides.data(),
                         .byte_offset = 0};
  loan->managed.context = loan.get();
  loan->managed.deleter = [](Managed* self) { delete static_cast<Loan<Managed>*>(self->context); };
  return &loan.release()->managed;
}

bool is_read_only(const Tensor& tensor) { return tensor.buffer() && tensor.buffer()->read_only(); }

// --- borrowing -------------------------------------------------------------------------------

bool is_dense(const Array& array, const Shape& shape) {
  if (array.strides == nullptr || shape.element_count() == 0) return true;
  const Dims dense = dense_strides(shape);
  for (int i = 0; i < shape.rank(); ++i)
    if (shape[i] > 1 && array.strides[i] != dense[i]) return false;
  return true;
}

// Copies the part below `axis` into dense storage and moves `dst` past it. Strides of arrays with
// elements lie within memory, so their products do not overflow.
void copy_strided(const Array& array, const char* src, std::size_t size, int axis, char** dst) {
  if (axis == array.rank) {
    std::memcpy(*dst, src, size);
    *dst += size;
    return;
  }
  const std::int64_t step = array.strides[axis] * static_cast<std::int64_t>(size);
  for (std::int64_t i = 0; i < array.shape[axis]; ++i)
    copy_strided(array, src + i * step, size, axis + 1, dst);
}

Tensor copied(const Array& array, const char* src, DType dtype, const Shape& shape, bool dense) {
  Tensor tensor(dtype, shape);
  auto* dst = static_cast<char*>(tensor.raw_data());
  if (dense) {
    if (tensor.byte_size() > 0) std::memcpy(dst, src, tensor.byte_size());
  } else {
    copy_strided(array, src, element_size(dtype), 0, &dst);
  }
  return tensor;
}

Shape checked_shape(const Array& array) {
  if (array.device.type != DeviceType::cpu)
    raise(Code::kUnimplemented, "DLPack arrays on device ", device_name(array.device.type),
          " are not supported");
  require(array.rank >= 0 && (array.rank == 0 || array.shape != nullptr), "a DLPack array of rank ",
          array.rank, " has no shape");
  Shape shape(std::span<const std::int64_t>(array.shape, static_cast<std::size_t>(array.rank)));
  require(shape.element_count() == 0 || array.data != nullptr, "a DLPack array of shape ", shape,
          " has no data");
  return shape;
}

std::size_t alignment_of(DType dtype) {
  return element_size(dtype) / (kComplexTypes.contains(dtype) ? 2 : 1);
}

template <class Managed>
Tensor borrow(Managed* lent, bool read_only) {
  const Array& array = lent->array;
  const Shape shape = checked_shape(array);
  const DType dtype = imported_type(array.dtype);
  const std::size_t bytes = shape.byte_size(element_size(dtype));
  char* data = static_cast<char*>(array.data) + (array.data == nullptr ? 0 : array.byte_offset);
  const auto release = [lent] {
    if (lent->deleter != nullptr) lent->deleter(lent);
  };
  const bool dense = is_dense(array, shape);
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % alignment_of(dtype) == 0;
  if (!dense || !aligned) {
    Tensor tensor = copied(array, data, dtype, shape, dense);
    release();
    return tensor;
  }
  return Tensor(dtype, shape, BufferRef(Buffer::borrow(data, bytes, release, read_only)), data);
}

}  // namespace

ManagedTensor* to_dlpack(const Tensor& tensor) {
  return lend<ManagedTensor>(is_read_only(tensor) ? tensor.clone() : tensor);
}

ManagedTensorVersioned* to_dlpack_versioned(const Tensor& tensor) {
  auto* lent = lend<ManagedTensorVersioned>(tensor);
  lent->version = {kMajorVersion, kMinorVersion};
  lent->flags = is_read_only(tensor) ? kReadOnly : 0;
  return lent;
}

Tensor from_dlpack(ManagedTensor* lent) {
  require(lent != nullptr, "no DLPack array was given");
  return borrow(lent, /*read_only=*/false);
}

Tensor from_dlpack(ManagedTensorVersioned* lent) {
  require(lent != nullptr, "no DLPack array was given");
  if (lent->version.major != kMajorVersion)
    raise(Code::kUnimplemented, "DLPack version ", lent->version.major, " is not supported");
  return borrow(lent, (lent->flags & kReadOnly) != 0);
}

}  // namespace rill
