#include "rill/ops/sparse/sparse_parts.h"

#include <algorithm>
#include <numeric>

#include "rill/ops/array/element_types.h"
#include "rill/ops/array/index_values.h"

namespace rill {

Shape SparseInput::dense_shape() const {
  for (const std::int64_t dim : shape.span())
    require(dim >= 0, "Expected shape dimensions to be non-negative, got ", dim);
  return Shape(shape.span());
}

SparseInput sparse_input(const Tensor& indices, const Tensor& values, const Tensor& shape) {
  require(indices.rank() == 2, "Sparse indices must be rank 2 but is rank ", indices.rank());
  require(values.rank() == 1, "Sparse values must be rank 1 but is rank ", values.rank());
  require(shape.rank() == 1, "Sparse shape must be rank 1 but is rank ", shape.rank());
  require(indices.dim(0) == values.dim(0), "Number of elements in indices (", indices.dim(0),
          ") and values (", values.dim(0), ") do not match");
  require(indices.dim(1) == shape.dim(0), "Index rank (", indices.dim(1), ") and shape rank (",
          shape.dim(0), ") do not match");
  return {indices, values, read_dims(shape)};
}

SparseInput sparse_input(const KernelCall& call, int first) {
  return sparse_input(call.input_tensor(first), call.input_tensor(first + 1),
                      call.input_tensor(first + 2));
}

std::string index_text(const Index* index, int rank) {
  std::vector<std::string> entries;
  for (int d = 0; d < rank; ++d) entries.push_back(std::to_string(index[d]));
  return str_cat("[", join(entries, ","), "]");
}

namespace {

bool inside(const Index* index, const Dims& shape) {
  for (int d = 0; d < shape.size(); ++d)
    if (index[d] < 0 || index[d] >= shape[d]) return false;
  return true;
}

[[noreturn]] void refuse(const SparseInput& sparse, std::int64_t i, const std::string& why) {
  raise(Code::kInvalidArgument, "indices[", i, "] = ", index_text(sparse.index(i), sparse.rank()),
        why);
}

void check_inside(const SparseInput& sparse, std::int64_t i) {
  if (inside(sparse.index(i), sparse.shape)) [[likely]]
    return;
  refuse(sparse, i,
         str_cat(" is out of bounds: need 0 <= index < ",
                 index_text(sparse.shape.data(), sparse.rank())));
}

}  // namespace

void check_bounds(const SparseInput& sparse) {
  for (std::int64_t i = 0; i < sparse.count(); ++i) check_inside(sparse, i);
}

void check_ordered(const SparseInput& sparse) {
  for (std::int64_t i = 0; i < sparse.count(); ++i) {
    check_inside(sparse, i);
    if (i == 0) continue;
    const int order = compare_indices(sparse.index(i - 1), sparse.index(i), sparse.rank());
    if (order > 0) refuse(sparse, i, " is out of order. Many sparse ops require sorted indices.");
    if (order == 0) refuse(sparse, i, " is repeated");
  }
}

std::vector<std::int64_t> sorted_order(const Index* indices, std::int64_t count, int rank) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  const auto before = [=](std::int64_t a, std::int64_t b) {
    return compare_indices(indices + a * rank, indices + b * rank, rank) < 0;
  };
  if (!std::is_sorted(order.begin(), order.end(), before))
    std::stable_sort(order.begin(), order.end(), before);
  return order;
}

void take_elements(const Tensor& src, std::span<const std::int64_t> order, const Tensor& dst) {
  with_element_type(src.dtype(), [&]<class T>(T*) {
    const auto* from = static_cast<const T*>(src.raw_data());
    auto* to = static_cast<T*>(dst.raw_data());
    for (const std::int64_t i : order) *to++ = from[i];
  });
}

void take_indices(const Tensor& src, std::span<const std::int64_t> order, const Tensor& dst) {
  const std::int64_t rank = src.dim(1);
  Index* to = dst.data<Index>();
  for (const std::int64_t i : order) to = std::copy_n(src.data<Index>() + i * rank, rank, to);
}

void output_elements(const KernelCall& call, int first, const SparseInput& sparse,
                     std::span<const std::int64_t> order) {
  const auto count = static_cast<std::int64_t>(order.size());
  take_indices(sparse.indices, order, call.allocate_output(first, {count, sparse.rank()}));
  take_elements(sparse.values, order, call.allocate_output(first + 1, {count}));
}

Tensor shape_tensor(std::span<const std::int64_t> dims) {
  return Tensor::of<Index>({static_cast<std::int64_t>(dims.size())}, dims);
}

}  // namespace rill
