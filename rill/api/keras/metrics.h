#pragma once

#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/keras/losses.h"
#include "rill/api/variables/variable.h"

namespace rill {
class Session;
}

namespace rill::keras {

namespace metrics {

// Of each example, 1 or 0. "sparse" ones take the number of the class as truth, others one-hot
// rows.
Output accuracy(Output y_true, Output y_pred);  // equal values
Output binary_accuracy(Output y_true, Output y_pred, double threshold = 0.5);
Output categorical_accuracy(Output y_true, Output y_pred);
Output sparse_categorical_accuracy(Output y_true, Output y_pred);
Output top_k_categorical_accuracy(Output y_true, Output y_pred, std::int64_t k = 5);
Output sparse_top_k_categorical_accuracy(Output y_true, Output y_pred, std::int64_t k = 5);

// Each metric reads what concerns it. For Precision and its like `thresholds` is empty for 0.5.
struct MetricOptions {
  std::string name = {};          // empty: after the class
  DType dtype = DType::invalid;   // floatx()
  double threshold = 0.5;         // BinaryAccuracy
  std::int64_t k = 5;             // top-k accuracies
  losses::LossOptions loss = {};  // those that are means of losses
  std::vector<double> thresholds = {};
  std::int64_t num_thresholds = 200;
  std::string curve = "ROC";                              // AUC: or "PR"
  std::string summation_method = "interpolation";         // AUC: "minoring", "majoring"
  std::optional<std::int64_t> top_k = {}, class_id = {};  // Precision, Recall
  double value = 0.5;             // the specificity or sensitivity to be reached
  std::int64_t num_classes = 0;   // MeanIoU
  OptionalInput normalizer = {};  // MeanRelativeError
};

}  // namespace metrics

// A number that is gathered over many batches, in variables of its own.
//
//   auto auc = metrics::make("AUC");
//   Output now = (*auc)({labels, scores});   // run once for each batch
//   auc->reset_states(session);              // a new epoch
//
// The variables are in no collection; sessions of models initialise them, others must
// (variables()). Belongs to the graph in which it was made.
class Metric {
 public:
  Metric(std::string default_name, const metrics::MetricOptions& options);
  virtual ~Metric() = default;
  Metric(const Metric&) = delete;
  Metric& operator=(const Metric&) = delete;

  const std::string& name() const { return name_; }
  DType dtype() const { return dtype_; }
  const std::vector<Variable>& variables() const { return variables_; }
  // What the variables are called within the metric, in their order: "true_positives".
  const std::vector<std::string>& variable_names() const { return variable_names_; }
  // Those that a prediction must exceed to count as positive; none where nothing is counted so. AUC
  // and its like have one below all predictions and one above them.
  virtual std::vector<double> thresholds() const { return {}; }

  // Makes the operation that takes one batch into account: `values` are the truth and a prediction,
  // or plain values (Mean, Sum, MeanTensor). Weights are broadcast as in weighted_loss; none: 1.
  // Throws InvalidArgument for another number of values.
  virtual Node& update_state(const std::vector<Output>& values,
                             const std::optional<Output>& sample_weight) = 0;
  virtual Output result() = 0;  // of all batches so far
  // Updates, then gives the result.
  Output operator()(const std::vector<Output>& values,
                    const std::optional<Output>& sample_weight = {},
                    std::source_location at = std::source_location::current());
  void reset_states(Session& session) const;  // back to the initial values

  // Of which class make() has made it, and how; empty where a program has made it itself.
  std::string class_name = {};
  metrics::MetricOptions made_with = {};

 protected:
  Variable add_weight(const std::string& name, const Shape& shape = {});

 private:
  std::string name_;
  DType dtype_;
  std::vector<Variable> variables_;
  std::vector<std::string> variable_names_;
};
using MetricRef = std::shared_ptr<Metric>;

namespace metrics {

// The metric of a class by its name ("Mean", "AUC", "MeanSquaredError"). Throws InvalidArgument
// when there is none.
MetricRef make(const std::string& class_name, const MetricOptions& options = {});
// The mean of what a function says of each example.
MetricRef mean_of(LossFunction function, const MetricOptions& options);
// What "acc", "mse" and the like mean for an output of a model and its loss: "accuracy" becomes the
// binary, categorical or sparse one, by the loss and by the size of the prediction.
MetricRef for_output(const std::string& name, Output y_pred, const PartialShape& target,
                     const std::string& loss_name);

}  // namespace metrics

// Variables that belong to no collection, such as those of metrics: sessions of models initialise
// them, too.
void track(const Variable& variable);
std::vector<Variable> tracked_variables();  // of the default graph

}  // namespace rill::keras
