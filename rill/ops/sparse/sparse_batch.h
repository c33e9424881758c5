#pragma once

#include "rill/ops/sparse/sparse_parts.h"

namespace rill {

// Sparse tensors of one rank, kept one by one and put together again.

// Rows of a sparse tensor along its first dimension. Throws InvalidArgument unless the rank is two
// or more and the elements lie inside of the shape and in order.
class SparseRows {
 public:
  explicit SparseRows(const SparseInput& sparse);

  std::int64_t count() const { return sparse_.shape[0]; }
  // The next row: call it count() times.
  SparseInput next();

 private:
  SparseInput sparse_;
  std::int64_t row_ = 0, at_ = 0;
};

// Sets outputs 0 to 2 to the sparse tensor of shape [batch..., largest sizes of the parts...],
// which has as many parts as `batch` has elements. Without `batch` it is the one part itself.
void output_batch(const KernelCall& call, std::span<const SparseInput> parts, const Dims& batch,
                  DType dtype);

}  // namespace rill
