#include "rill/api/gen/parsing.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/parsing/raw_features.h"

namespace rill::io {
namespace {

std::vector<Input> as_inputs(const std::vector<std::string>& keys) {
  return {keys.begin(), keys.end()};
}

Tensor texts(const std::vector<std::string>& items) {
  Tensor result(DType::string, Shape{static_cast<std::int64_t>(items.size())});
  for (std::size_t i = 0; i < items.size(); ++i) result.data<std::string>()[i] = items[i];
  return result;
}

}  // namespace

ParsedFeatures parse_example(const Input& serialized, const Features& features,
                             const ParseExampleOptions& options, std::source_location at) {
  require(!features.empty(), "Missing: features was {}.");
  const RawFeatures raw = raw_features(features);
  const Block in(options.name, "ParseExample", at);
  const std::vector<Input> defaults = raw.dense_defaults();
  const auto made = raw::ParseExample(serialized, options.example_names.value_or(texts({})),
                                      as_inputs(raw.sparse_keys()), as_inputs(raw.dense_keys()),
                                      defaults, raw.sparse_types(), raw.dense_shapes());
  return raw.named(made.sparse_indices, made.sparse_values, made.sparse_shapes, made.dense_values,
                   features);
}

ParsedFeatures parse_single_example(const Input& serialized, const Features& features,
                                    const ParseExampleOptions& options, std::source_location at) {
  require(!features.empty(), "Missing features.");
  const RawFeatures raw = raw_features(features);
  const Block in(options.name, "ParseSingleExample", at);
  const Output example = as_tensor(serialized, "serialized", DType::string);
  require(example.shape().rank() <= 0, "Input serialized must be a scalar");
  const std::vector<Input> defaults = raw.dense_defaults();
  const auto made = raw::ParseSingleExample(
      example, defaults, static_cast<std::int64_t>(raw.sparse.size()), raw.sparse_keys(),
      raw.dense_keys(), raw.sparse_types(), raw.dense_shapes());
  return raw.named(made.sparse_indices, made.sparse_values, made.sparse_shapes, made.dense_values,
                   features);
}

namespace {

std::vector<std::string> missing_assumed_empty(const RawFeatures& lists) {
  std::vector<std::string> keys;
  for (const RawFeatures::Dense& list : lists.dense)
    if (list.may_be_missing) keys.push_back(list.key);
  return keys;
}

template <class T>
std::int64_t count(const std::vector<T>& items) {
  return static_cast<std::int64_t>(items.size());
}

}  // namespace

std::pair<ParsedFeatures, ParsedFeatures> parse_single_sequence_example(
    const Input& serialized, const ParseSequenceExampleOptions& options, std::source_location at) {
  require(!options.context_features.empty() || !options.sequence_features.empty(),
          "Missing features.");
  const RawFeatures context = raw_features(options.context_features);
  const RawFeatures lists = raw_features(options.sequence_features, true);
  const Block in(options.name, "ParseSingleSequenceExample", at);
  const std::vector<Input> defaults = context.dense_defaults();
  const auto made = raw::ParseSingleSequenceExample(
      serialized, texts(missing_assumed_empty(lists)), as_inputs(context.sparse_keys()),
      as_inputs(context.dense_keys()), as_inputs(lists.sparse_keys()),
      as_inputs(lists.dense_keys()), defaults, options.example_name.value_or(""),
      {.context_sparse_types = context.sparse_types(),
       .feature_list_dense_types = lists.dense_types(),
       .context_dense_shapes = context.dense_shapes(),
       .feature_list_sparse_types = lists.sparse_types(),
       .feature_list_dense_shapes = lists.dense_shapes()});
  ParsedFeatures first = context.named(made.context_sparse_indices, made.context_sparse_values,
                                       made.context_sparse_shapes, made.context_dense_values,
                                       options.context_features);
  ParsedFeatures second = lists.named(
      made.feature_list_sparse_indices, made.feature_list_sparse_values,
      made.feature_list_sparse_shapes, made.feature_list_dense_values, options.sequence_features);
  return {std::move(first), std::move(second)};
}

ParsedSequences parse_sequence_example(const Input& serialized,
                                       const ParseSequenceExampleOptions& options,
                                       std::source_location at) {
  require(!options.context_features.empty() || !options.sequence_features.empty(),
          "Missing features.");
  const RawFeatures context = raw_features(options.context_features);
  const RawFeatures lists = raw_features(options.sequence_features, true);
  const Block in(options.name, "ParseSequenceExample", at);
  const std::vector<Input> defaults = context.dense_defaults();
  const auto made = raw::ParseSequenceExample(
      serialized, options.example_name.value_or(texts({})), defaults, missing_assumed_empty(lists),
      context.sparse_keys(), context.dense_keys(), lists.sparse_keys(), lists.dense_keys(),
      {.Ncontext_sparse = count(context.sparse),
       .Ncontext_dense = count(context.dense),
       .Nfeature_list_sparse = count(lists.sparse),
       .Nfeature_list_dense = count(lists.dense),
       .context_sparse_types = context.sparse_types(),
       .feature_list_dense_types = lists.dense_types(),
       .context_dense_shapes = context.dense_shapes(),
       .feature_list_sparse_types = lists.sparse_types(),
       .feature_list_dense_shapes = lists.dense_shapes()});
  ParsedSequences parsed;
  parsed.context = context.named(made.context_sparse_indices, made.context_sparse_values,
                                 made.context_sparse_shapes, made.context_dense_values,
                                 options.context_features);
  parsed.sequences = lists.named(made.feature_list_sparse_indices, made.feature_list_sparse_values,
                                 made.feature_list_sparse_shapes, made.feature_list_dense_values,
                                 options.sequence_features);
  for (std::size_t i = 0; i < lists.dense.size(); ++i)
    parsed.lengths.emplace(lists.dense[i].key, made.feature_list_dense_lengths[i]);
  return parsed;
}

}  // namespace rill::io
