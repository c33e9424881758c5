#pragma once

#include "rill/api/feature_column/feature_column.h"

namespace rill::feature_column {

// What io::parse_example needs to read the raw features of the columns. Throws InvalidArgument
// where two columns read the same feature differently, or one is null.
//
//   auto features = io::parse_example(serialized, make_parse_example_spec(columns));
rill::Features make_parse_example_spec(const Columns& feature_columns);

// "FixedLenFeature(shape=(1,), dtype=tf.float32, default_value=None)".
std::string to_text(const Feature& feature);
bool same(const Feature& a, const Feature& b);

}  // namespace rill::feature_column

namespace rill::estimator {

// The weights of examples: a raw feature, or a numeric column.
using WeightColumn = std::variant<std::monostate, std::string, feature_column::ColumnRef>;

struct ClassifierSpecOptions {
  DType label_dtype = DType::i64;
  std::optional<Tensor> label_default = {};
  WeightColumn weight_column = {};
};
// The same with a label of a class, and the weight's feature. Throws InvalidArgument where label or
// weight are features of columns, too, and for a weight column that is not numeric.
rill::Features classifier_parse_example_spec(const feature_column::Columns& feature_columns,
                                             const std::string& label_key,
                                             const ClassifierSpecOptions& options = {});

struct RegressorSpecOptions {
  DType label_dtype = DType::f32;
  std::optional<Tensor> label_default = {};
  std::int64_t label_dimension = 1;
  WeightColumn weight_column = {};
};
rill::Features regressor_parse_example_spec(const feature_column::Columns& feature_columns,
                                            const std::string& label_key,
                                            const RegressorSpecOptions& options = {});

}  // namespace rill::estimator
