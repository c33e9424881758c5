// Categorical columns that are made of others.
#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/feature_column/column_kinds.h"
#include "rill/api/feature_column/column_text.h"
#include "rill/api/feature_column/parse_spec.h"
#include "rill/api/feature_column/sparse_parts.h"
#include "rill/api/math/reduce.h"
#include "rill/api/sparse/sparse_facts.h"

namespace rill::feature_column {

std::string WeightedCategoricalColumn::name() const {
  return categorical_column->name() + "_weighted_by_" + weight_feature_key;
}

rill::Features WeightedCategoricalColumn::parse_example_spec() const {
  rill::Features spec = categorical_column->parse_example_spec();
  const auto [other, is_new] = spec.emplace(weight_feature_key, VarLenFeature{dtype});
  require(is_new, "Parse config ", to_text(other->second), " already exists for ",
          weight_feature_key, ".");
  return spec;
}

Transformed WeightedCategoricalColumn::transform_feature(FeatureTransformationCache& cache,
                                                         StateManager& state) const {
  const Transformed given = cache.get(weight_feature_key, state);
  const Output* const as_tensor = std::get_if<Output>(&given);
  const DType type = as_tensor ? base_type(as_tensor->dtype()) : sparse(given).dtype();
  require(type == dtype, "Bad dtype, expected ", type_text(dtype), ", but got ", type_text(type),
          ".");
  SparseTensor weights = to_sparse_input(given, Input(0.0f));
  if (!kFloatTypes.contains(type)) weights = sparse::cast(weights, DType::f32);
  return IdWeightPair{sparse(cache.get(*categorical_column, state)), weights};
}

IdWeightPair WeightedCategoricalColumn::get_sparse_tensors(FeatureTransformationCache& cache,
                                                           StateManager& state) const {
  return std::get<IdWeightPair>(cache.get(*this, state));
}

std::string WeightedCategoricalColumn::make_text() const {
  return tuple_text("WeightedCategoricalColumn",
                    {{"categorical_column", categorical_column->text()},
                     {"weight_feature_key", quoted(weight_feature_key)},
                     {"dtype", type_text(dtype)}});
}

CategoricalRef CrossedKey::column() const {
  const auto* column = std::get_if<CategoricalRef>(&key_);
  return column ? *column : nullptr;
}

std::string CrossedKey::name() const { return key() ? *key() : column()->name(); }
std::string CrossedKey::text() const { return key() ? quoted(*key()) : column()->text(); }

std::vector<CrossedKey> CrossedColumn::leaf_keys() const {
  std::vector<CrossedKey> leaves;
  for (const CrossedKey& key : keys) {
    const CategoricalRef column = key.column();
    const auto* cross = dynamic_cast<const CrossedColumn*>(column.get());
    if (cross == nullptr) {
      leaves.push_back(key);
      continue;
    }
    for (const CrossedKey& leaf : cross->leaf_keys()) leaves.push_back(leaf);
  }
  return leaves;
}

std::string CrossedColumn::name() const {
  std::vector<std::string> names;
  for (const CrossedKey& key : leaf_keys()) names.push_back(key.name());
  std::sort(names.begin(), names.end());
  return join(names, "_X_");
}

rill::Features CrossedColumn::parse_example_spec() const {
  rill::Features spec;
  for (const CrossedKey& key : keys) {
    if (key.key()) {
      spec.insert_or_assign(*key.key(), VarLenFeature{DType::string});
      continue;
    }
    for (auto& [name, feature] : key.column()->parse_example_spec())
      spec.insert_or_assign(name, feature);
  }
  return spec;
}

Transformed CrossedColumn::transform_feature(FeatureTransformationCache& cache,
                                             StateManager& state) const {
  std::vector<sparse::CrossInput> inputs;
  for (const CrossedKey& key : leaf_keys()) {
    if (key.key()) {
      const Transformed raw = cache.get(*key.key(), state);
      if (const Output* tensor = std::get_if<Output>(&raw)) {
        inputs.emplace_back(*tensor);
      } else {
        inputs.emplace_back(feature_column::sparse(raw));
      }
      continue;
    }
    const IdWeightPair ids = key.column()->get_sparse_tensors(cache, state);
    require(!ids.weight_tensor,
            "crossed_column does not support weight_tensor, but the given column populates "
            "weight_tensor. Given column: ",
            key.name());
    inputs.emplace_back(ids.id_tensor);
  }
  return sparse::cross_hashed(
      inputs, {.num_buckets = hash_bucket_size, .hash_key = hash_key.value_or(0), .name = {}});
}

IdWeightPair CrossedColumn::get_sparse_tensors(FeatureTransformationCache& cache,
                                               StateManager& state) const {
  return {feature_column::sparse(cache.get(*this, state)), {}};
}

std::string CrossedColumn::make_text() const {
  std::vector<std::string> texts;
  for (const CrossedKey& key : keys) texts.push_back(key.text());
  return tuple_text("CrossedColumn", {{"keys", tuple_text(texts)},
                                      {"hash_bucket_size", std::to_string(hash_bucket_size)},
                                      {"hash_key", or_none(hash_key)}});
}

rill::Features SequenceCategoricalColumn::parse_example_spec() const {
  return categorical_column->parse_example_spec();
}

Transformed SequenceCategoricalColumn::transform_feature(FeatureTransformationCache& cache,
                                                         StateManager& state) const {
  return categorical_column->transform_feature(cache, state);
}

IdWeightPair SequenceCategoricalColumn::get_sparse_tensors(FeatureTransformationCache& cache,
                                                           StateManager& state) const {
  const IdWeightPair ids = categorical_column->get_sparse_tensors(cache, state);
  // Examples, steps, and all values of a step.
  const Output sizes = sparse::shape(ids.id_tensor);
  const Output examples = parts::item(sizes, 0), steps = parts::item(sizes, 1);
  const Output values = reduce_prod(parts::range_of(sizes, 2, {}));
  const auto in_steps = [&](const SparseTensor& x) {
    return sparse::reshape(x, parts::list_of({examples, steps, values}));
  };
  IdWeightPair result{in_steps(ids.id_tensor), {}};
  if (ids.weight_tensor) result.weight_tensor = in_steps(*ids.weight_tensor);
  return result;
}

std::string SequenceCategoricalColumn::make_text() const {
  return tuple_text("SequenceCategoricalColumn",
                    {{"categorical_column", categorical_column->text()}});
}

}  // namespace rill::feature_column
