#ifndef TENSORFLOW_CORE_FRAMEWORK_TENSOR_SHAPE_H_
#define TENSORFLOW_CORE_FRAMEWORK_TENSOR_SHAPE_H_

#include <initializer_list>
#include <string>
#include <vector>

#include "third_party/eigen3/unsupported/Eigen/CXX11/Tensor"

#include "tensorflow/core/framework/tensor_shape.pb.h"
#include "tensorflow/core/framework/types.pb.h"
#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/lib/gtl/array_slice.h"
#include "tensorflow/core/lib/gtl/inlined_vector.h"
#include "tensorflow/core/lib/strings/strcat.h"
#include "tensorflow/core/platform/logging.h"

namespace tensorflow {

struct TensorShapeDim {
  explicit TensorShapeDim(int64 s) : size(s) {}
  int64 size;
};

class PartialTensorShape;
class TensorShape;

// Walks over the dimensions of a shape.
template <class Shape>
class TensorShapeIter {
 public:
  TensorShapeIter(const Shape* shape, int d) : shape_(shape), d_(d) {}
  bool operator==(const TensorShapeIter& rhs) const { return d_ == rhs.d_; }
  bool operator!=(const TensorShapeIter& rhs) const { return d_ != rhs.d_; }
  void operator++() { ++d_; }
  TensorShapeDim operator*() const { return TensorShapeDim(shape_->dim_size(d_)); }

 private:
  const Shape* shape_;
  int d_;
};

namespace internal {

// A few dimensions in place, more of them on the heap.
class DimList {
 public:
  DimList() : size_(0) {}
  template <typename Iterator>
  DimList(Iterator first, Iterator last) : size_(0) {
    Assign(first, last);
  }
  template <typename Iterator>
  void Assign(Iterator first, Iterator last) {
    size_ = static_cast<size_t>(last - first);
    if (size_ > kInPlace) {
      more_.assign(first, last);
    } else {
      for (size_t i = 0; i < size_; ++i, ++first) few_[i] = *first;
    }
  }
  size_t size() const { return size_; }
  const int64* begin() const { return size_ > kInPlace ? more_.data() : few_; }
  const int64* end() const { return begin() + size_; }
  int64 operator[](size_t i) const { return begin()[i]; }
  bool operator==(const DimList& b) const {
    if (size_ != b.size_) return false;
    for (size_t i = 0; i < size_; ++i)
      if ((*this)[i] != b[i]) return false;
    return true;
  }

 private:
  static const size_t kInPlace = 6;
  size_t size_;
  int64 few_[kInPlace];
  std::vector<int64> more_;
};

}  // namespace internal

// The shape of a tensor. A dimension that is negative, or a number of elements that does not fit
// into 63 bits, throws; inside a kernel that fails the step.
class TensorShape {
 public:
  TensorShape() : num_elements_(1) {}
  explicit TensorShape(gtl::ArraySlice<int64> dim_sizes);
  TensorShape(std::initializer_list<int64> dim_sizes)
      : TensorShape(gtl::ArraySlice<int64>(dim_sizes)) {}
  explicit TensorShape(const TensorShapeProto& proto);

  static bool IsValid(const TensorShapeProto& proto);
  static Status IsValidShape(const TensorShapeProto& proto);
  static Status BuildTensorShape(const TensorShapeProto& proto, TensorShape* out);
  bool IsValid() const { return true; }

  int dims() const { return static_cast<int>(dims_.size()); }
  int64 dim_size(int d) const;  // throws when there is no such dimension
  gtl::InlinedVector<int64, 4> dim_sizes() const {
    return gtl::InlinedVector<int64, 4>(dims_.begin(), dims_.end());
  }
  int64 num_elements() const { return num_elements_; }
  bool unknown_rank() const { return false; }
  bool IsFullyDefined() const { return true; }

  void AddDim(int64 size) { InsertDim(dims(), size); }
  void AppendShape(const TensorShape& shape);
  void InsertDim(int d, int64 size);
  void set_dim(int d, int64 size);
  void RemoveDim(int d) { RemoveDimRange(d, d + 1); }
  void RemoveLastDims(int n) { RemoveDimRange(dims() - n, dims()); }
  void RemoveDimRange(int begin, int end);
  void Clear() { *this = TensorShape(); }

  bool IsSameSize(const TensorShape& b) const { return dims_ == b.dims_; }
  bool operator==(const TensorShape& b) const { return IsSameSize(b); }
  bool operator!=(const TensorShape& b) const { return !IsSameSize(b); }

  void AsProto(TensorShapeProto* proto) const;
  TensorShapeProto AsProto() const;
  string DebugString() const;  // "[2,3]"
  static string DebugString(const TensorShapeProto& proto);

  template <int NDIMS, typename IndexType = Eigen::DenseIndex>
  Eigen::DSizes<IndexType, NDIMS> AsEigenDSizes() const {
    CHECK_EQ(NDIMS, dims()) << "Asking for tensor of " << NDIMS << " dimensions from a tensor of "
                            << dims() << " dimensions";
    return AsEigenDSizesWithPadding<NDIMS, IndexType>();
  }
  template <int NDIMS, typename IndexType = Eigen::DenseIndex>
  Eigen::DSizes<IndexType, NDIMS> AsEigenDSizesWithPadding() const {
    CHECK_GE(NDIMS, dims());
    Eigen::DSizes<IndexType, NDIMS> sizes;
    for (int d = 0; d < NDIMS; ++d)
      sizes[d] = static_cast<IndexType>(d < dims() ? dims_[static_cast<size_t>(d)] : 1);
    return sizes;
  }

  TensorShapeIter<TensorShape> begin() const { return TensorShapeIter<TensorShape>(this, 0); }
  TensorShapeIter<TensorShape> end() const { return TensorShapeIter<TensorShape>(this, dims()); }

 private:
  friend struct ShapeAccess;  // the library's own way in
  void Replace(const std::vector<int64>& dims);
  internal::DimList dims_;
  int64 num_elements_;
};
std::ostream& operator<<(std::ostream& out, const TensorShape& shape);

// A shape of which the rank or some dimensions (-1) may be unknown.
class PartialTensorShape {
 public:
  PartialTensorShape() : known_rank_(false) {}
  explicit PartialTensorShape(gtl::ArraySlice<int64> dim_sizes);
  PartialTensorShape(std::initializer_list<int64> dim_sizes)
      : PartialTensorShape(gtl::ArraySlice<int64>(dim_sizes)) {}
  PartialTensorShape(const TensorShape& shape);
  explicit PartialTensorShape(const TensorShapeProto& proto);
  static bool IsValid(const TensorShapeProto& proto);
  static Status IsValidShape(const TensorShapeProto& proto);

  bool unknown_rank() const { return !known_rank_; }
  int dims() const { return known_rank_ ? static_cast<int>(dims_.size()) : -1; }
  int64 dim_size(int d) const;
  gtl::InlinedVector<int64, 4> dim_sizes() const { return dims_; }
  int64 num_elements() const;  // -1 unless everything is known
  bool IsFullyDefined() const;
  bool AsTensorShape(TensorShape* shape) const;  // false unless everything is known

  void AddDim(int64 size);
  PartialTensorShape Concatenate(int64 size) const;
  PartialTensorShape Concatenate(const PartialTensorShape& shape) const;
  Status MergeWith(const PartialTensorShape& shape, PartialTensorShape* result) const;
  bool IsIdenticalTo(const PartialTensorShape& shape) const {
    return known_rank_ == shape.known_rank_ && dims_ == shape.dims_;
  }
  bool IsCompatibleWith(const PartialTensorShape& shape) const;
  static Status MakePartialShape(const int64* dims, int n, PartialTensorShape* out);
  static Status MakePartialShape(const int32* dims, int n, PartialTensorShape* out);

  void AsProto(TensorShapeProto* proto) const;
  string DebugString() const;  // "[2,?]", "<unknown>"
  static string DebugString(const TensorShapeProto& proto);

 private:
  bool known_rank_;
  gtl::InlinedVector<int64, 4> dims_;
};
std::ostream& operator<<(std::ostream& out, const PartialTensorShape& shape);

class TensorShapeUtils {
 public:
  static bool IsScalar(const TensorShape& shape) { return shape.dims() == 0; }
  static bool IsVector(const TensorShape& shape) { return shape.dims() == 1; }
  static bool IsVectorOrHigher(const TensorShape& shape) { return shape.dims() >= 1; }
  static bool IsMatrix(const TensorShape& shape) { return shape.dims() == 2; }
  static bool IsMatrixOrHigher(const TensorShape& shape) { return shape.dims() >= 2; }
  static bool IsSquareMatrix(const TensorShape& shape) {
    return shape.dims() == 2 && shape.dim_size(0) == shape.dim_size(1);
  }
  static bool IsLegacyScalar(const TensorShape& shape) { return IsScalar(shape); }
  static bool IsLegacyVector(const TensorShape& shape) { return IsVector(shape); }
  static Status MakeShape(const int32* dims, int64 n, TensorShape* out);
  static Status MakeShape(const int64* dims, int64 n, TensorShape* out);
  static Status MakeShape(gtl::ArraySlice<int32> shape, TensorShape* out) {
    return MakeShape(shape.data(), static_cast<int64>(shape.size()), out);
  }
  static Status MakeShape(gtl::ArraySlice<int64> shape, TensorShape* out) {
    return MakeShape(shape.data(), static_cast<int64>(shape.size()), out);
  }
  static Status MakeShape(const int32* dims, int64 n, PartialTensorShape* out) {
    return PartialTensorShape::MakePartialShape(dims, static_cast<int>(n), out);
  }
  static Status MakeShape(const int64* dims, int64 n, PartialTensorShape* out) {
    return PartialTensorShape::MakePartialShape(dims, static_cast<int>(n), out);
  }
  static bool StartsWith(const TensorShape& shape, const TensorShape& prefix);
  static bool EndsWith(const TensorShape& shape, const TensorShape& suffix);
  static Status NumElements(gtl::ArraySlice<int64> shape, int64* num_elements);
  static string ShapeListString(const gtl::ArraySlice<TensorShape>& shapes);
};

}  // namespace tensorflow

#endif
