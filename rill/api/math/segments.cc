#include "rill/api/math/segments.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"

namespace rill {
namespace {

using namespace math_parts;

Output sparse_segment(std::string_view op, const Input& data, const Input& indices,
                      const Input& segment_ids, const SparseSegmentOptions& options,
                      std::source_location at) {
  Scope scope = here(at);
  if (!options.num_segments)
    return scope.add(op, {data, indices, segment_ids}, {}, options.name).output();
  return scope
      .add(str_cat(op, "WithNumSegments"), {data, indices, segment_ids, *options.num_segments}, {},
           options.name)
      .output();
}

// How many rows each segment has, at least 1, in a shape that broadcasts to the sums.
Output row_counts(Output data, Output ids, const Input& num_segments) {
  const Output count = as_tensor(num_segments);
  const Output units = ones(parts::inner_shape(ids), {.dtype = type_of(data)});
  const Output rows = raw::UnsortedSegmentSum(units, ids, count);
  const Output first = slice(count, {NewAxis{}});
  const Output data_rank = rank(data);
  const Output more = operators::sub(data_rank, rank(ids), {});
  const Output others = ones(parts::list_of({more}), {.dtype = type_of(count)});
  const Output shape = raw::ConcatV2({first, others}, 0, {.name = "concat"});
  return raw::Maximum(raw::Reshape(rows, shape), 1);
}

using Divisor = Output (*)(Output counts);

Output divided_sums(const char* block, Divisor divisor, const Input& data, const Input& segment_ids,
                    const Input& num_segments, const std::string& name, std::source_location at) {
  const Block in(name, block, at);
  const Output rows = as_tensor(data);
  const Output ids = as_tensor(segment_ids);
  const Output counts = row_counts(rows, ids, num_segments);
  const Output sums = raw::UnsortedSegmentSum(rows, ids, num_segments);
  return operators::truediv(sums, divisor(counts), at);
}

}  // namespace

Output sparse_segment_sum(const Input& data, const Input& indices, const Input& segment_ids,
                          const SparseSegmentOptions& options, std::source_location at) {
  return sparse_segment("SparseSegmentSum", data, indices, segment_ids, options, at);
}

Output sparse_segment_mean(const Input& data, const Input& indices, const Input& segment_ids,
                           const SparseSegmentOptions& options, std::source_location at) {
  return sparse_segment("SparseSegmentMean", data, indices, segment_ids, options, at);
}

Output sparse_segment_sqrt_n(const Input& data, const Input& indices, const Input& segment_ids,
                             const SparseSegmentOptions& options, std::source_location at) {
  return sparse_segment("SparseSegmentSqrtN", data, indices, segment_ids, options, at);
}

Output unsorted_segment_mean(const Input& data, const Input& segment_ids, const Input& num_segments,
                             const MathOptions& options, std::source_location at) {
  const Divisor as_it_is = [](Output counts) { return counts; };
  return divided_sums("UnsortedSegmentMean", as_it_is, data, segment_ids, num_segments,
                      options.name, at);
}

Output unsorted_segment_sqrt_n(const Input& data, const Input& segment_ids,
                               const Input& num_segments, const MathOptions& options,
                               std::source_location at) {
  const Divisor root = [](Output counts) { return raw::Sqrt(counts); };
  return divided_sums("UnsortedSegmentSqrtN", root, data, segment_ids, num_segments, options.name,
                      at);
}

Output bincount(const Input& input, const BincountOptions& options, std::source_location at) {
  const Block in("", "bincount", at);
  const Output numbers = as_tensor(input, "arr", DType::i32);
  std::optional<Output> weights;
  if (options.weights) weights = as_tensor(*options.weights, "weights");
  const Output is_there = cast(raw::Greater(rill::size(numbers), 0), DType::i32);
  const Output most = operators::add(reduce_max(numbers), 1, at);
  Output size = operators::mul(is_there, most, at);
  if (options.minlength)
    size = raw::Maximum(as_tensor(*options.minlength, "minlength", DType::i32), size);
  if (options.maxlength)
    size = raw::Minimum(as_tensor(*options.maxlength, "maxlength", DType::i32), size);
  const Input flat(int_vector({-1}));
  if (weights) weights = raw::Reshape(*weights, flat);
  const Output row = raw::Reshape(numbers, flat);
  if (!weights) weights = as_tensor(Input(Tensor(options.dtype, {0})));
  return raw::Bincount(row, size, *weights);
}

}  // namespace rill
