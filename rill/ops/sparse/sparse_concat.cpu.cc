#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/sparse/sparse_parts.h"

namespace rill {

extern const OpDecl kSparseConcat, kSparseSplit;

namespace {

std::vector<SparseInput> inputs_to_join(const KernelCall& call, int n) {
  std::vector<SparseInput> inputs;
  for (int i = 0; i < n; ++i)
    inputs.push_back(
        sparse_input(call.input_tensor(i), call.input_tensor(n + i), call.input_tensor(2 * n + i)));
  return inputs;
}

[[noreturn]] void refuse_large() {
  raise(Code::kInvalidArgument, "Encountered overflow from large input shape.");
}

// The dense shape of the result.
Dims joined_shape(const std::vector<SparseInput>& inputs, int axis) {
  Dims shape = inputs[0].shape;
  for (std::size_t i = 1; i < inputs.size(); ++i)
    for (int d = 0; d < shape.size(); ++d) {
      const std::int64_t dim = inputs[i].shape[d];
      if (d != axis) {
        require(dim == shape[d], "Input shapes must match: expected ", shape[d], " for dimension ",
                d, " but got ", dim, " at position ", i);
      } else if (shape[d] < 0 || dim < 0 || __builtin_add_overflow(shape[d], dim, &shape[d])) {
        refuse_large();
      }
    }
  std::int64_t elements = 1;
  for (const std::int64_t dim : shape.span())
    if (dim < 0 || __builtin_mul_overflow(elements, dim, &elements)) refuse_large();
  return shape;
}

void sparse_concat(KernelCall& call) {
  const int n = call.input_count() / 3;
  const std::vector<SparseInput> inputs = inputs_to_join(call, n);
  const int rank = inputs[0].rank();
  const std::int64_t asked = call.node().attr<std::int64_t>("concat_dim");
  require(asked >= -rank && asked < rank, "Concat dimension must be in range [", -rank, ", ", rank,
          "), got ", asked);
  const auto axis = static_cast<int>(asked < 0 ? asked + rank : asked);
  const Dims shape = joined_shape(inputs, axis);
  const Tensor indices(DType::i64, call.output_tensor(0).shape());
  const Tensor values(call.output_tensor(1).dtype(), call.output_tensor(1).shape());
  std::int64_t at = 0, offset = 0;
  for (const SparseInput& input : inputs) {
    Index* to = indices.data<Index>() + at * rank;
    std::copy_n(input.indices.data<Index>(), input.count() * rank, to);
    for (std::int64_t i = 0; i < input.count(); ++i)
      if (__builtin_add_overflow(to[i * rank + axis], offset, &to[i * rank + axis]))
        raise(Code::kInvalidArgument, "indices[", i, "] = ", index_text(input.index(i), rank),
              " is out of bounds");
    if (input.count() > 0)
      copy_elements(values.dtype(), element_at(values, at), input.values.raw_data(),
                    static_cast<std::size_t>(input.count()));
    at += input.count();
    offset += input.shape[axis];
  }
  const auto order = sorted_order(indices.data<Index>(), at, rank);
  take_indices(indices, order, call.output_tensor(0));
  take_elements(values, order, call.output_tensor(1));
  std::copy_n(shape.data(), rank, call.output<Index>(2).data());
}

// Sizes of parts: the first `extra` of them are longer by one.
struct Parts {
  std::int64_t size, extra;

  std::int64_t begin(std::int64_t part) const { return part * size + std::min(part, extra); }
  std::int64_t of(std::int64_t i) const {
    const std::int64_t longer = extra * (size + 1);
    return i < longer ? i / (size + 1) : extra + (i - longer) / size;
  }
};

void sparse_split(KernelCall& call) {
  const Tensor& axis_input = call.input_tensor(0);
  require(axis_input.rank() == 0, "Input axis should be a scalar but received shape ",
          axis_input.shape());
  const SparseInput sparse = sparse_input(call, 1);
  const int rank = sparse.rank();
  const std::int64_t asked = int_at(axis_input, 0), n = call.output_count() / 3;
  require(asked >= -rank && asked < rank, "Input axis should be in range [", -rank, ", ", rank,
          "), got ", asked);
  const auto axis = static_cast<int>(asked < 0 ? asked + rank : asked);
  const Shape dense = sparse.dense_shape();
  require(n >= 1 && n <= dense.dim(axis),
          "Input num_split should be between 1 and the splitting dimension size (", dense.dim(axis),
          "), got ", n);
  check_bounds(sparse);
  const Parts parts{dense.dim(axis) / n, dense.dim(axis) % n};
  std::vector<std::vector<std::int64_t>> members(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < sparse.count(); ++i)
    members[static_cast<std::size_t>(parts.of(sparse.index(i)[axis]))].push_back(i);
  for (std::int64_t part = 0; part < n; ++part) {
    const auto& order = members[static_cast<std::size_t>(part)];
    const auto count = static_cast<std::int64_t>(order.size());
    const auto at = static_cast<int>(part), first = static_cast<int>(n);
    const Tensor& indices = call.allocate_output(at, {count, rank});
    take_indices(sparse.indices, order, indices);
    for (std::int64_t i = 0; i < count; ++i)
      indices.data<Index>()[i * rank + axis] -= parts.begin(part);
    take_elements(sparse.values, order, call.allocate_output(first + at, {count}));
    Dims shape = sparse.shape;
    shape[axis] = parts.begin(part + 1) - parts.begin(part);
    call.set_output(2 * first + at, shape_tensor(shape.span()));
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSparseConcat, .run = sparse_concat},
    {.op = &kSparseSplit, .run = sparse_split, .allocates = true},
};

}  // namespace

extern const KernelTable kSparseConcatCpu{kEntries};

}  // namespace rill
