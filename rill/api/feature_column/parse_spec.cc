#include "rill/api/feature_column/parse_spec.h"

#include "rill/api/core/texts.h"
#include "rill/api/feature_column/column_kinds.h"
#include "rill/api/feature_column/column_text.h"

namespace rill::feature_column {
namespace {

std::string shape_tuple(const PartialShape& shape) {
  if (!shape.has_rank()) return "None";
  return tuple_text(std::vector<std::int64_t>(shape.dims().begin(), shape.dims().end()));
}

std::string default_text(const OptionalInput& value, DType dtype) {
  if (!value || !value->is_value()) return value ? "<tensor>" : "None";
  return nested_text(value->value(dtype));
}

struct FeatureText {
  std::string operator()(const FixedLenFeature& f) const {
    return tuple_text("FixedLenFeature",
                      {{"shape", shape_tuple(f.shape)},
                       {"dtype", type_text(f.dtype)},
                       {"default_value", default_text(f.default_value, f.dtype)}});
  }
  std::string operator()(const VarLenFeature& f) const {
    return tuple_text("VarLenFeature", {{"dtype", type_text(f.dtype)}});
  }
  std::string operator()(const SparseFeature& f) const {
    std::vector<std::string> keys;
    for (const std::string& key : f.index_keys) keys.push_back(quoted(key));
    return tuple_text("SparseFeature", {{"index_key", tuple_text(keys)},
                                        {"value_key", quoted(f.value_key)},
                                        {"dtype", type_text(f.dtype)},
                                        {"size", tuple_text(f.sizes)},
                                        {"already_sorted", truth_text(f.already_sorted)}});
  }
  std::string operator()(const FixedLenSequenceFeature& f) const {
    return tuple_text("FixedLenSequenceFeature",
                      {{"shape", shape_tuple(f.shape)},
                       {"dtype", type_text(f.dtype)},
                       {"allow_missing", truth_text(f.allow_missing)},
                       {"default_value", default_text(f.default_value, f.dtype)}});
  }
};

}  // namespace

std::string to_text(const Feature& feature) { return std::visit(FeatureText(), feature); }

bool same(const Feature& a, const Feature& b) { return to_text(a) == to_text(b); }

rill::Features make_parse_example_spec(const Columns& feature_columns) {
  rill::Features result;
  for (const ColumnRef& column : feature_columns) {
    require(column != nullptr, "All feature_columns must be _FeatureColumn instances. Given: None");
    for (auto& [key, feature] : column->parse_example_spec()) {
      const auto [other, is_new] = result.emplace(key, feature);
      require(is_new || same(other->second, feature),
              "feature_columns contain different parse_spec for key ", key, ". Given ",
              to_text(feature), " and ", to_text(other->second));
    }
  }
  return result;
}

}  // namespace rill::feature_column

namespace rill::estimator {
namespace {

using feature_column::NumericColumn;

void add_feature(rill::Features& spec, const std::string& key, Feature feature, const char* what,
                 const char* argument) {
  require(spec.emplace(key, std::move(feature)).second, what, " should not be used as feature. ",
          argument, ": ", key);
}

void add_weights(rill::Features& spec, const WeightColumn& column) {
  if (std::holds_alternative<std::monostate>(column)) return;
  if (const auto* key = std::get_if<std::string>(&column)) {
    add_feature(spec, *key, FixedLenFeature{{1}, DType::f32, {}}, "weight_column", "weight_column");
    return;
  }
  const auto& given = std::get<feature_column::ColumnRef>(column);
  const auto* numbers = dynamic_cast<const NumericColumn*>(given.get());
  require(numbers != nullptr,
          "weight_column should be an instance of tf.feature_column.numeric_column. Given: ",
          given ? given->text() : "None");
  for (auto& [key, feature] : numbers->parse_example_spec())
    add_feature(spec, key, feature, "weight_column", "weight_column");
}

rill::Features labelled(const feature_column::Columns& columns, const std::string& label_key,
                        FixedLenFeature label, const std::optional<Tensor>& label_default,
                        const WeightColumn& weights) {
  rill::Features spec = feature_column::make_parse_example_spec(columns);
  if (label_default) label.default_value = Input(*label_default);
  add_feature(spec, label_key, std::move(label), "label", "label_key");
  add_weights(spec, weights);
  return spec;
}

}  // namespace

rill::Features classifier_parse_example_spec(const feature_column::Columns& feature_columns,
                                             const std::string& label_key,
                                             const ClassifierSpecOptions& options) {
  return labelled(feature_columns, label_key, {{1}, options.label_dtype, {}}, options.label_default,
                  options.weight_column);
}

rill::Features regressor_parse_example_spec(const feature_column::Columns& feature_columns,
                                            const std::string& label_key,
                                            const RegressorSpecOptions& options) {
  return labelled(feature_columns, label_key, {{options.label_dimension}, options.label_dtype, {}},
                  options.label_default, options.weight_column);
}

}  // namespace rill::estimator
