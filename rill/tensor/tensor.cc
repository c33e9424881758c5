#include "rill/tensor/tensor.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "rill/tensor/device_memory.h"
#include "rill/tensor/resource_handle.h"
#include "rill/tensor/variant.h"

namespace rill {
namespace {

std::size_t alignment(DType dtype) {  // of numbers; a complex one is aligned as its parts
  const std::size_t size = element_size(dtype);
  return kComplexTypes.contains(dtype) ? size / 2 : size;
}

BufferRef new_buffer(DType dtype, const Shape& shape, Allocator& allocator) {
  require(is_valid(dtype) && !is_ref(dtype), "a tensor cannot have dtype ", dtype);
  return BufferRef(
      Buffer::allocate(dtype, static_cast<std::size_t>(shape.element_count()), allocator));
}

}  // namespace

Tensor::Tensor(DType dtype, Shape shape, Allocator& allocator)
    : buffer_(new_buffer(dtype, shape, allocator)),
      data_(buffer_->data()),
      shape_(std::move(shape)) {
  set_type(dtype);
}

void Tensor::reset(DType dtype, const Shape& shape, Allocator& allocator) {
  buffer_ = new_buffer(dtype, shape, allocator);
  data_ = buffer_->data();
  set_type(dtype);
  shape_ = shape;
}

Tensor Tensor::zeros(DType dtype, Shape shape) {
  Tensor t(dtype, std::move(shape));
  if (is_trivial(dtype)) std::memset(t.data_, 0, t.byte_size());
  return t;
}

Tensor Tensor::reshaped(Shape shape) const {
  require(shape.element_count() == element_count(), "cannot reshape ", element_count(),
          " elements of shape ", shape_, " to ", shape);
  Tensor t = *this;
  t.shape_ = std::move(shape);
  return t;
}

Tensor Tensor::slice(std::int64_t begin, std::int64_t end) const {
  require(rank() >= 1 && 0 <= begin && begin <= end && end <= dim(0), "slice [", begin, ",", end,
          ") is outside shape ", shape_);
  Tensor t = *this;
  t.shape_ = shape_.with_dim(0, end - begin);
  const std::int64_t row = dim(0) == 0 ? 0 : element_count() / dim(0);
  t.data_ =
      static_cast<char*>(data_) + static_cast<std::size_t>(begin * row) * element_size(dtype_);
  return t;
}

Tensor Tensor::bitcast(DType dtype, Shape shape) const {
  require(is_trivial(dtype_) && is_trivial(dtype) &&
              shape.byte_size(element_size(dtype)) == byte_size(),
          "cannot see ", dtype_, shape_, " as ", dtype, shape);
  // A slice of small elements may start where larger ones must not.
  const bool aligned = reinterpret_cast<std::uintptr_t>(data_) % alignment(dtype) == 0;
  Tensor t = aligned ? *this : clone();
  t.set_type(dtype);
  t.shape_ = std::move(shape);
  return t;
}

Tensor Tensor::clone() const {
  const bool is_away = memory_kind() == MemoryKind::device;
  return copied_to(is_away ? buffer_->allocator()->copier()->allocator() : cpu_allocator());
}

Tensor Tensor::copied_to(Allocator& allocator) const {
  if (!has_value()) return {};
  Tensor t(dtype_, shape_, allocator);
  copy_tensor(*this, t);
  return t;
}

Tensor Tensor::on_host() const {
  return memory_kind() == MemoryKind::device ? copied_to(cpu_allocator()) : *this;
}

void Tensor::check_access(DType wanted) const {
  if (wanted != dtype_)
    raise(Code::kInternal, "a tensor of dtype ", dtype_, " was read as ", wanted);
  if (DeviceMemoryAccess::allowed()) return;
  raise(Code::kInternal, "the CPU was about to touch a tensor of dtype ", dtype_, " and shape ",
        shape_, " in the memory of ", buffer_->allocator()->copier()->device_name());
}

void Tensor::check_single() const {
  require(element_count() == 1, "expected a single value, got shape ", shape_);
}

void copy_elements(DType dtype, void* dst, const void* src, std::size_t count) {
  const auto copy = [&]<class T>(T*) {
    std::copy_n(static_cast<const T*>(src), count, static_cast<T*>(dst));
  };
  switch (base_type(dtype)) {
    case DType::string:
      return copy(static_cast<std::string*>(nullptr));
    case DType::resource:
      return copy(static_cast<ResourceHandle*>(nullptr));
    case DType::variant:
      return copy(static_cast<Variant*>(nullptr));
    default:
      if (count > 0) std::memcpy(dst, src, count * element_size(dtype));
  }
}

void copy_tensor(const Tensor& from, const Tensor& to) {
  if (from.memory_kind() == MemoryKind::device || to.memory_kind() == MemoryKind::device)
    return copy_device_tensor(from, to);
  copy_elements(from.dtype(), to.raw_data(), from.raw_data(),
                static_cast<std::size_t>(from.element_count()));
}

bool identical(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return false;
  if (a.memory_kind() == MemoryKind::device || b.memory_kind() == MemoryKind::device)
    return identical(a.on_host(), b.on_host());
  if (a.dtype() == DType::string)
    return std::ranges::equal(a.flat<std::string>(), b.flat<std::string>());
  if (!is_trivial(a.dtype())) return a.raw_data() == b.raw_data();
  return a.byte_size() == 0 || std::memcmp(a.raw_data(), b.raw_data(), a.byte_size()) == 0;
}

}  // namespace rill
