#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace rill {

inline constexpr int kInlineRank = 8;  // larger ranks, up to TensorFlow's 254, go to the heap
inline constexpr int kMaxRank = 254;
inline constexpr std::int64_t kUnknownDim = -1;

// A short list of int64 that allocates only beyond kInlineRank. Indices are not checked.
class Dims {
 public:
  Dims() = default;
  Dims(std::span<const std::int64_t> values) { assign(values); }
  Dims(const Dims& other) { assign(other.span()); }
  Dims(Dims&& other) noexcept { take(other); }
  Dims& operator=(const Dims& other) {
    if (this != &other) assign(other.span());
    return *this;
  }
  Dims& operator=(Dims&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }

  int size() const { return size_; }
  std::int64_t* data() { return heap_ ? heap_.get() : inline_; }
  const std::int64_t* data() const { return heap_ ? heap_.get() : inline_; }
  std::int64_t& operator[](int i) { return data()[i]; }
  std::int64_t operator[](int i) const { return data()[i]; }
  std::span<const std::int64_t> span() const { return {data(), static_cast<std::size_t>(size_)}; }
  void push_back(std::int64_t value);  // throws InvalidArgument beyond kMaxRank

  friend bool operator==(const Dims& a, const Dims& b);

 private:
  void assign(std::span<const std::int64_t> values) {
    if (heap_ || values.size() > static_cast<std::size_t>(kInlineRank)) return assign_long(values);
    size_ = static_cast<int>(values.size());
    for (int i = 0; i < size_; ++i) inline_[i] = values[static_cast<std::size_t>(i)];
  }
  void assign_long(std::span<const std::int64_t> values);
  void take(Dims& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    heap_ = std::move(other.heap_);
    if (heap_) return;
    for (int i = 0; i < size_; ++i) inline_[i] = other.inline_[i];
  }

  int size_ = 0;
  std::unique_ptr<std::int64_t[]> heap_;
  std::int64_t inline_[kInlineRank];
};

// The shape of a tensor: every dimension known and not negative, the element count computed once
// and known not to overflow. Constructors throw InvalidArgument otherwise.
class Shape {
 public:
  Shape() = default;  // a scalar
  Shape(std::initializer_list<std::int64_t> dims) : Shape(std::span(dims.begin(), dims.size())) {}
  explicit Shape(std::span<const std::int64_t> dims);
  Shape(const Shape&) = default;
  Shape& operator=(const Shape&) = default;
  // What is moved from becomes a scalar.
  Shape(Shape&& other) noexcept
      : dims_(std::move(other.dims_)), count_(std::exchange(other.count_, 1)) {}
  Shape& operator=(Shape&& other) noexcept {
    dims_ = std::move(other.dims_);
    count_ = std::exchange(other.count_, 1);
    return *this;
  }

  int rank() const { return dims_.size(); }
  std::int64_t dim(int i) const { return dims_[i]; }
  std::int64_t operator[](int i) const { return dims_[i]; }
  std::span<const std::int64_t> dims() const { return dims_.span(); }
  std::int64_t element_count() const { return count_; }
  // element_count() times `element_size`; throws InvalidArgument when that overflows.
  std::size_t byte_size(std::size_t element_size) const;

  void add_dim(std::int64_t dim) { *this = with_dim(rank(), dim); }
  // A copy with one dimension set, or left out. Throws InvalidArgument as the constructor does.
  Shape with_dim(int axis, std::int64_t dim) const;  // `axis == rank()` appends
  Shape without_dim(int axis) const;

  friend bool operator==(const Shape& a, const Shape& b) {
    return a.count_ == b.count_ && a.dims_ == b.dims_;
  }

 private:
  Dims dims_;
  std::int64_t count_ = 1;
};

// What is known of a shape while a graph is built: perhaps not the rank, perhaps not every
// dimension.
//
//   PartialShape batch{-1, 28, 28};          // prints as [?,28,28]
//   batch.accepts(Shape{32, 28, 28});        // true
//   batch.merged(PartialShape{32, -1, -1});  // [32,28,28]
//
// Without a rank, dims() is empty as a scalar's are: ask has_rank() first.
class PartialShape {
 public:
  PartialShape() = default;  // unknown rank
  PartialShape(std::initializer_list<std::int64_t> dims)
      : PartialShape(std::span(dims.begin(), dims.size())) {}
  explicit PartialShape(std::span<const std::int64_t> dims);  // -1 is unknown, less is an error
  PartialShape(const Shape& shape) : known_rank_(true), dims_(shape.dims()) {}
  static PartialShape of_rank(int rank);  // every dimension unknown
  static PartialShape scalar() { return Shape(); }

  bool has_rank() const { return known_rank_; }
  int rank() const { return known_rank_ ? dims_.size() : -1; }
  std::int64_t dim(int i) const { return dims_[i]; }  // -1 when unknown
  std::int64_t operator[](int i) const { return dims_[i]; }
  std::span<const std::int64_t> dims() const { return dims_.span(); }
  // The rank and all dimensions are known.
  bool is_full() const;
  std::int64_t element_count() const;  // -1 unless full
  Shape full() const;                  // throws InvalidArgument unless is_full()

  PartialShape with_dim(int axis, std::int64_t dim) const;  // `axis == rank()` appends
  void add_dim(std::int64_t dim) { *this = with_dim(rank(), dim); }

  bool is_compatible(const PartialShape& other) const;   // some full shape fits both
  bool accepts(const Shape& shape) const;                // `shape` is one of the shapes described
  PartialShape merged(const PartialShape& other) const;  // throws InvalidArgument if incompatible

  friend bool operator==(const PartialShape& a, const PartialShape& b) {
    return a.known_rank_ == b.known_rank_ && a.dims_ == b.dims_;
  }

 private:
  bool known_rank_ = false;
  Dims dims_;
};

// Broadcasts two shapes by NumPy's rules: aligned at the last dimension, ones stretch. Throws
// InvalidArgument ("Incompatible shapes: ..."). Of partial shapes, an unknown dimension beside one
// other than 1 becomes that one.
Shape broadcast(const Shape& a, const Shape& b);
PartialShape broadcast(const PartialShape& a, const PartialShape& b);

// Brings a possibly negative axis into [0, rank); throws InvalidArgument when it is outside.
int canonical_axis(std::int64_t axis, int rank, const char* what = "axis");

std::string to_text(const Shape& shape);         // "[2,3]"
std::string to_text(const PartialShape& shape);  // "[2,?]", "<unknown>"

}  // namespace rill
