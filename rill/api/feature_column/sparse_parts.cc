#include "rill/api/feature_column/sparse_parts.h"

#include <limits>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/sparse/sparse_facts.h"

namespace rill::feature_column {
namespace {

const std::source_location kHere = std::source_location::current();

Input ignored_value(DType dtype) {
  if (dtype == DType::string) return Input("");
  if (kIntTypes.contains(dtype)) return Input(-1);
  return Input(Tensor::zeros(dtype, {}));
}

}  // namespace

int as_int32(std::int64_t size) {
  require(size >= 0 && size <= std::numeric_limits<int>::max(), "A column has ", size,
          " numbers or ids, more than ", std::numeric_limits<int>::max());
  return static_cast<int>(size);
}

SparseTensor with_rows(const SparseTensor& x, int row) {
  const Output examples = parts::item(sparse::shape(x), 0);
  return sparse::reshape(x, parts::list_of({examples, row}));
}

SparseTensor to_sparse_input(const Transformed& input, const OptionalInput& ignored) {
  if (std::holds_alternative<SparseTensor>(input)) return std::get<SparseTensor>(input);
  const Output x = dense(input);
  const DType dtype = base_type(x.dtype());
  const Block in("", "to_sparse_input", kHere);
  const Output ignore =
      cast(ignored ? *ignored : ignored_value(dtype), dtype, {.name = "ignore_value"});
  const Output indices = where(raw::NotEqual(x, ignore), {.name = "indices"});
  const Output values = raw::GatherNd(x, indices, {.name = "values"});
  const Output sizes = shape(x, {.out_type = DType::i64, .name = "dense_shape"});
  return {indices, values, sizes};
}

Output sequence_length(const SparseTensor& x, std::int64_t num_elements) {
  const Block in("", "sequence_length", kHere);
  const Output rows = slice(x.indices, {SliceRange{}, Input(0)});
  const Output steps = slice(x.indices, {SliceRange{}, Input(1)});
  const Output counts = steps + ones_like(steps);
  const Output longest = raw::SegmentMax(counts, rows);
  const Output lengths = cast(raw::Ceil(longest / Input(num_elements)), DType::i64);
  const Output examples = parts::range_of(sparse::shape(x), {}, 1);
  const Output seen = parts::range_of(shape(lengths), {}, 1);
  const Output padding = zeros(Input(examples - seen), {.dtype = DType::i64, .name = {}});
  return concat({lengths, padding}, 0, {.name = in.own_name()});
}

Output flat_steps(Output tensor, const SequenceDenseColumn& column) {
  const int count = as_int32(column.sequence_shape().element_count());
  const Output sizes = shape(tensor);
  const Output examples = parts::item(sizes, 0), longest = parts::item(sizes, 1);
  return raw::Reshape(tensor, parts::list_of({examples, longest, count}));
}

Output all_equal(const std::vector<Output>& tensors) {
  const Block in("", "assert_all_equal", kHere);
  if (tensors.size() == 1) return tensors[0];
  std::vector<Node*> checks;
  for (std::size_t i = 1; i < tensors.size(); ++i)
    checks.push_back(&assert_equal(tensors[0], tensors[i]));
  const ControlDependencies checked(checks);
  return raw::Identity(tensors[0]);
}

void verify_same_batch_size(const std::vector<Output>& tensors, const Columns& columns) {
  std::optional<std::size_t> first;
  const auto size = [&](std::size_t i) {
    const PartialShape shape = tensors[i].shape();
    return shape.rank() > 0 ? shape[0] : kUnknownDim;
  };
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (size(i) < 0) continue;
    if (!first) first = i;
    require(size(*first) == size(i),
            "Batch size (first dimension) of each feature must be same. Batch size of columns (",
            columns[*first]->name(), ", ", columns[i]->name(), "): (", size(*first), ", ", size(i),
            ")");
  }
}

}  // namespace rill::feature_column
