#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/index_values.h"
#include "rill/ops/array/strided_copy.h"
#include "rill/ops/sparse/sparse_parts.h"

namespace rill {

extern const OpDecl kSparseReorder, kSparseReshape;

namespace {

void sparse_reorder(KernelCall& call) {
  const SparseInput sparse = sparse_input(call, 0);
  const auto order = sorted_order(sparse.indices.data<Index>(), sparse.count(), sparse.rank());
  take_indices(sparse.indices, order, call.output_tensor(0));
  take_elements(sparse.values, order, call.output_tensor(1));
}

// The new dense shape with the dimension that is -1 filled in.
Shape target_shape(const Shape& from, const Tensor& asked) {
  Dims dims = read_dims(asked);
  int unknown = -1;
  Dims known;
  for (int d = 0; d < dims.size(); ++d) {
    if (dims[d] != -1) {
      require(dims[d] >= 0, "size ", d, " must be non-negative, not ", dims[d]);
      known.push_back(dims[d]);
      continue;
    }
    require(unknown < 0, "only one output dimension may be -1, not both ", unknown, " and ", d);
    unknown = d;
  }
  const std::int64_t product = Shape(known.span()).element_count();
  if (unknown < 0) {
    require(product == from.element_count(), "Input to reshape is a tensor with ",
            from.element_count(), " dense values, but the requested shape has ", product,
            ". input_shape=", from, " output_shape=", Shape(dims.span()));
    return Shape(dims.span());
  }
  require(product > 0,
          "reshape cannot infer the missing input size for an empty tensor unless all specified "
          "input sizes are non-zero");
  dims[unknown] = from.element_count() / product;
  require(dims[unknown] * product == from.element_count(),
          "Input to reshape is a SparseTensor with ", from.element_count(),
          " dense values, but the requested shape requires a multiple of ", product,
          ". input_shape=", from, " output_shape=", Shape(dims.span()));
  return Shape(dims.span());
}

void sparse_reshape(KernelCall& call) {
  const Tensor& indices = call.input_tensor(0);
  // Values count as often as there are indices, which is all that the checks ask of them.
  const SparseInput sparse{indices, Tensor(DType::u8, {indices.dim(0)}),
                           read_dims(call.input_tensor(1))};
  const Shape from = sparse.dense_shape();
  const Shape to = target_shape(from, call.input_tensor(2));
  std::copy(to.dims().begin(), to.dims().end(), call.output<Index>(1).begin());
  check_bounds(sparse);
  const Dims strides = row_major_strides(from);
  Index* out = call.output<Index>(0).data();
  call.parallel_for(static_cast<std::size_t>(sparse.count()), 3.0 * (from.rank() + to.rank()),
                    [&](std::size_t begin, std::size_t end) {
                      for (auto i = static_cast<std::int64_t>(begin);
                           i < static_cast<std::int64_t>(end); ++i) {
                        std::int64_t place = 0;
                        for (int d = 0; d < from.rank(); ++d)
                          place += sparse.index(i)[d] * strides[d];
                        for (int d = to.rank() - 1; d >= 0; --d) {
                          out[i * to.rank() + d] = place % to.dim(d);
                          place /= to.dim(d);
                        }
                      }
                    });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSparseReorder, .run = sparse_reorder},
    {.op = &kSparseReshape, .run = sparse_reshape},
};

}  // namespace

extern const KernelTable kSparseReorderCpu{kEntries};

}  // namespace rill
