#include "rill/api/core/call_site.h"
#include "rill/api/estimator/heads/gathering.h"
#include "rill/api/estimator/heads/metric_parts.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/nn/cross_entropy.h"

namespace rill::estimator {
namespace {

// Numbers.
class Regression : public Objective {
 public:
  explicit Regression(const RegressionHeadOptions& options)
      : dimension_(options.label_dimension), inverse_link_fn_(options.inverse_link_fn) {
    name = options.name;
    weight_column = options.weight_column;
    loss_reduction = options.loss_reduction;
    loss_fn = options.loss_fn;
    require(dimension_ >= 1, "Invalid label_dimension ", dimension_, ".");
    require_reduction(loss_reduction);
  }

  std::int64_t logits_dimension() const override { return dimension_; }

  std::vector<std::string> prediction_keys(Generation) const override {
    if (inverse_link_fn_) return {prediction_keys::PREDICTIONS, prediction_keys::LOGITS};
    return {prediction_keys::PREDICTIONS};
  }

  Predicted predictions(Generation generation, Output given,
                        const std::set<std::string>&) const override {
    const Output logits = checked_logits(generation, given, dimension_);
    if (generation == Generation::kFirst) return predict(logits);
    const Block in({}, "predictions", call_site());
    return predict(logits);
  }

  std::map<std::string, ExportOutput> export_outputs(Generation,
                                                     const PredictionMap& p) const override {
    const RegressionOutput value{p.at(prediction_keys::PREDICTIONS)};
    return {{serving_keys::DEFAULT, value},
            {serving_keys::REGRESS, value},
            {serving_keys::PREDICT, PredictOutput{p}}};
  }

  Output labels(Generation generation, Output logits, const Features& given) const override {
    return cast(dense_labels(generation, given, logits, dimension_), DType::f32);
  }

  Output unreduced_loss(Output labels, Output logits, const Features& features) const override {
    if (loss_fn) return called_loss(loss_fn, labels, logits, features, dimension_);
    return losses::mean_squared_error(labels, logits, {.reduction = losses::Reduction::NONE});
  }
  bool per_logit_weights() const override { return true; }

  Metrics eval_metrics(const Measured& m, Output regularization_loss) const override {
    namespace names = metric_keys;
    Metrics all;
    all[key(names::LOSS_MEAN)] = plain(metrics::mean(m.unreduced_loss, {.weights = m.weights}));
    all[key(names::PREDICTION_MEAN)] = mean_of(m.predictions.at(prediction_keys::PREDICTIONS),
                                               m.weights, names::PREDICTION_MEAN, "predictions");
    all[key(names::LABEL_MEAN)] =
        plain(metrics::mean(m.given_labels.tensor(), {.weights = m.weights}));
    add_regularization(all, *this, regularization_loss);
    return all;
  }

  std::vector<GatheredMetric> gathered(bool regularized) const override {
    namespace names = metric_keys;
    std::vector<GatheredMetric> all = {gathered_mean(*this, names::LOSS_MEAN),
                                       gathered_mean(*this, names::PREDICTION_MEAN),
                                       gathered_mean(*this, names::LABEL_MEAN)};
    gather_regularization(all, *this, regularized);
    return all;
  }

  std::vector<MetricUpdate> updates(const Measured& m, Output regularization_loss) const override {
    namespace names = metric_keys;
    std::vector<MetricUpdate> all = {
        {key(names::LOSS_MEAN), {m.unreduced_loss}, given_weights(m)},
        {key(names::LABEL_MEAN), {m.given_labels.tensor()}, given_weights(m)},
        updated_mean(*this, names::PREDICTION_MEAN, m.predictions.at(prediction_keys::PREDICTIONS),
                     m)};
    update_regularization(all, *this, regularization_loss);
    return all;
  }
  std::set<std::string> measured_predictions() const override {
    return {prediction_keys::PREDICTIONS};
  }

 private:
  Predicted predict(Output logits) const {
    if (!inverse_link_fn_) return {logits, {{prediction_keys::PREDICTIONS, logits}}};
    return {logits,
            {{prediction_keys::PREDICTIONS, inverse_link_fn_(logits)},
             {prediction_keys::LOGITS, logits}}};
  }

  std::int64_t dimension_;
  std::function<Output(Output)> inverse_link_fn_;
};

RegressionHeadOptions poisson(RegressionHeadOptions options) {
  options.loss_fn = [full = options.compute_full_loss](Output labels, Output logits,
                                                       const Features&) {
    return nn::log_poisson_loss(labels, logits, {.compute_full_loss = full});
  };
  options.inverse_link_fn = [](Output logits) { return raw::Exp(logits); };
  return options;
}

RegressionHeadOptions logistic(RegressionHeadOptions options, Generation generation) {
  options.label_dimension = 1;
  options.loss_fn = [generation](Output given, Output logits, const Features&) {
    const Output labels = checked_range(generation, given, 2, "Labels must be in range [0, 1]");
    return nn::sigmoid_cross_entropy_with_logits(labels, logits);
  };
  options.inverse_link_fn = [](Output logits) { return raw::Sigmoid(logits); };
  return options;
}

}  // namespace

HeadRef regression_head(const RegressionHeadOptions& options) {
  return single_head(std::make_shared<Regression>(options));
}
HeadRef poisson_regression_head(const RegressionHeadOptions& options) {
  return regression_head(poisson(options));
}
HeadRef logistic_regression_head(const RegressionHeadOptions& options) {
  return regression_head(logistic(options, Generation::kFirst));
}

HeadRef RegressionHead(const RegressionHeadOptions& options) {
  return gathering_head(std::make_shared<Regression>(options));
}
HeadRef PoissonRegressionHead(const RegressionHeadOptions& options) {
  return RegressionHead(poisson(options));
}
HeadRef LogisticRegressionHead(const RegressionHeadOptions& options) {
  return RegressionHead(logistic(options, Generation::kSecond));
}

}  // namespace rill::estimator
