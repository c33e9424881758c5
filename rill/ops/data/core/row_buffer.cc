#include "rill/ops/data/core/row_buffer.h"

#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

std::span<Element> RowBuffer::fill(std::int64_t count, FunctionRef<bool(Element&)> pull) {
  std::size_t filled = 0;
  while (filled < static_cast<std::size_t>(count)) {
    if (filled == rows_.size()) rows_.emplace_back();
    if (!pull(rows_[filled])) break;
    ++filled;
  }
  return std::span(rows_).first(filled);
}

void RowBuffer::clear() {
  for (Element& row : rows_) row.clear();
}

std::int64_t batch_count(std::int64_t count, std::int64_t batch_size, bool drop_remainder) {
  if (count < 0) return count;
  return count / batch_size + (count % batch_size != 0 && !drop_remainder ? 1 : 0);
}

std::int64_t batch_size_input(const KernelCall& call, int i) {
  const auto batch_size = scalar_input<std::int64_t>(call, i, "batch_size");
  require(batch_size > 0, "Batch size must be greater than zero.");
  return batch_size;
}

}  // namespace rill
