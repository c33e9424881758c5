// Columns of numbers that are in the features themselves.
#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/feature_column/column_kinds.h"
#include "rill/api/feature_column/column_text.h"
#include "rill/api/feature_column/sparse_parts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/sequences.h"
#include "rill/api/sparse/sparse_ops.h"

namespace rill::feature_column {
namespace {

// How many ids a value of a bucketized column has.
int bucket_count(const BucketizedColumn& column) {
  return as_int32(static_cast<std::int64_t>(column.boundaries.size()) + 1);
}
// How many values an example has.
int value_count(const BucketizedColumn& column) {
  const NumericColumn& source = *column.source_column;
  require(source.shape.size() == 1,
          "source_column must be one-dimensional column. Given: ", source.text());
  return as_int32(source.shape[0]);
}
std::string normalizer_text(const Normalizer& normalizer) {
  return normalizer ? normalizer.text : "None";
}

}  // namespace

Normalizer Normalizer::of_tensor(std::function<Output(Output)> function) {
  Normalizer normalizer;
  normalizer.apply = [function = std::move(function)](const Transformed& x) {
    return Transformed(function(dense(x)));
  };
  normalizer.text = numbered_text("function");
  return normalizer;
}

rill::Features NumericColumn::parse_example_spec() const {
  FixedLenFeature feature{PartialShape(std::span(shape)), dtype, {}};
  if (default_value) feature.default_value = Input(*default_value);
  return {{key, feature}};
}

Transformed NumericColumn::transform_feature(FeatureTransformationCache& cache,
                                             StateManager& state) const {
  Transformed input = cache.get(key, state);
  require(std::holds_alternative<Output>(input),
          "The corresponding Tensor of numerical column must be a Tensor. SparseTensor is not "
          "supported. key: ",
          key);
  if (normalizer_fn) input = normalizer_fn.apply(input);
  return cast(dense(input), DType::f32);
}

PartialShape NumericColumn::variable_shape() const { return PartialShape(std::span(shape)); }

Output NumericColumn::get_dense_tensor(FeatureTransformationCache& cache,
                                       StateManager& state) const {
  return dense(cache.get(*this, state));
}

std::string NumericColumn::make_text() const {
  return tuple_text("NumericColumn", {{"key", quoted(key)},
                                      {"shape", tuple_text(shape)},
                                      {"default_value", or_none(default_value)},
                                      {"dtype", type_text(dtype)},
                                      {"normalizer_fn", normalizer_text(normalizer_fn)}});
}

rill::Features BucketizedColumn::parse_example_spec() const {
  return source_column->parse_example_spec();
}

Transformed BucketizedColumn::transform_feature(FeatureTransformationCache& cache,
                                                StateManager& state) const {
  return raw::Bucketize(dense(cache.get(*source_column, state)),
                        std::vector<float>(boundaries.begin(), boundaries.end()));
}

PartialShape BucketizedColumn::variable_shape() const {
  PartialShape shape = source_column->variable_shape();
  shape.add_dim(bucket_count(*this));
  return shape;
}

Output BucketizedColumn::get_dense_tensor(FeatureTransformationCache& cache,
                                          StateManager& state) const {
  const Output buckets = cast(dense(cache.get(*this, state)), DType::i64);
  return one_hot(buckets, bucket_count(*this), {.on_value = 1.0, .off_value = 0.0});
}

std::int64_t BucketizedColumn::num_buckets() const {
  return std::int64_t{bucket_count(*this)} * value_count(*this);
}

IdWeightPair BucketizedColumn::get_sparse_tensors(FeatureTransformationCache& cache,
                                                  StateManager& state) const {
  const Output buckets = dense(cache.get(*this, state));
  const Output examples = parts::item(shape(buckets), 0);
  const int values = value_count(*this);
  const Output all_examples = expand_dims(range(0, examples), 1);
  const Output rows =
      raw::Reshape(raw::Tile(all_examples, parts::ints({1, values})), parts::ints({-1}));
  const Output columns = raw::Tile(range(0, values), parts::list_of({examples}));
  const Output flat = raw::Reshape(buckets, parts::ints({-1}));
  const Output ids = flat + Input(bucket_count(*this)) * columns;
  const Output indices = cast(transpose(stack({rows, columns})), DType::i64);
  const Output sizes = cast(stack({examples, values}), DType::i64);
  return {SparseTensor(indices, ids, sizes), {}};
}

std::string BucketizedColumn::make_text() const {
  std::vector<std::string> texts;
  for (const double boundary : boundaries) texts.push_back(number_text(boundary));
  return tuple_text("BucketizedColumn",
                    {{"source_column", source_column->text()}, {"boundaries", tuple_text(texts)}});
}

rill::Features SequenceNumericColumn::parse_example_spec() const {
  return {{key, VarLenFeature{dtype}}};
}

Transformed SequenceNumericColumn::transform_feature(FeatureTransformationCache& cache,
                                                     StateManager& state) const {
  const Transformed input = cache.get(key, state);
  return normalizer_fn ? normalizer_fn.apply(input) : input;
}

PartialShape SequenceNumericColumn::sequence_shape() const {
  return PartialShape(std::span(shape));
}

TensorSequenceLengthPair SequenceNumericColumn::get_sequence_dense_tensor(
    FeatureTransformationCache& cache, StateManager& state) const {
  const SparseTensor x = sparse(cache.get(*this, state));
  const Output values = sparse::to_dense(x, {.default_value = default_value});
  const Output examples = parts::range_of(rill::shape(values), {}, 1);
  const Output sizes =
      concat({examples, parts::ints({-1}), parts::ints({shape.begin(), shape.end()})}, 0);
  const Output steps = raw::Reshape(values, sizes);
  const bool in_one_row = x.shape().rank() == 2;
  const std::int64_t elements = in_one_row ? sequence_shape().element_count() : 1;
  return {steps, sequence_length(x, elements)};
}

std::string SequenceNumericColumn::make_text() const {
  return tuple_text("SequenceNumericColumn", {{"key", quoted(key)},
                                              {"shape", tuple_text(shape)},
                                              {"default_value", number_text(default_value)},
                                              {"dtype", type_text(dtype)},
                                              {"normalizer_fn", normalizer_text(normalizer_fn)}});
}

}  // namespace rill::feature_column
