#include "rill/tensor/shape.h"

#include <algorithm>

#include "rill/base/error.h"

namespace rill {

void Dims::assign_long(std::span<const std::int64_t> values) {
  require(values.size() <= static_cast<std::size_t>(kMaxRank), "shape has rank ", values.size(),
          ", more than the limit of ", kMaxRank);
  heap_.reset();
  size_ = static_cast<int>(values.size());
  if (size_ > kInlineRank) heap_ = std::make_unique_for_overwrite<std::int64_t[]>(kMaxRank);
  std::copy(values.begin(), values.end(), data());
}

void Dims::push_back(std::int64_t value) {
  require(size_ < kMaxRank, "shape has more dimensions than the limit of ", kMaxRank);
  if (size_ == kInlineRank) {
    heap_ = std::make_unique_for_overwrite<std::int64_t[]>(kMaxRank);
    std::copy_n(inline_, kInlineRank, heap_.get());
  }
  data()[size_++] = value;
}

bool operator==(const Dims& a, const Dims& b) { return std::ranges::equal(a.span(), b.span()); }

Shape::Shape(std::span<const std::int64_t> dims) : dims_(dims) {
  bool overflow = false;
  bool empty = false;
  for (const std::int64_t dim : dims) {
    require(dim >= 0, "Dimension ", dim, " must be >= 0");
    empty |= dim == 0;
    if (!empty) overflow |= __builtin_mul_overflow(count_, dim, &count_);
  }
  if (empty) count_ = 0;
  if (overflow && !empty)  // no text is made for shapes that are good
    raise(Code::kInvalidArgument, "Encountered overflow when multiplying the dimensions of shape ",
          to_text(*this));
}

std::size_t Shape::byte_size(std::size_t element_size) const {
  std::int64_t bytes = 0;
  const bool overflow =
      __builtin_mul_overflow(count_, static_cast<std::int64_t>(element_size), &bytes);
  require(!overflow, "a tensor of shape ", *this, " is too large");
  return static_cast<std::size_t>(bytes);
}

Shape Shape::with_dim(int axis, std::int64_t dim) const {
  Dims dims = dims_;
  if (axis == dims.size()) {
    dims.push_back(dim);
  } else {
    dims[axis] = dim;
  }
  return Shape(dims.span());
}

Shape Shape::without_dim(int axis) const {
  Dims dims;
  for (int i = 0; i < rank(); ++i)
    if (i != axis) dims.push_back(dims_[i]);
  return Shape(dims.span());
}

PartialShape::PartialShape(std::span<const std::int64_t> dims) : known_rank_(true), dims_(dims) {
  for (const std::int64_t dim : dims)
    require(dim >= kUnknownDim, "Dimension ", dim, " must be >= -1");
}

PartialShape PartialShape::of_rank(int rank) {
  PartialShape shape;
  shape.known_rank_ = true;
  for (int i = 0; i < rank; ++i) shape.dims_.push_back(kUnknownDim);
  return shape;
}

bool PartialShape::is_full() const {
  return known_rank_ &&
         std::ranges::all_of(dims_.span(), [](std::int64_t dim) { return dim >= 0; });
}

std::int64_t PartialShape::element_count() const { return is_full() ? full().element_count() : -1; }

Shape PartialShape::full() const {
  require(is_full(), "the shape ", *this, " is not fully known");
  return Shape(dims_.span());
}

PartialShape PartialShape::with_dim(int axis, std::int64_t dim) const {
  require(dim >= kUnknownDim, "Dimension ", dim, " must be >= -1");
  if (!known_rank_) return *this;
  PartialShape shape = *this;
  if (axis == dims_.size()) {
    shape.dims_.push_back(dim);
  } else {
    shape.dims_[axis] = dim;
  }
  return shape;
}

bool PartialShape::is_compatible(const PartialShape& other) const {
  if (!known_rank_ || !other.known_rank_) return true;
  if (rank() != other.rank()) return false;
  for (int i = 0; i < rank(); ++i)
    if (dim(i) != other.dim(i) && dim(i) >= 0 && other.dim(i) >= 0) return false;
  return true;
}

bool PartialShape::accepts(const Shape& shape) const {
  if (!known_rank_) return true;
  if (rank() != shape.rank()) return false;
  for (int i = 0; i < rank(); ++i)
    if (dim(i) >= 0 && dim(i) != shape.dim(i)) return false;
  return true;
}

PartialShape PartialShape::merged(const PartialShape& other) const {
  require(is_compatible(other), "Shapes ", *this, " and ", other, " are incompatible");
  if (!known_rank_) return other;
  PartialShape shape = *this;
  if (other.known_rank_)
    for (int i = 0; i < rank(); ++i)
      if (dim(i) < 0) shape.dims_[i] = other.dim(i);
  return shape;
}

namespace {

// The dimension that `a` and `b` broadcast to, or -2 when they do not.
std::int64_t broadcast_dim(std::int64_t a, std::int64_t b) {
  if (a == b || b == 1) return a;
  if (a == 1) return b;
  if (a < 0) return b;  // must turn out to be 1 or b
  if (b < 0) return a;
  return -2;
}

template <class S>
Dims broadcast_dims(const S& a, const S& b) {
  Dims dims;
  const int rank = std::max(a.rank(), b.rank());
  for (int i = 0; i < rank; ++i) {
    const int ia = i - (rank - a.rank()), ib = i - (rank - b.rank());
    const auto dim = broadcast_dim(ia < 0 ? 1 : a.dim(ia), ib < 0 ? 1 : b.dim(ib));
    require(dim != -2, "Incompatible shapes: ", a, " vs. ", b);
    dims.push_back(dim);
  }
  return dims;
}

template <class S>
std::string dims_text(const S& shape) {
  std::string text = "[";
  for (int i = 0; i < shape.rank(); ++i) {
    if (i > 0) text += ',';
    text += shape.dim(i) < 0 ? "?" : std::to_string(shape.dim(i));
  }
  return text + ']';
}

}  // namespace

Shape broadcast(const Shape& a, const Shape& b) { return Shape(broadcast_dims(a, b).span()); }

PartialShape broadcast(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return {};
  return PartialShape(broadcast_dims(a, b).span());
}

int canonical_axis(std::int64_t axis, int rank, const char* what) {
  require(axis >= -rank && axis < rank, what, " ", axis, " is out of range [", -rank, ",", rank,
          ")");
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

std::string to_text(const Shape& shape) { return dims_text(shape); }
std::string to_text(const PartialShape& shape) {
  return shape.has_rank() ? dims_text(shape) : "<unknown>";
}

}  // namespace rill
