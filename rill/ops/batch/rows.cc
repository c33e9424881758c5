#include "rill/ops/batch/rows.h"

#include "rill/base/error.h"

namespace rill {

Tensor joined_rows(std::span<const Tensor> tensors, std::int64_t rows) {
  const Tensor& first = tensors[0];
  for (const Tensor& t : tensors)
    require(t.rank() > 0 && t.dtype() == first.dtype() &&
                t.shape().without_dim(0) == first.shape().without_dim(0),
            "Batching input tensors must have the same type and shape but for dimension 0, not ",
            first.dtype(), first.shape(), " and ", t.dtype(), t.shape());
  Tensor joined(first.dtype(), first.shape().with_dim(0, rows));
  const auto row = static_cast<std::size_t>(first.shape().without_dim(0).element_count());
  const std::size_t bytes = row * element_size(first.dtype());
  auto* to = static_cast<char*>(joined.raw_data());
  std::int64_t filled = 0;
  const auto append = [&](const Tensor& from, std::int64_t count) {
    copy_elements(first.dtype(), to + static_cast<std::size_t>(filled) * bytes, from.raw_data(),
                  static_cast<std::size_t>(count) * row);
    filled += count;
  };
  const Tensor* filling = nullptr;
  for (const Tensor& t : tensors) {
    append(t, t.dim(0));
    if (filling == nullptr && t.dim(0) > 0) filling = &t;
  }
  while (filled < rows && filling != nullptr) append(*filling, 1);
  require(filled == rows, "a batch without rows cannot be filled up to ", rows);
  return joined;
}

Tensor no_rows(const Tensor& like) {
  return Tensor(like.dtype(), like.rank() == 0 ? Shape{0} : like.shape().with_dim(0, 0));
}

std::vector<RowsOf> parse_batch_index(const Tensor& batch_index, std::int64_t rows) {
  require(batch_index.rank() == 2 && batch_index.dim(1) == 3,
          "batch_index must be a matrix of three columns, not ", batch_index.shape());
  std::vector<RowsOf> parts;
  for (std::int64_t i = 0; i < batch_index.dim(0); ++i) {
    const std::int64_t* const entry = batch_index.data<std::int64_t>() + 3 * i;
    const RowsOf part{entry[0], entry[1], entry[2]};
    require(part.start >= 0 && part.start <= part.end && part.end <= rows, "batch_index has rows [",
            part.start, ", ", part.end, ") of a batch of ", rows);
    parts.push_back(part);
  }
  return parts;
}

}  // namespace rill
