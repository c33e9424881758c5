#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/ragged/row_splits.h"

namespace rill {

extern const OpDecl kRaggedTensorToSparse;

namespace {

// Checks all splits, the innermost against the number of values.
void check_levels(const KernelCall& call, int levels, std::int64_t value_count) {
  for (int i = 0; i < levels; ++i) {
    std::int64_t end = value_count;
    if (i + 1 < levels) {
      const Tensor& next = call.input_tensor(i + 1);
      require(next.rank() == 1 && next.dim(0) >= 1, "ragged splits may not be empty.");
      end = row_count(next);
    }
    check_row_splits(call.input_tensor(i), end);
  }
}

// Writes, for each value, where it is in each ragged dimension: columns of `indices`, whose rows
// come in groups of `width` for one value.
void write_places(const KernelCall& call, int levels, std::int64_t count, std::int64_t* places) {
  // From the innermost dimension outwards: `owner` is, for each value, its row at this level.
  std::vector<std::int64_t> owner(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) owner[static_cast<std::size_t>(i)] = i;
  for (int level = levels - 1; level >= 0; --level) {
    const Tensor& splits = call.input_tensor(level);
    std::int64_t row = 0;
    for (std::int64_t i = 0; i < count; ++i) {  // owners ascend, so rows do
      std::int64_t& at = owner[static_cast<std::size_t>(i)];
      while (int_at(splits, row + 1) <= at) ++row;
      places[i * (levels + 1) + level + 1] = at - int_at(splits, row);
      at = row;
    }
  }
  for (std::int64_t i = 0; i < count; ++i)
    places[i * (levels + 1)] = owner[static_cast<std::size_t>(i)];
}

void to_sparse(KernelCall& call) {
  const int levels = call.input_count() - 1;
  const Tensor& values = call.input_tensor(levels);
  const std::int64_t count = values.dim(0), rank = call.output_tensor(2).dim(0);
  check_levels(call, levels, count);
  const Tensor places(DType::i64, {count, levels + 1});
  write_places(call, levels, count, places.data<std::int64_t>());

  const auto shape = call.output<std::int64_t>(2);
  shape[0] = row_count(call.input_tensor(0));
  for (int level = 0; level < levels; ++level) {
    const Tensor& splits = call.input_tensor(level);
    std::int64_t& longest = shape[static_cast<std::size_t>(level) + 1] = 0;
    for (std::int64_t i = 0; i < row_count(splits); ++i)
      longest = std::max(longest, int_at(splits, i + 1) - int_at(splits, i));
  }
  for (int d = 1; d < values.rank(); ++d)
    shape[static_cast<std::size_t>(levels + d)] = values.dim(d);

  if (values.element_count() == 0) return;
  copy_elements(values.dtype(), call.output_tensor(1).raw_data(), values.raw_data(),
                static_cast<std::size_t>(values.element_count()));
  const std::int64_t width = values.element_count() / count;
  std::int64_t* out = call.output<std::int64_t>(0).data();
  for (std::int64_t i = 0; i < values.element_count(); ++i, out += rank) {
    std::copy_n(places.data<std::int64_t>() + i / width * (levels + 1), levels + 1, out);
    std::int64_t inside = i % width;
    for (int d = values.rank() - 1; d >= 1; --d) {
      out[levels + d] = inside % values.dim(d);
      inside /= values.dim(d);
    }
  }
}

constexpr KernelEntry kEntries[] = {{.op = &kRaggedTensorToSparse, .run = to_sparse}};

}  // namespace

extern const KernelTable kRaggedToSparseCpu{kEntries};

}  // namespace rill
