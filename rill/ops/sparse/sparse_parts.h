#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "rill/kernel/kernel_call.h"

namespace rill {

// What kernels of sparse tensors share. Everything here throws InvalidArgument for bad input.

using Index = std::int64_t;

// A sparse tensor on three inputs whose shapes fit each other. What the indices and the dense shape
// hold is not yet checked.
struct SparseInput {
  Tensor indices, values;
  Dims shape;

  int rank() const { return shape.size(); }
  std::int64_t count() const { return values.dim(0); }
  const Index* index(std::int64_t i) const { return indices.data<Index>() + i * rank(); }
  // The dense shape, refused when a dimension is negative or the element count overflows.
  Shape dense_shape() const;
};

SparseInput sparse_input(const KernelCall& call, int first);
SparseInput sparse_input(const Tensor& indices, const Tensor& values, const Tensor& shape);

// "[1,2]"
std::string index_text(const Index* index, int rank);

// The order of two indices: negative, zero or positive.
inline int compare_indices(const Index* a, const Index* b, int rank) {
  for (int d = 0; d < rank; ++d)
    if (a[d] != b[d]) return a[d] < b[d] ? -1 : 1;
  return 0;
}

// Every index must lie inside of the shape and, for `check_ordered`, behind the one before it.
void check_bounds(const SparseInput& sparse);
void check_ordered(const SparseInput& sparse);

// The positions 0, 1, ... in the order of the indices; equal ones stay in the order they came.
std::vector<std::int64_t> sorted_order(const Index* indices, std::int64_t count, int rank);

// dst[i] = src[order[i]], for elements of any type.
void take_elements(const Tensor& src, std::span<const std::int64_t> order, const Tensor& dst);
// The same for rows of a matrix of indices.
void take_indices(const Tensor& src, std::span<const std::int64_t> order, const Tensor& dst);
// Sets outputs `first` and `first` + 1 to the indices and values of the elements at `order`.
void output_elements(const KernelCall& call, int first, const SparseInput& sparse,
                     std::span<const std::int64_t> order);
Tensor shape_tensor(std::span<const std::int64_t> dims);

// What arithmetic on T is done in: half and bfloat16 are computed as floats.
template <class T>
using Computed =
    std::conditional_t<std::is_same_v<T, half> || std::is_same_v<T, bfloat16>, float, T>;

}  // namespace rill
