#ifndef TENSORFLOW_CORE_FRAMEWORK_TENSOR_TYPES_H_
#define TENSORFLOW_CORE_FRAMEWORK_TENSOR_TYPES_H_

#include "third_party/eigen3/unsupported/Eigen/CXX11/Tensor"

#include "tensorflow/core/platform/types.h"

#ifdef RILL_CHECKED
// Every access to an element by its indices is checked (docs/custom_ops.md). One index Eigen checks
// itself, in its own debugging mode; several go through this helper of its.
namespace tensorflow {
namespace internal {
[[noreturn]] void IndexOutOfRange(long long index, int axis, long long size);
}  // namespace internal
}  // namespace tensorflow

#define RILL_CHECK_INDICES(RANK)                                                 \
  template <typename IndexType>                                                  \
  struct tensor_index_linearization_helper<IndexType, RANK, RANK - 1, true> {    \
    static inline IndexType run(array<IndexType, RANK> const& indices,           \
                                array<IndexType, RANK> const& dimensions) {      \
      IndexType place = 0;                                                       \
      for (int i = 0; i < RANK; ++i) {                                           \
        if (indices[i] < 0 || indices[i] >= dimensions[i])                       \
          ::tensorflow::internal::IndexOutOfRange(indices[i], i, dimensions[i]); \
        place = place * dimensions[i] + indices[i];                              \
      }                                                                          \
      return place;                                                              \
    }                                                                            \
  }
namespace Eigen {
namespace internal {
RILL_CHECK_INDICES(2);
RILL_CHECK_INDICES(3);
RILL_CHECK_INDICES(4);
RILL_CHECK_INDICES(5);
RILL_CHECK_INDICES(6);
RILL_CHECK_INDICES(7);
RILL_CHECK_INDICES(8);
}  // namespace internal
}  // namespace Eigen
#undef RILL_CHECK_INDICES
#endif

namespace tensorflow {

// The views that Tensor::flat() and the like return.
template <typename T, int NDIMS = 1, typename IndexType = Eigen::DenseIndex>
struct TTypes {
  typedef Eigen::TensorMap<Eigen::Tensor<T, NDIMS, Eigen::RowMajor, IndexType>, Eigen::Aligned>
      Tensor;
  typedef Eigen::TensorMap<Eigen::Tensor<const T, NDIMS, Eigen::RowMajor, IndexType>,
                           Eigen::Aligned>
      ConstTensor;
  typedef Eigen::TensorMap<Eigen::Tensor<T, NDIMS, Eigen::RowMajor, IndexType>, Eigen::Unaligned>
      UnalignedTensor;
  typedef Eigen::TensorMap<Eigen::Tensor<const T, NDIMS, Eigen::RowMajor, IndexType>,
                           Eigen::Unaligned>
      UnalignedConstTensor;
  typedef Eigen::TensorMap<Eigen::Tensor<T, NDIMS, Eigen::RowMajor, int>, Eigen::Aligned>
      Tensor32Bit;

  typedef Eigen::TensorMap<Eigen::TensorFixedSize<T, Eigen::Sizes<>, Eigen::RowMajor, IndexType>,
                           Eigen::Aligned>
      Scalar;
  typedef Eigen::TensorMap<
      Eigen::TensorFixedSize<const T, Eigen::Sizes<>, Eigen::RowMajor, IndexType>, Eigen::Aligned>
      ConstScalar;
  typedef Eigen::TensorMap<Eigen::TensorFixedSize<T, Eigen::Sizes<>, Eigen::RowMajor, IndexType>,
                           Eigen::Unaligned>
      UnalignedScalar;
  typedef Eigen::TensorMap<
      Eigen::TensorFixedSize<const T, Eigen::Sizes<>, Eigen::RowMajor, IndexType>, Eigen::Unaligned>
      UnalignedConstScalar;

  typedef Eigen::TensorMap<Eigen::Tensor<T, 1, Eigen::RowMajor, IndexType>, Eigen::Aligned> Flat;
  typedef Eigen::TensorMap<Eigen::Tensor<const T, 1, Eigen::RowMajor, IndexType>, Eigen::Aligned>
      ConstFlat;
  typedef Flat Vec;
  typedef ConstFlat ConstVec;
  typedef Eigen::TensorMap<Eigen::Tensor<T, 2, Eigen::RowMajor, IndexType>, Eigen::Aligned> Matrix;
  typedef Eigen::TensorMap<Eigen::Tensor<const T, 2, Eigen::RowMajor, IndexType>, Eigen::Aligned>
      ConstMatrix;
  typedef Eigen::TensorMap<Eigen::Tensor<T, 1, Eigen::RowMajor, IndexType>, Eigen::Unaligned>
      UnalignedFlat;
  typedef Eigen::TensorMap<Eigen::Tensor<const T, 1, Eigen::RowMajor, IndexType>, Eigen::Unaligned>
      UnalignedConstFlat;
  typedef UnalignedFlat UnalignedVec;
  typedef UnalignedConstFlat UnalignedConstVec;
  typedef Eigen::TensorMap<Eigen::Tensor<T, 2, Eigen::RowMajor, IndexType>, Eigen::Unaligned>
      UnalignedMatrix;
  typedef Eigen::TensorMap<Eigen::Tensor<const T, 2, Eigen::RowMajor, IndexType>, Eigen::Unaligned>
      UnalignedConstMatrix;
};

template <typename TensorType>
typename TTypes<typename TensorType::Scalar, TensorType::NumIndices>::Tensor32Bit To32Bit(
    TensorType in) {
  Eigen::DSizes<int, TensorType::NumIndices> dims;
  for (int i = 0; i < TensorType::NumIndices; ++i) dims[i] = static_cast<int>(in.dimension(i));
  return typename TTypes<typename TensorType::Scalar, TensorType::NumIndices>::Tensor32Bit(
      in.data(), dims);
}

}  // namespace tensorflow

#endif
