#include "rill/api/estimator/heads/gathering_head.h"

#include "rill/api/estimator/heads/gathering.h"
#include "rill/api/math/operators.h"
#include "rill/api/summary/summary.h"

namespace rill::estimator {
namespace {

constexpr Generation kSecond = Generation::kSecond;

std::set<std::string> wanted(const std::vector<std::string>& keys,
                             const std::vector<std::string>& valid) {
  if (keys.empty()) return {valid.begin(), valid.end()};
  const std::set<std::string> known(valid.begin(), valid.end());
  for (const std::string& key : keys)
    require(known.contains(key), "Prediction key must be in PredictionKeys, given: ", key,
            ".Valid prediction keys include [", join(valid, ", "), "].");
  return {keys.begin(), keys.end()};
}

// A model of one objective, as tf.estimator's heads make it.
class GatheringHead : public Head, public HeadParts {
 public:
  explicit GatheringHead(ObjectiveRef objective) : objective_(std::move(objective)) {}

  std::string name() const override { return objective_->name; }
  std::int64_t logits_dimension() const override { return objective_->logits_dimension(); }
  losses::Reduction loss_reduction() const override { return objective_->loss_reduction; }

  LossSpec create_loss(const Features& features, Mode, const Logits& logits,
                       const Features& given) const override {
    const Block in({}, "losses", std::source_location::current());
    const Output checked = checked_logits(kSecond, logits.tensor, logits_dimension());
    const Output labels = objective_->labels(kSecond, checked, given);
    const Output unreduced = objective_->unreduced_loss(labels, checked, features);
    const Input weights = checked_weights(features, objective_->weight_column, checked,
                                          objective_->per_logit_weights());
    const std::optional<Output> by_weight =
        weights.is_output() ? std::optional(weights.output()) : std::nullopt;
    const auto reduction = objective_->loss_reduction == losses::Reduction::SUM
                               ? keras::Reduction::kSum
                               : keras::Reduction::kSumOverBatchSize;
    return {keras::weighted_loss(unreduced, by_weight, reduction), unreduced, weights, labels};
  }

  Output loss(const Features& labels, const Logits& logits, const Features& features,
              const std::vector<Output>& regularization_losses) const override {
    return regularized(create_loss(features, Mode::kTrain, logits, labels).training_loss,
                       regularization_losses);
  }

  PredictionMap predictions(const Logits& logits,
                            const std::vector<std::string>& keys) const override {
    const auto valid = objective_->prediction_keys(kSecond);
    return objective_->predictions(kSecond, logits.tensor, wanted(keys, valid)).values;
  }

  std::vector<GatheredMetric> metrics(bool regularized) const override {
    return objective_->gathered(regularized);
  }

  std::vector<MetricUpdate> metric_updates(
      const Features& features, const Logits& logits, const Features& labels,
      const std::vector<Output>& regularization_losses) const override {
    const Predicted predicted =
        objective_->predictions(kSecond, logits.tensor, objective_->measured_predictions());
    const Output processed = objective_->labels(kSecond, predicted.logits, labels);
    const Output unreduced = objective_->unreduced_loss(processed, predicted.logits, features);
    const Input weights = checked_weights(features, objective_->weight_column, predicted.logits,
                                          objective_->per_logit_weights());
    const Measured measured{lone_label(kSecond, labels),
                            processed,
                            predicted.logits,
                            predicted.values,
                            unreduced,
                            weights};
    return objective_->updates(measured, sum_of(regularization_losses));
  }

  EstimatorSpec create_estimator_spec(const HeadCall& call, std::source_location at) const override;

 private:
  ObjectiveRef objective_;
};

EstimatorSpec GatheringHead::create_estimator_spec(const HeadCall& call,
                                                   std::source_location at) const {
  const MadeAt place(at);
  EstimatorSpec spec{.mode = call.mode};
  {
    const Block in(objective_->name, "head", at);
    spec.predictions = predictions(call.logits, {});
    if (call.mode == Mode::kPredict) {
      spec.export_outputs = objective_->export_outputs(kSecond, spec.predictions);
      return spec;
    }
    spec.loss = loss(call.labels, call.logits, call.features, call.regularization_losses);
    if (call.mode == Mode::kTrain) spec.train_op = trained(call, spec.loss);
  }
  if (call.mode == Mode::kEval) {
    spec.eval_metric_ops = gathered_metrics(*this, *this, call);
    return spec;
  }
  summarize_loss(spec.loss, call.regularization_losses,
                 [&](const char* key) { return objective_->key(key); });
  return spec;
}

}  // namespace

HeadRef gathering_head(ObjectiveRef objective) {
  return std::make_shared<GatheringHead>(std::move(objective));
}

Output regularized(Output loss, const std::vector<Output>& regularization_losses) {
  const Output sum = sum_of(regularization_losses);
  if (sum.node == nullptr) return loss;
  return operators::add(loss, sum, std::source_location::current());
}

Runnable trained(const HeadCall& call, Output loss) {
  const NameScope top("");
  const NameScope training("training");
  const Runnable train_op = training_op(call, loss);
  return call.update_ops ? with_update_ops(train_op, *call.update_ops) : train_op;
}

Metrics gathered_metrics(const Head& head, const HeadParts& parts, const HeadCall& call) {
  const bool is_regularized = !call.regularization_losses.empty();
  const auto updates =
      parts.metric_updates(call.features, call.logits, call.labels, call.regularization_losses);
  const auto key = [&](const std::string& metric) {
    return head.name().empty() ? metric : metric + "/" + head.name();
  };
  return gather(parts.metrics(is_regularized), updates, key(metric_keys::ACCURACY_BASELINE),
                key(metric_keys::LABEL_MEAN));
}

void summarize_loss(Output loss, const std::vector<Output>& regularization_losses,
                    const std::function<std::string(const char*)>& key) {
  const NameScope top("");
  summaries::scalar(key(metric_keys::LOSS), loss);
  if (!regularization_losses.empty())
    summaries::scalar(key(metric_keys::LOSS_REGULARIZATION), sum_of(regularization_losses));
}

}  // namespace rill::estimator
