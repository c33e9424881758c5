#include <algorithm>
#include <cstring>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/sparse/sparse_parts.h"

namespace rill {

extern const OpDecl kSparseSlice, kSparseSliceGrad;

namespace {

Dims bound_input(const KernelCall& call, int i, const char* name, int rank) {
  const Tensor& bound = call.input_tensor(i);
  require(bound.rank() == 1 && bound.dim(0) == rank, "Expected ", name,
          " to be a vector of length ", rank, " but got shape ", bound.shape());
  return read_dims(bound);
}

// a + b, at most the largest number: what lies behind it lies behind every index.
std::int64_t end_of(std::int64_t a, std::int64_t b) {
  std::int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

// How much of the box lies before the end of a dimension.
std::int64_t part_inside(std::int64_t dim, std::int64_t start, std::int64_t size) {
  if (end_of(start, size) < dim) return size;
  std::int64_t rest;
  return __builtin_sub_overflow(dim, start, &rest) ? size : std::max<std::int64_t>(rest, 0);
}

void sparse_slice(KernelCall& call) {
  const SparseInput sparse = sparse_input(call, 0);
  (void)sparse.dense_shape();  // refuses what overflows
  const int rank = sparse.rank();
  const Dims start = bound_input(call, 3, "start", rank), size = bound_input(call, 4, "size", rank);
  Dims shape = sparse.shape;
  for (int d = 0; d < rank; ++d) {
    require(size[d] >= 0, "Expected a non-negative size, got ", size[d]);
    shape[d] = part_inside(sparse.shape[d], start[d], size[d]);
  }
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < sparse.count(); ++i) {
    const Index* index = sparse.index(i);
    bool taken = true;
    for (int d = 0; d < rank; ++d)
      taken &= index[d] >= start[d] && index[d] < end_of(start[d], size[d]);
    if (taken) order.push_back(i);
  }
  output_elements(call, 0, sparse, order);
  Index* index = call.output<Index>(0).data();
  for (std::size_t i = 0; i < order.size(); ++i, index += rank)
    for (int d = 0; d < rank; ++d)  // no overflow: the difference is less than size[d]
      index[d] = static_cast<Index>(static_cast<std::uint64_t>(index[d]) -
                                    static_cast<std::uint64_t>(start[d]));
  call.set_output(2, shape_tensor(shape.span()));
}

// True if `taken` counted from `start` is `index`.
bool is_taken(const Index* index, const Index* taken, const Index* start, int rank) {
  for (int d = 0; d < rank; ++d) {
    Index sum;
    if (__builtin_add_overflow(taken[d], start[d], &sum) || sum != index[d]) return false;
  }
  return true;
}

// Elements were taken in order, so one walk through both lists finds them.
void sparse_slice_grad(KernelCall& call) {
  const Tensor &gradient = call.input_tensor(0), &indices = call.input_tensor(1);
  const Tensor &start = call.input_tensor(2), &taken = call.input_tensor(3);
  const Tensor& out = call.output_tensor(0);
  require(
      gradient.dim(0) == taken.dim(0),
      "# elements of backprop_val_grad and # rows of output_indices should match (#nnz of sum): "
      "got ",
      gradient.dim(0), " and ", taken.dim(0));
  require(taken.dim(0) <= indices.dim(0),
          "# rows of output_indices should be not greater than of input_indices, got ",
          taken.dim(0), " and ", indices.dim(0));
  const auto rank = static_cast<int>(indices.dim(1));
  const std::size_t bytes = element_size(out.dtype());
  if (out.element_count() > 0) std::memset(out.raw_data(), 0, out.byte_size());
  std::int64_t used = 0;
  for (std::int64_t i = 0; i < indices.dim(0) && used < taken.dim(0); ++i) {
    if (!is_taken(indices.data<Index>() + i * rank, taken.data<Index>() + used * rank,
                  start.data<Index>(), rank))
      continue;
    std::memcpy(element_at(out, i), element_at(gradient, used++), bytes);
  }
  if (used < taken.dim(0))
    raise(Code::kInvalidArgument,
          "Elements of backprop_val_grad aren't all propagated. Num elements:", taken.dim(0),
          ", used: ", used);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSparseSlice, .run = sparse_slice, .allocates = true},
    {.op = &kSparseSliceGrad, .types = kNumberTypes, .run = sparse_slice_grad},
};

}  // namespace

extern const KernelTable kSparseSliceCpu{kEntries};

}  // namespace rill
