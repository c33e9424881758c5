#include "rill/ops/sparse/sparse_batch.h"

#include <algorithm>

#include "rill/ops/array/slice/strided_copy.h"

namespace rill {

SparseRows::SparseRows(const SparseInput& sparse) : sparse_(sparse) {
  require(sparse.rank() > 1,
          "Rank of input SparseTensor should be > 1, but saw rank: ", sparse.rank());
  (void)sparse.dense_shape();  // refuses what overflows
  check_ordered(sparse);
}

SparseInput SparseRows::next() {
  const std::int64_t begin = at_;
  while (at_ < sparse_.count() && sparse_.index(at_)[0] == row_) ++at_;
  ++row_;
  const int rank = sparse_.rank() - 1;
  Tensor indices(DType::i64, {at_ - begin, rank});
  for (std::int64_t i = begin; i < at_; ++i)
    std::copy_n(sparse_.index(i) + 1, rank, indices.data<Index>() + (i - begin) * rank);
  return {indices, sparse_.values.slice(begin, at_).clone(), Dims(sparse_.shape.span().subspan(1))};
}

namespace {

// The sizes that hold every part, and how many elements they have together.
std::pair<Dims, std::int64_t> joint_shape(std::span<const SparseInput> parts, DType dtype) {
  Dims shape = parts[0].shape;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const SparseInput& part = parts[i];
    require(part.values.dtype() == dtype, "Requested SparseTensor of type ", dtype,
            " but SparseTensor[", i, "].values.dtype() == ", part.values.dtype());
    require(part.rank() == shape.size(), "Inconsistent rank across SparseTensors: rank prior to ",
            "SparseTensor[", i, "] was: ", shape.size(), " but rank of SparseTensor[", i,
            "] is: ", part.rank());
    for (int d = 0; d < shape.size(); ++d) shape[d] = std::max(shape[d], part.shape[d]);
    count += part.count();
  }
  return {shape, count};
}

}  // namespace

void output_batch(const KernelCall& call, std::span<const SparseInput> parts, const Dims& batch,
                  DType dtype) {
  require(!parts.empty(),
          "Must have at least 1 serialized SparseTensor, but input matrix has 0 rows");
  const auto [inner, count] = joint_shape(parts, dtype);
  Dims shape = batch;
  for (const std::int64_t dim : inner.span()) shape.push_back(dim);
  const int rank = shape.size();
  Index* to = call.allocate_output(0, {count, rank}).data<Index>();
  const Tensor& values = call.allocate_output(1, {count});
  Dims place = batch;  // of the part that is copied
  std::fill_n(place.data(), place.size(), 0);
  std::int64_t at = 0;
  for (const SparseInput& part : parts) {
    for (std::int64_t i = 0; i < part.count(); ++i) {
      to = std::copy_n(place.data(), place.size(), to);
      to = std::copy_n(part.index(i), part.rank(), to);
    }
    if (part.count() > 0)
      copy_elements(dtype, element_at(values, at), part.values.raw_data(),
                    static_cast<std::size_t>(part.count()));
    at += part.count();
    for (int d = place.size() - 1; d >= 0 && ++place[d] == batch[d]; --d) place[d] = 0;
  }
  call.set_output(2, shape_tensor(shape.span()));
}

}  // namespace rill
