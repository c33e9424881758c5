#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rill/base/error.h"
#include "rill/tensor/buffer.h"
#include "rill/tensor/dtype.h"
#include "rill/tensor/shape.h"

namespace rill {

// dtype + shape + shared storage. Copying a Tensor is taking a reference; slices and reshapes share
// the storage. Elements are dense, row-major and aligned to their own size.
//
//   Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
//   for (float& v : x.flat<float>()) v += 1;
//   Tensor row = x.reshaped({4}).slice(1, 3);  // sees what is written to x
//
// Like a pointer, a const Tensor gives elements that may be written: who writes must know that
// nobody else looks (is_exclusive). References may be taken and dropped from several threads at
// once.
class Tensor {
 public:
  Tensor() = default;  // holds nothing: dtype invalid
  Tensor(const Tensor&) = default;
  Tensor& operator=(const Tensor&) = default;
  // What is moved from holds nothing.
  Tensor(Tensor&& other) noexcept { take(other); }
  Tensor& operator=(Tensor&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  // Elements are uninitialised (numbers) or empty (objects). Throws InvalidArgument for a dtype
  // that is invalid or a reference, ResourceExhausted when there is not enough memory.
  Tensor(DType dtype, Shape shape, Allocator& allocator = cpu_allocator());
  // Becomes such a tensor in place, which saves an executor the moves.
  void reset(DType dtype, const Shape& shape, Allocator& allocator);
  void clear() {  // becomes one that holds nothing
    buffer_ = BufferRef();
    data_ = nullptr;
    dtype_ = host_type_ = DType::invalid;
    shape_ = Shape();
  }
  // Wraps storage that someone else made. `data` may lie anywhere in the buffer; nothing is
  // checked.
  Tensor(DType dtype, Shape shape, BufferRef buffer, void* data)
      : buffer_(std::move(buffer)), data_(data), shape_(std::move(shape)) {
    set_type(dtype);
  }

  template <class T>
  static Tensor scalar(const T& value) {
    Tensor t(dtype_of<T>, Shape());
    *t.data<T>() = value;
    return t;
  }
  template <class T>
  static Tensor of(Shape shape, std::initializer_list<T> values) {
    return of<T>(std::move(shape), std::span<const T>(values.begin(), values.size()));
  }
  template <class T>
  static Tensor of(Shape shape, std::span<const T> values) {
    Tensor t(dtype_of<T>, std::move(shape));
    require(static_cast<std::int64_t>(values.size()) == t.element_count(), values.size(),
            " values given for shape ", t.shape());
    std::copy(values.begin(), values.end(), t.data<T>());
    return t;
  }
  template <class T>
  static Tensor vector(std::initializer_list<T> values) {
    return of<T>({static_cast<std::int64_t>(values.size())}, values);
  }
  // Objects are empty: "" for a string.
  static Tensor zeros(DType dtype, Shape shape);

  bool has_value() const { return dtype_ != DType::invalid; }
  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  int rank() const { return shape_.rank(); }
  std::int64_t dim(int i) const { return shape_.dim(i); }
  std::int64_t element_count() const { return shape_.element_count(); }
  std::size_t byte_size() const {
    return static_cast<std::size_t>(element_count()) * element_size(dtype_);
  }

  // nullptr where it holds nothing. Device memory must not be read through it; where it lies is for
  // memory_kind() to say.
  void* raw_data() const { return data_; }
  template <class T>
  T* data() const {
    check_type(dtype_of<T>);
    return static_cast<T*>(data_);
  }
  // All elements in the order of rows. As data(), throws Internal when the tensor is of another
  // type or lies in device memory: that is a mistake of the program, not of its input.
  template <class T>
  std::span<T> flat() const {
    return {data<T>(), static_cast<std::size_t>(element_count())};
  }
  template <class T>
  const T& scalar_value() const {  // throws unless there is exactly one element
    check_single();
    return *data<T>();
  }

  // The same elements under another shape of equal element count, or the range [begin, end) of the
  // first dimension. Throw InvalidArgument when counts differ or the range is outside.
  Tensor reshaped(Shape shape) const;
  Tensor slice(std::int64_t begin, std::int64_t end) const;
  // The same bytes as another type; trivial types of equal byte size only, or it throws
  // InvalidArgument. Copies where the data is not aligned for the new type.
  Tensor bitcast(DType dtype, Shape shape) const;
  // A deep copy in fresh storage: on the host, or of device memory on the same device.
  Tensor clone() const;
  // A deep copy in memory from `allocator`, whatever kinds of memory the two are. Waits for it.
  Tensor copied_to(Allocator& allocator) const;
  // Itself, or a copy of what lies in device memory.
  Tensor on_host() const;

  const BufferRef& buffer() const { return buffer_; }
  MemoryKind memory_kind() const { return buffer_ ? buffer_->memory_kind() : MemoryKind::host; }
  // Of one buffer, though perhaps of parts that do not overlap.
  bool shares_storage(const Tensor& other) const {
    return buffer_ && buffer_.get() == other.buffer_.get();
  }
  // True if nobody else can see the storage and it may be written: an operation may then put its
  // result there. Borrowed storage never is.
  bool is_exclusive() const { return buffer_ && buffer_->unique() && !buffer_->borrowed(); }

 private:
  void check_type(DType wanted) const {
    if (wanted != host_type_) [[unlikely]]
      check_access(wanted);
  }
  void set_type(DType dtype) {
    dtype_ = dtype;
    const bool is_away = buffer_ && buffer_->memory_kind() == MemoryKind::device;
    host_type_ = is_away ? DType::invalid : dtype;
  }
  void take(Tensor& other) noexcept {
    buffer_ = std::move(other.buffer_);
    data_ = std::exchange(other.data_, nullptr);
    dtype_ = std::exchange(other.dtype_, DType::invalid);
    host_type_ = std::exchange(other.host_type_, DType::invalid);
    shape_ = std::move(other.shape_);
  }
  void check_access(DType wanted) const;
  void check_single() const;

  BufferRef buffer_;
  void* data_ = nullptr;
  DType dtype_ = DType::invalid;
  DType host_type_ = DType::invalid;  // as which the CPU may read the elements: none on a device
  Shape shape_;
};

// Copies elements of any type between two ranges that do not overlap.
void copy_elements(DType dtype, void* dst, const void* src, std::size_t count);

// Copies the elements of `from` to `to`, which has its type and as many elements; either may lie in
// device memory. Waits until they are there.
void copy_tensor(const Tensor& from, const Tensor& to);

// True if dtype, shape and every element agree, by their bytes: NaN equals NaN of the same bits,
// and -0.0 differs from 0.0. Handles and variants agree only where they share storage.
bool identical(const Tensor& a, const Tensor& b);

// The elements as NumPy's str() shows an array, over several lines; of more than `max_elements`
// only the corners are shown.
std::string print(const Tensor& tensor, std::int64_t max_elements = 1000);
// One line as tf.Print and tf.Assert show a tensor, "[[1 2 3][4...]...]": the first `max_elements`
// elements, all if negative.
std::string summary(const Tensor& tensor, std::int64_t max_elements = 6);
// As tf.print and tf.strings.format show a tensor, "[1 2 3 ... 7 8 9]": the first and last
// `edge_elements` of every dimension, all if negative.
std::string edge_summary(const Tensor& tensor, std::int64_t edge_elements = 3);

}  // namespace rill
