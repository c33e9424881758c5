#include "rill/api/ragged/ragged_parts.h"

#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/ragged.h"
#include "rill/base/error.h"

namespace rill::parts {

PartialShape shape_of(const RaggedOrDense& x) {
  return ragged_in(x) != nullptr ? ragged_in(x)->shape() : std::get<Output>(x).shape();
}

int known_rank(const RaggedOrDense& x) {
  const PartialShape shape = shape_of(x);
  require(shape.has_rank(), "the rank of a tensor must be known beside a ragged tensor");
  return shape.rank();
}

int positive_axis(int axis, int rank) {
  require(axis >= -rank && axis < rank, "axis=", axis, " out of bounds: expected ", -rank,
          "<=axis<", rank);
  return axis < 0 ? axis + rank : axis;
}

Output number(std::int64_t value, DType type) { return as_tensor(value, "Const", type); }

Output counted(const Output& limit) {
  const DType type = base_type(limit.dtype());
  return raw::Range(number(0, type), limit, number(1, type));
}

Output row_starts(const RaggedTensor& x) { return range_of(x.row_splits(), {}, -1); }
Output row_limits(const RaggedTensor& x) { return range_of(x.row_splits(), 1, {}); }

Output row_count(const RaggedOrDense& x, DType type) {
  if (const RaggedTensor* rows = ragged_in(x)) return cast_to(ragged::nrows(*rows), type);
  return item(shape(std::get<Output>(x), {.out_type = type}), 0);
}

RaggedOrDense values_of(const RaggedTensor& x) {
  if (x.has_ragged_values()) return x.ragged_values();
  return x.flat_values;
}

RaggedTensor under(Output splits, const RaggedOrDense& values) {
  RaggedTensor result{.flat_values = {}, .nested_row_splits = {splits}};
  if (const RaggedTensor* inner = ragged_in(values)) {
    result.flat_values = inner->flat_values;
    const auto& nested = inner->nested_row_splits;
    result.nested_row_splits.insert(result.nested_row_splits.end(), nested.begin(), nested.end());
  } else {
    result.flat_values = std::get<Output>(values);
  }
  return result;
}

RaggedTensor with_flat_values(const RaggedTensor& x, const RaggedOrDense& values) {
  RaggedOrDense result = values;
  for (auto splits = x.nested_row_splits.rbegin(); splits != x.nested_row_splits.rend(); ++splits)
    result = under(*splits, result);
  return std::get<RaggedTensor>(result);
}

RaggedTensor raised(const RaggedOrDense& x, int ragged_rank, DType splits) {
  const RaggedTensor* own = ragged_in(x);
  if (own == nullptr)
    return ragged::from_tensor(std::get<Output>(x),
                               {.ragged_rank = ragged_rank, .row_splits_dtype = splits});
  if (own->splits_type() != splits) {
    RaggedTensor cast = *own;
    for (Output& nested : cast.nested_row_splits) nested = cast_to(nested, splits);
    return raised(cast, ragged_rank, splits);
  }
  if (own->ragged_rank() >= ragged_rank) return *own;
  return under(own->row_splits(), raised(values_of(*own), ragged_rank - 1, splits));
}

std::vector<RaggedTensor> all_raised(const std::vector<RaggedOrDense>& all) {
  DType type = DType::i64;
  int ragged_rank = 1;
  bool typed = false;
  for (const RaggedOrDense& x : all) {
    const RaggedTensor* own = ragged_in(x);
    if (own == nullptr) continue;
    type = typed && own->splits_type() != type ? DType::i64 : own->splits_type();
    typed = true;
    ragged_rank = std::max(ragged_rank, own->ragged_rank());
  }
  std::vector<RaggedTensor> result;
  for (const RaggedOrDense& x : all) result.push_back(raised(x, ragged_rank, type));
  return result;
}

void check_same_rows(std::vector<Node*>& checks, const Output& splits, const Output& other) {
  if (splits == other) return;
  const Output same = raw::Equal(splits, other, {.incompatible_shape_error = false});
  checks.push_back(&assert_true(raw::All(same, all_dimensions(same)),
                                {"Inputs must have identical ragged splits", splits, other}));
}

namespace {

Output joined_splits(const std::vector<Output>& splits) {
  std::vector<Input> pieces{splits[0]};
  Output offset = item(splits[0], -1);
  for (std::size_t i = 1; i < splits.size(); ++i) {
    pieces.emplace_back(plus(range_of(splits[i], 1, {}), offset));
    offset = plus(offset, item(splits[i], -1));
  }
  return concat(pieces, 0);
}

}  // namespace

RaggedTensor joined(const std::vector<RaggedTensor>& all) {
  std::vector<Input> flat;
  for (const RaggedTensor& x : all) flat.emplace_back(x.flat_values);
  RaggedTensor result{.flat_values = concat(flat, 0), .nested_row_splits = {}};
  for (int d = 0; d < all[0].ragged_rank(); ++d) {
    std::vector<Output> splits;
    for (const RaggedTensor& x : all)
      splits.push_back(x.nested_row_splits[static_cast<std::size_t>(d)]);
    result.nested_row_splits.push_back(joined_splits(splits));
  }
  return result;
}

RaggedOrDense rows_at(const RaggedOrDense& x, const Output& rows) {
  const RaggedTensor* own = ragged_in(x);
  if (own == nullptr) return gather(std::get<Output>(x), rows);
  const std::vector<Input> splits(own->nested_row_splits.begin(), own->nested_row_splits.end());
  const auto picked = raw::RaggedGather(splits, own->flat_values, rows, own->ragged_rank());
  return RaggedTensor{.flat_values = picked.output_dense_values,
                      .nested_row_splits = picked.output_nested_splits};
}

}  // namespace rill::parts
