#pragma once

#include "rill/api/feature_column/input_layer.h"
#include "rill/api/layers/layer.h"

namespace rill::feature_column {

// What layers of columns are made of, for faces of other languages. Columns are sorted.
// create_states() makes the variables of the columns, in the variable scope of the layer.
void create_states(const Columns& columns, StateManager& state, const std::string& layer_name,
                   std::source_location at = std::source_location::current());
Output dense_features(FeatureTransformationCache& cache, const Columns& columns,
                      StateManager& state, PerColumn<Output>* cols_to_output_tensors = nullptr);
TensorSequenceLengthPair sequence_features(FeatureTransformationCache& cache,
                                           const Columns& columns, StateManager& state);
// Throw InvalidArgument where a column is of another kind.
void require_dense(const Columns& columns);
void require_sequences(const Columns& columns);

// Dense columns of a batch side by side, with variables that are made once, by the first call.
//
//   tf::keras::layers::DenseFeatures features({age, tf::feature_column::indicator_column(city)});
//   auto x = features({{"age", ages}, {"city", cities}});
//
// Constructors throw InvalidArgument for columns of another kind and for shared embeddings, which
// only input_layer has; calls where a feature is missing or does not fit.
class FeaturesLayer : public layers::Layer {
 public:
  const Columns& feature_columns() const { return columns_; }

 protected:
  FeaturesLayer(const char* class_name, const Columns& feature_columns,
                layers::LayerOptions options);
  virtual void create_variables(std::source_location at);  // once, before the first call
  // What `call` makes of the features, as one call of the layer.
  std::vector<Output> called(
      const Features& features, std::source_location at,
      const std::function<std::vector<Output>(FeatureTransformationCache&)>& call);

  Columns columns_;
  std::unique_ptr<StateManager> state_;
};

// [examples, numbers of all columns in the order of their names].
class DenseFeatures : public FeaturesLayer {
 public:
  explicit DenseFeatures(const Columns& feature_columns, layers::LayerOptions options = {});
  Output operator()(const Features& features,
                    std::source_location at = std::source_location::current());
};

// The same for sequences: [examples, steps, numbers], and lengths. The step fails where columns
// disagree about the lengths.
class SequenceFeatures : public FeaturesLayer {
 public:
  explicit SequenceFeatures(const Columns& feature_columns, layers::LayerOptions options = {});
  TensorSequenceLengthPair operator()(const Features& features,
                                      std::source_location at = std::source_location::current());
};

struct LinearLayerOptions {
  std::int64_t units = 1;
  std::string sparse_combiner = "sum";
  bool trainable = true;
  std::string name = {};
};
// linear_model as a layer that keeps its variables.
class LinearModel : public FeaturesLayer {
 public:
  explicit LinearModel(const Columns& feature_columns, const LinearLayerOptions& options = {});
  Output operator()(const Features& features,
                    std::source_location at = std::source_location::current());
  const layers::Weight& bias() const { return bias_; }  // none before the first call

 protected:
  void create_variables(std::source_location at) override;

 private:
  std::int64_t units_;
  std::string sparse_combiner_;
  layers::Weight bias_;
};

}  // namespace rill::feature_column
