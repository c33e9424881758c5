#include "rill/api/estimator/heads/single_head.h"

#include "rill/api/array/shapes.h"
#include "rill/api/core/collections.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/summary/summary.h"

namespace rill::estimator {
namespace {

constexpr Generation kFirst = Generation::kFirst;

// The operations of the graph that go with every step, such as those of batch normalisation.
std::vector<Runnable> collected_updates() {
  std::vector<Runnable> ops;
  for (const CollectionItem& item : get_collection(GraphKeys::UPDATE_OPS)) {
    if (const auto* node = std::get_if<Node*>(&item)) ops.emplace_back(**node);
    if (const auto* tensor = std::get_if<Output>(&item)) ops.emplace_back(*tensor);
  }
  return ops;
}

// A model of one objective, as tf.contrib.estimator and the premade estimators make it.
class SingleHead : public Head {
 public:
  explicit SingleHead(ObjectiveRef objective) : objective_(std::move(objective)) {}

  std::string name() const override { return objective_->name; }
  std::int64_t logits_dimension() const override { return objective_->logits_dimension(); }
  losses::Reduction loss_reduction() const override { return objective_->loss_reduction; }

  LossSpec create_loss(const Features& features, Mode, const Logits& logits,
                       const Features& given) const override {
    const Output labels = objective_->labels(kFirst, logits.tensor, given);
    const Output unreduced = objective_->unreduced_loss(labels, logits.tensor, features);
    const Input weights = checked_weights(features, objective_->weight_column, logits.tensor,
                                          objective_->per_logit_weights());
    const Output loss = losses::compute_weighted_loss(
        unreduced, {.weights = weights, .reduction = objective_->loss_reduction});
    return {loss, unreduced, weights, labels};
  }

  EstimatorSpec create_estimator_spec(const HeadCall& call, std::source_location at) const override;

 private:
  // What is summed up over examples is shown as their mean, too.
  Output mean_loss(const LossSpec& loss, std::source_location at) const {
    if (objective_->loss_reduction != losses::Reduction::SUM) return {};
    const Output ones = ones_like(loss.unreduced_loss);
    const Output total = reduce_sum(operators::mul(loss.weights, ones, at));
    return operators::truediv(loss.training_loss, total, at);
  }

  void summarize(const char* key, Output value) const {
    if (value.node != nullptr) summaries::scalar(objective_->key(key), value);
  }

  ObjectiveRef objective_;
};

EstimatorSpec SingleHead::create_estimator_spec(const HeadCall& call,
                                                std::source_location at) const {
  const MadeAt place(at);
  EstimatorSpec spec{.mode = call.mode};
  Output logits, regularization, mean;
  std::optional<LossSpec> loss;
  {
    const Block in(objective_->name, "head", at);
    const auto keys = objective_->prediction_keys(kFirst);
    const Predicted predicted = objective_->predictions(
        kFirst, call.logits.tensor, std::set<std::string>(keys.begin(), keys.end()));
    logits = predicted.logits;
    spec.predictions = predicted.values;
    if (call.mode == Mode::kPredict) {
      spec.export_outputs = objective_->export_outputs(kFirst, spec.predictions);
      return spec;
    }
    loss = create_loss(call.features, call.mode, logits, call.labels);
    regularization = sum_of(call.regularization_losses);
    spec.loss = regularization.node == nullptr ? loss->training_loss
                                               : add_n({loss->training_loss, regularization});
    if (call.mode == Mode::kTrain) {
      spec.train_op = training_op(call, spec.loss);
      const std::vector<Runnable> updates = collected_updates();
      if (!updates.empty()) spec.train_op = with_update_ops(spec.train_op, updates);
      mean = mean_loss(*loss, at);
    }
  }
  if (call.mode == Mode::kEval) {
    const Measured measured{lone_label(kFirst, call.labels),
                            loss->processed_labels,
                            logits,
                            spec.predictions,
                            loss->unreduced_loss,
                            loss->weights};
    spec.eval_metric_ops = objective_->eval_metrics(measured, regularization);
    return spec;
  }
  const NameScope top("");
  summarize(metric_keys::LOSS, spec.loss);
  summarize(metric_keys::LOSS_MEAN, mean);
  summarize(metric_keys::LOSS_REGULARIZATION, regularization);
  return spec;
}

}  // namespace

HeadRef single_head(ObjectiveRef objective) {
  return std::make_shared<SingleHead>(std::move(objective));
}

}  // namespace rill::estimator
