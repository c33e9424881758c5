#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/element_types.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/sparse/sparse_parts.h"
#include "rill/ops/update/element_update.h"

namespace rill {

extern const OpDecl kSparseToDense, kSparseTensorDenseAdd;

namespace {

// Indices of either type as [count, rank] of int64; a scalar is one element of a vector, a vector
// lists places in one.
Tensor as_index_matrix(const Tensor& indices, int rank) {
  const Shape shape{indices.rank() == 0 ? 1 : indices.dim(0), rank};
  if (indices.dtype() == DType::i64) return indices.reshaped(shape);
  Tensor wide(DType::i64, shape);
  for (std::int64_t i = 0; i < shape.element_count(); ++i)
    wide.data<Index>()[i] = int_at(indices, i);
  return wide;
}

std::int64_t place_of(const Index* index, const Dims& strides) {
  std::int64_t place = 0;
  for (int d = 0; d < strides.size(); ++d) place += index[d] * strides[d];
  return place;
}

void sparse_to_dense(KernelCall& call) {
  const Tensor &indices = call.input_tensor(0), &values = call.input_tensor(2);
  const Tensor &fallback = call.input_tensor(3), &out = call.output_tensor(0);
  require(indices.rank() <= 2, "sparse_indices should be a scalar, vector, or matrix, got shape ",
          indices.shape());
  const std::int64_t count = indices.rank() == 0 ? 1 : indices.dim(0);
  const std::int64_t rank = indices.rank() < 2 ? 1 : indices.dim(1);
  require(out.rank() == rank, "output_shape has incorrect number of elements: ", out.rank(),
          " should be: ", rank);
  require(values.rank() == 0 || (values.rank() == 1 && values.dim(0) == count),
          "sparse_values has incorrect shape ", values.shape(), ", should be [] or [", count, "]");
  require(fallback.rank() == 0, "default_value should be a scalar.");
  // Values count as often as there are indices, which is all that the checks ask of them.
  const SparseInput sparse{as_index_matrix(indices, out.rank()), Tensor(DType::u8, {count}),
                           Dims(out.shape().dims())};
  if (call.node().attr<bool>("validate_indices"))
    check_ordered(sparse);
  else
    check_bounds(sparse);
  fill_elements(call, out.dtype(), out.raw_data(), fallback.raw_data(), out.element_count());
  const Dims strides = row_major_strides(out.shape());
  with_element_type(out.dtype(), [&]<class T>(T*) {
    auto* to = static_cast<T*>(out.raw_data());
    const auto* from = static_cast<const T*>(values.raw_data());
    for (std::int64_t i = 0; i < count; ++i)
      to[place_of(sparse.index(i), strides)] = from[values.rank() == 0 ? 0 : i];
  });
}

void sparse_tensor_dense_add(KernelCall& call) {
  const Tensor &indices = call.input_tensor(0), &values = call.input_tensor(1);
  const Tensor &shape = call.input_tensor(2), &dense = call.input_tensor(3);
  const Tensor& out = call.output_tensor(0);
  require(shape.dim(0) == dense.rank(),
          "Two operands have different ranks; received: ", shape.dim(0), " and ", dense.rank());
  for (int d = 0; d < dense.rank(); ++d)
    require(int_at(shape, d) == dense.dim(d), "Dimension ", d,
            " does not equal (no broadcasting is supported): sparse side ", int_at(shape, d),
            " vs dense side ", dense.dim(d));
  const Tensor places = as_index_matrix(indices, dense.rank());
  const Dims strides = row_major_strides(dense.shape());
  copy_elements(out.dtype(), out.raw_data(), dense.raw_data(),
                static_cast<std::size_t>(dense.element_count()));
  const auto add = element_update(UpdateKind::kAdd, out.dtype()).with_row;
  for (std::int64_t i = 0; i < values.dim(0); ++i) {
    const Index* index = places.data<Index>() + i * dense.rank();
    for (int d = 0; d < dense.rank(); ++d)
      require(index[d] >= 0 && index[d] < dense.dim(d),
              "Sparse tensor has an invalid index on dimension ", d, ": a_indices(", i, ",", d,
              ") = ", index[d], ", dense tensor shape: ", dense.shape());
    add(out.dtype(), element_at(out, place_of(index, strides)), element_at(values, i), 1);
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSparseToDense, .run = sparse_to_dense},
    {.op = &kSparseTensorDenseAdd, .types = kUpdateTypes, .run = sparse_tensor_dense_add},
};

}  // namespace

extern const KernelTable kSparseToDenseCpu{kEntries};

}  // namespace rill
