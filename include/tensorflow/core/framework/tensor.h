#ifndef TENSORFLOW_CORE_FRAMEWORK_TENSOR_H_
#define TENSORFLOW_CORE_FRAMEWORK_TENSOR_H_

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "tensorflow/core/framework/allocator.h"
#include "tensorflow/core/framework/tensor.pb.h"
#include "tensorflow/core/framework/tensor_shape.h"
#include "tensorflow/core/framework/tensor_types.h"
#include "tensorflow/core/framework/types.h"
#include "tensorflow/core/framework/types.pb.h"
#include "tensorflow/core/lib/core/refcount.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/lib/core/stringpiece.h"
#include "tensorflow/core/platform/logging.h"

namespace tensorflow {

// A dtype, a shape and storage that copies share. Asking for a view of another type or rank than
// the tensor has throws; inside a kernel that fails the step.
class Tensor {
 public:
  Tensor();  // DT_FLOAT of shape [0]
  Tensor(DataType type, const TensorShape& shape);
  Tensor(Allocator* a, DataType type, const TensorShape& shape);
  explicit Tensor(DataType type);
  explicit Tensor(float value) : Tensor(Scalar(value)) {}
  explicit Tensor(double value) : Tensor(Scalar(value)) {}
  explicit Tensor(int32 value) : Tensor(Scalar(value)) {}
  explicit Tensor(uint32 value) : Tensor(Scalar(value)) {}
  explicit Tensor(uint16 value) : Tensor(Scalar(value)) {}
  explicit Tensor(uint8 value) : Tensor(Scalar(value)) {}
  explicit Tensor(int16 value) : Tensor(Scalar(value)) {}
  explicit Tensor(int8 value) : Tensor(Scalar(value)) {}
  explicit Tensor(string value) : Tensor(Scalar(std::move(value))) {}
  explicit Tensor(const char* value) : Tensor(string(value)) {}
  explicit Tensor(complex64 value) : Tensor(Scalar(value)) {}
  explicit Tensor(complex128 value) : Tensor(Scalar(value)) {}
  explicit Tensor(int64 value) : Tensor(Scalar(value)) {}
  explicit Tensor(uint64 value) : Tensor(Scalar(value)) {}
  explicit Tensor(bool value) : Tensor(Scalar(value)) {}
  explicit Tensor(Eigen::half value) : Tensor(Scalar(value)) {}
  explicit Tensor(bfloat16 value) : Tensor(Scalar(value)) {}
  Tensor(const Tensor& other);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(const Tensor& other);
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor();

  DataType dtype() const { return dtype_; }
  const TensorShape& shape() const { return shape_; }
  int dims() const { return shape_.dims(); }
  int64 dim_size(int d) const { return shape_.dim_size(d); }
  int64 NumElements() const { return shape_.num_elements(); }
  size_t TotalBytes() const;
  size_t AllocatedBytes() const { return TotalBytes(); }
  bool IsInitialized() const;
  bool IsAligned() const;
  bool IsSameSize(const Tensor& b) const { return shape_.IsSameSize(b.shape_); }
  bool SharesBufferWith(const Tensor& b) const;
  bool RefCountIsOne() const;

  // Takes the elements of `other` under another shape; false when their number differs.
  bool CopyFrom(const Tensor& other, const TensorShape& shape) TF_MUST_USE_RESULT;
  void UnsafeCopyFromInternal(const Tensor& other, DataType dtype, const TensorShape& shape);
  Status BitcastFrom(const Tensor& other, DataType dtype, const TensorShape& shape);
  void set_shape(const TensorShape& shape) { shape_ = shape; }
  Tensor Slice(int64 dim0_start, int64 dim0_limit) const;
  Tensor SubSlice(int64 index) const;

  bool FromProto(const TensorProto& other) TF_MUST_USE_RESULT;
  bool FromProto(Allocator* a, const TensorProto& other) TF_MUST_USE_RESULT;
  void AsProtoField(TensorProto* proto) const;
  void AsProtoTensorContent(TensorProto* proto) const;
  StringPiece tensor_data() const;
  string SummarizeValue(int64 max_entries, bool print_v2 = false) const;
  string DebugString() const { return DebugString(3); }
  string DebugString(int num_values) const;
  string DeviceSafeDebugString() const { return DebugString(); }

  void* data() const { return data_; }

  template <typename T>
  typename TTypes<T>::Vec vec() {
    return tensor<T, 1>();
  }
  template <typename T>
  typename TTypes<T>::ConstVec vec() const {
    return tensor<T, 1>();
  }
  template <typename T>
  typename TTypes<T>::Matrix matrix() {
    return tensor<T, 2>();
  }
  template <typename T>
  typename TTypes<T>::ConstMatrix matrix() const {
    return tensor<T, 2>();
  }

  template <typename T, size_t NDIMS>
  typename TTypes<T, NDIMS>::Tensor tensor() {
    return typename TTypes<T, NDIMS>::Tensor(Base<T>(), shape_.AsEigenDSizes<NDIMS>());
  }
  template <typename T, size_t NDIMS>
  typename TTypes<T, NDIMS>::ConstTensor tensor() const {
    return typename TTypes<T, NDIMS>::ConstTensor(Base<T>(), shape_.AsEigenDSizes<NDIMS>());
  }
  template <typename T, size_t NDIMS>
  typename TTypes<T, NDIMS>::Tensor bit_casted_tensor() {
    return typename TTypes<T, NDIMS>::Tensor(BitcastBase<T>(), shape_.AsEigenDSizes<NDIMS>());
  }

  template <typename T>
  typename TTypes<T>::Flat flat() {
    return shaped<T, 1>({NumElements()});
  }
  template <typename T>
  typename TTypes<T>::ConstFlat flat() const {
    return shaped<T, 1>({NumElements()});
  }
  template <typename T>
  typename TTypes<T>::UnalignedFlat unaligned_flat() {
    return unaligned_shaped<T, 1>({NumElements()});
  }
  template <typename T>
  typename TTypes<T>::UnalignedConstFlat unaligned_flat() const {
    return unaligned_shaped<T, 1>({NumElements()});
  }

  // All but the last (or first) NDIMS - 1 dimensions taken together.
  template <typename T, size_t NDIMS = 2>
  typename TTypes<T, NDIMS>::Tensor flat_inner_dims() {
    return shaped<T, NDIMS>(ComputeFlatInnerDims(NDIMS));
  }
  template <typename T, size_t NDIMS = 2>
  typename TTypes<T, NDIMS>::ConstTensor flat_inner_dims() const {
    return shaped<T, NDIMS>(ComputeFlatInnerDims(NDIMS));
  }
  template <typename T, size_t NDIMS = 2>
  typename TTypes<T, NDIMS>::Tensor flat_outer_dims() {
    return shaped<T, NDIMS>(ComputeFlatOuterDims(NDIMS));
  }
  template <typename T, size_t NDIMS = 2>
  typename TTypes<T, NDIMS>::ConstTensor flat_outer_dims() const {
    return shaped<T, NDIMS>(ComputeFlatOuterDims(NDIMS));
  }
  template <typename T, size_t NDIMS = 3>
  typename TTypes<T, NDIMS>::Tensor flat_inner_outer_dims(int64 begin) {
    return shaped<T, NDIMS>(ComputeFlatInnerOuterDims(NDIMS, begin));
  }
  template <typename T, size_t NDIMS = 3>
  typename TTypes<T, NDIMS>::ConstTensor flat_inner_outer_dims(int64 begin) const {
    return shaped<T, NDIMS>(ComputeFlatInnerOuterDims(NDIMS, begin));
  }

  template <typename T, size_t NDIMS>
  typename TTypes<T, NDIMS>::Tensor shaped(gtl::ArraySlice<int64> sizes) {
    T* base = Base<T>();
    return typename TTypes<T, NDIMS>::Tensor(base, Sizes<NDIMS>(sizes));
  }
  template <typename T, size_t NDIMS>
  typename TTypes<T, NDIMS>::ConstTensor shaped(gtl::ArraySlice<int64> sizes) const {
    const T* base = Base<T>();
    return typename TTypes<T, NDIMS>::ConstTensor(base, Sizes<NDIMS>(sizes));
  }
  template <typename T, size_t NDIMS>
  typename TTypes<T, NDIMS>::UnalignedTensor unaligned_shaped(gtl::ArraySlice<int64> sizes) {
    return typename TTypes<T, NDIMS>::UnalignedTensor(UnalignedBase<T>(), Sizes<NDIMS>(sizes));
  }
  template <typename T, size_t NDIMS>
  typename TTypes<T, NDIMS>::UnalignedConstTensor unaligned_shaped(
      gtl::ArraySlice<int64> sizes) const {
    return typename TTypes<T, NDIMS>::UnalignedConstTensor(UnalignedBase<T>(), Sizes<NDIMS>(sizes));
  }

  template <typename T>
  typename TTypes<T>::Scalar scalar() {
    CheckIsScalar();
    return typename TTypes<T>::Scalar(Base<T>());
  }
  template <typename T>
  typename TTypes<T>::ConstScalar scalar() const {
    CheckIsScalar();
    return typename TTypes<T>::ConstScalar(Base<T>());
  }

 private:
  friend struct TensorAccess;  // the library's own way in

  template <typename T>
  static Tensor Scalar(T value) {
    Tensor t(DataTypeToEnum<T>::v(), TensorShape());
    *static_cast<T*>(t.data_) = std::move(value);
    return t;
  }
  template <typename T>
  T* Base() const {
    CheckTypeAndIsAligned(DataTypeToEnum<T>::v());
    return static_cast<T*>(data_);
  }
  template <typename T>
  T* UnalignedBase() const {
    CheckType(DataTypeToEnum<T>::v());
    return static_cast<T*>(data_);
  }
  template <typename T>
  T* BitcastBase() const {
    CheckElementSize(sizeof(T));
    return static_cast<T*>(data_);
  }
  template <size_t NDIMS>
  Eigen::array<Eigen::DenseIndex, NDIMS> Sizes(gtl::ArraySlice<int64> sizes) const {
    CheckSizes(sizes, NDIMS);
    Eigen::array<Eigen::DenseIndex, NDIMS> result;
    for (size_t d = 0; d < NDIMS; ++d) result[d] = static_cast<Eigen::DenseIndex>(sizes[d]);
    return result;
  }
  void CheckType(DataType wanted) const;
  void CheckTypeAndIsAligned(DataType wanted) const;
  void CheckElementSize(size_t bytes) const;
  void CheckIsScalar() const;
  void CheckSizes(gtl::ArraySlice<int64> sizes, size_t rank) const;
  std::vector<int64> ComputeFlatInnerDims(int64 num_out_dims) const;
  std::vector<int64> ComputeFlatOuterDims(int64 num_out_dims) const;
  std::vector<int64> ComputeFlatInnerOuterDims(int64 num_out_dims, int64 begin) const;

  struct Storage;
  Storage* storage_;  // owned; nullptr where nothing was allocated
  void* data_;
  DataType dtype_;
  TensorShape shape_;
};

}  // namespace tensorflow

#endif
