#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/sparse/sparse_parts.h"
#include "rill/ops/update/element_update.h"

namespace rill {

extern const OpDecl kSparseDenseCwiseAdd, kSparseDenseCwiseMul, kSparseDenseCwiseDiv;

namespace {

// How far apart neighbours of the sparse tensor's dimensions are in the dense one: zero where it is
// repeated.
Dims met_strides(const Shape& sparse, const Shape& dense) {
  const int missing = sparse.rank() - dense.rank();
  bool fits = missing >= 0;
  Dims strides;
  const Dims own = row_major_strides(dense);
  for (int d = 0; d < sparse.rank() && fits; ++d) {
    const std::int64_t dim = d < missing ? 1 : dense.dim(d - missing);
    fits = dim == 1 || dim == sparse.dim(d);
    strides.push_back(dim == 1 ? 0 : own[d - missing]);
  }
  require(fits,
          "SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes: ",
          sparse, " vs. ", dense);
  return strides;
}

// Of integers all bits of a zero are clear, of floats all but the sign, which is in the last byte.
bool has_zero(const Tensor& tensor) {
  const int sign = kFloatTypes.contains(tensor.dtype()) ? 0x80 : 0;
  const std::size_t last = element_size(tensor.dtype()) - 1;
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
    const char* element = element_at(tensor, i);
    if ((element[last] & ~sign & 0xff) == 0 &&
        std::all_of(element, element + last, [](char byte) { return byte == 0; }))
      return true;
  }
  return false;
}

template <UpdateKind kind>
void cwise(KernelCall& call) {
  const SparseInput sparse = sparse_input(call, 0);
  const Tensor &dense = call.input_tensor(3), &out = call.output_tensor(0);
  const Shape shape = sparse.dense_shape();
  const Dims strides = met_strides(shape, dense.shape());
  for (std::int64_t i = 0; i < sparse.count(); ++i)
    for (int d = 0; d < sparse.rank(); ++d)
      if (sparse.index(i)[d] < 0 || sparse.index(i)[d] >= shape.dim(d))
        raise(Code::kInvalidArgument,
              "Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape: "
              "indices[",
              i, "] = ", index_text(sparse.index(i), sparse.rank()), ", shape ", shape);
  std::vector<std::int64_t> met(static_cast<std::size_t>(sparse.count()));
  for (std::int64_t i = 0; i < sparse.count(); ++i)
    for (int d = 0; d < sparse.rank(); ++d)
      met[static_cast<std::size_t>(i)] += sparse.index(i)[d] * strides[d];
  const Tensor others(out.dtype(), out.shape());
  take_elements(dense, met, others);
  require(kind != UpdateKind::kDiv || !has_zero(others),
          "SparseDenseCwiseDiv cannot divide by zero,but input dense tensor contains zero ");
  copy_elements(out.dtype(), out.raw_data(), sparse.values.raw_data(), met.size());
  const auto update = element_update(kind, out.dtype()).with_row;
  call.parallel_for(met.size(), 1, [&](std::size_t begin, std::size_t end) {
    const auto at = static_cast<std::int64_t>(begin);
    update(out.dtype(), element_at(out, at), element_at(others, at), end - begin);
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSparseDenseCwiseAdd, .types = kRealTypes, .run = cwise<UpdateKind::kAdd>},
    {.op = &kSparseDenseCwiseMul, .types = kRealTypes, .run = cwise<UpdateKind::kMul>},
    {.op = &kSparseDenseCwiseDiv, .types = kRealTypes, .run = cwise<UpdateKind::kDiv>},
};

}  // namespace

extern const KernelTable kSparseDenseCwiseCpu{kEntries};

}  // namespace rill
