#include "rill/api/ragged/ragged_joining.h"

#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/ragged.h"
#include "rill/api/ragged/ragged_parts.h"
#include "rill/base/error.h"

namespace rill::ragged {
namespace {

using parts::number;
using parts::ragged_in;
using parts::under;
using parts::values_of;

int common_rank(const std::vector<RaggedOrDense>& values) {
  require(!values.empty(), "rt_inputs may not be empty.");
  const PartialShape first = parts::shape_of(values[0]);
  for (const RaggedOrDense& x : values) {
    const PartialShape shape = parts::shape_of(x);
    require(first.has_rank() && shape.has_rank() && shape.rank() == first.rank(), "Shapes ", first,
            " and ", shape, " must have the same, known rank");
  }
  return first.rank();
}

// Row i of each, one after the other, for all rows; and how many rows there are.
std::pair<RaggedTensor, Output> rows_in_turn(const std::vector<RaggedTensor>& all) {
  const auto count = static_cast<std::int64_t>(all.size());
  const Output rows = nrows(all[0]);
  std::vector<Node*> checks;
  for (const RaggedTensor& x : all)
    if (&x != &all[0])
      checks.push_back(&debugging::assert_equal(
          rows, nrows(x), {.message = "Input tensors have incompatible shapes."}));
  const Output total = parts::times(rows, number(count, all[0].splits_type()));
  const Output places = parts::counted(checks.empty() ? total : parts::after_nodes(checks, total));
  const Output grid =
      raw::Reshape(places, Tensor::vector<std::int32_t>({static_cast<std::int32_t>(count), -1}));
  const Output order = raw::Reshape(raw::Transpose(grid, Tensor::vector<std::int32_t>({1, 0})),
                                    Tensor::vector<std::int32_t>({-1}));
  return {std::get<RaggedTensor>(parts::rows_at(parts::joined(all), order)), total};
}

// 0, count, 2 * count ... up to and with total.
Output every(std::int64_t count, const Output& total) {
  const DType type = base_type(total.dtype());
  return raw::Range(number(0, type), parts::plus(total, 1), number(count, type));
}

// The values of all, which must have the same rows.
std::vector<RaggedOrDense> inner_values(const std::vector<RaggedTensor>& all, Output& splits) {
  std::vector<Node*> checks;
  std::vector<RaggedOrDense> inner;
  for (const RaggedTensor& x : all) {
    parts::check_same_rows(checks, splits, x.row_splits());
    inner.push_back(values_of(x));
  }
  if (!checks.empty()) splits = parts::after_nodes(checks, splits);
  return inner;
}

RaggedOrDense concatenated(const std::vector<RaggedOrDense>& values, int axis) {
  if (std::ranges::none_of(values, [](const auto& x) { return ragged_in(x) != nullptr; })) {
    std::vector<Input> dense;
    for (const RaggedOrDense& x : values) dense.emplace_back(std::get<Output>(x));
    return rill::concat(dense, axis);
  }
  const auto all = parts::all_raised(values);
  if (axis == 0) return parts::joined(all);
  if (axis == 1) {
    const auto [rows, total] = rows_in_turn(all);
    const Output ends = every(static_cast<std::int64_t>(all.size()), total);
    return under(rill::gather(rows.row_splits(), ends), values_of(rows));
  }
  Output splits = all[0].row_splits();
  const auto inner = inner_values(all, splits);
  return under(splits, concatenated(inner, axis - 1));
}

RaggedOrDense stacked(const std::vector<RaggedOrDense>& values, int axis, int rank) {
  if (rank == 0 || (rank == 1 && axis == 1)) {
    std::vector<Input> dense;
    for (const RaggedOrDense& x : values) dense.emplace_back(std::get<Output>(x));
    return raw::Pack(dense, {.axis = axis});
  }
  if (rank == 1) {
    std::vector<Input> flat, lengths;
    for (const RaggedOrDense& x : values) flat.emplace_back(std::get<Output>(x));
    for (const RaggedOrDense& x : values)
      lengths.emplace_back(shape(std::get<Output>(x), {.out_type = DType::i64}));
    return RaggedTensor{.flat_values = rill::concat(flat, 0),
                        .nested_row_splits = {splits_of_lengths(rill::concat(lengths, 0))}};
  }
  const auto all = parts::all_raised(values);
  if (axis == 1) {
    const auto [rows, total] = rows_in_turn(all);
    return under(every(static_cast<std::int64_t>(all.size()), total), rows);
  }
  if (axis > 1) {
    Output splits = all[0].row_splits();
    const auto inner = inner_values(all, splits);
    return under(splits, stacked(inner, axis - 1, rank - 1));
  }
  std::vector<Input> counts;
  for (const RaggedTensor& x : all) counts.emplace_back(nrows(x));
  return under(splits_of_lengths(parts::list_of(counts)), parts::joined(all));
}

}  // namespace

RaggedOrDense concat(const std::vector<RaggedOrDense>& values, int axis, const JoinOptions& options,
                     std::source_location at) {
  const Block in(options.name, "RaggedConcat", at);
  const int rank = common_rank(values);
  axis = parts::positive_axis(axis, rank);
  return values.size() == 1 ? values[0] : concatenated(values, axis);
}

RaggedOrDense stack(const std::vector<RaggedOrDense>& values, int axis, const JoinOptions& options,
                    std::source_location at) {
  const Block in(options.name, "RaggedConcat", at);
  const int rank = common_rank(values);
  return stacked(values, parts::positive_axis(axis, rank + 1), rank);
}

}  // namespace rill::ragged
