#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/call_site.h"
#include "rill/api/estimator/heads/class_predictions.h"
#include "rill/api/estimator/heads/gathering.h"
#include "rill/api/estimator/heads/metric_parts.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/nn/cross_entropy.h"

namespace rill::estimator {
namespace {

// Yes or no, from one logit.
class Binary : public Objective {
 public:
  explicit Binary(const HeadOptions& options)
      : thresholds_(options.thresholds), vocabulary_(options.label_vocabulary) {
    name = options.name;
    weight_column = options.weight_column;
    loss_reduction = options.loss_reduction;
    loss_fn = options.loss_fn;
    require_thresholds(thresholds_, "thresholds not in (0, 1): ");
    require_reduction(loss_reduction);
  }

  std::int64_t logits_dimension() const override { return 1; }

  std::vector<std::string> prediction_keys(Generation generation) const override {
    if (generation == Generation::kFirst)
      return {prediction_keys::LOGITS,        prediction_keys::LOGISTIC,
              prediction_keys::PROBABILITIES, prediction_keys::CLASS_IDS,
              prediction_keys::ALL_CLASS_IDS, prediction_keys::ALL_CLASSES,
              prediction_keys::CLASSES};
    return {prediction_keys::LOGITS,     prediction_keys::LOGISTIC, prediction_keys::PROBABILITIES,
            prediction_keys::CLASS_IDS,  prediction_keys::CLASSES,  prediction_keys::ALL_CLASS_IDS,
            prediction_keys::ALL_CLASSES};
  }

  Predicted predictions(Generation generation, Output given,
                        const std::set<std::string>& wanted) const override {
    if (generation == Generation::kFirst) {
      const Block in({}, "predictions", call_site());
      return predict(generation, checked_logits(generation, given, 1), wanted);
    }
    const Output logits = checked_logits(generation, given, 1);
    const Block in({}, "predictions", call_site());
    return predict(generation, logits, wanted);
  }

  std::map<std::string, ExportOutput> export_outputs(Generation generation,
                                                     const PredictionMap& p) const override {
    const ClassificationOutput classes =
        classification_output(generation, p.at(prediction_keys::PROBABILITIES), 2, vocabulary_);
    return {{serving_keys::DEFAULT, classes},
            {serving_keys::CLASSIFY, classes},
            {serving_keys::REGRESS, RegressionOutput{p.at(prediction_keys::LOGISTIC)}},
            {serving_keys::PREDICT, PredictOutput{p}}};
  }

  Output labels(Generation generation, Output logits, const Features& given) const override {
    Output labels = dense_labels(generation, given, logits, 1);
    if (!vocabulary_.empty()) labels = label_ids(vocabulary_, labels);
    return checked_range(generation, cast(labels, DType::f32), 2);
  }

  Output unreduced_loss(Output labels, Output logits, const Features& features) const override {
    if (loss_fn) return called_loss(loss_fn, labels, logits, features, 1);
    return nn::sigmoid_cross_entropy_with_logits(labels, logits);
  }

  Metrics eval_metrics(const Measured& m, Output regularization_loss) const override;
  std::vector<GatheredMetric> gathered(bool regularized) const override;
  std::vector<MetricUpdate> updates(const Measured& m, Output regularization_loss) const override;
  std::set<std::string> measured_predictions() const override {
    return {prediction_keys::LOGISTIC, prediction_keys::CLASS_IDS};
  }

 private:
  Predicted predict(Generation generation, Output logits,
                    const std::set<std::string>& wanted) const {
    Predicted predicted{logits};
    Output scores;
    const auto two_classes = [&] {
      if (scores.node == nullptr)
        scores = concat({zeros_like(logits), logits}, -1, {.name = "two_class_logits"});
    };
    ClassPredictions classes(generation, 2, vocabulary_, logits);
    for (const std::string& key : prediction_keys(generation)) {
      if (key != prediction_keys::LOGITS && key != prediction_keys::LOGISTIC) two_classes();
      if (!wanted.contains(key)) continue;
      predicted.values[key] = key == prediction_keys::LOGISTIC
                                  ? raw::Sigmoid(logits, {.name = prediction_keys::LOGISTIC})
                                  : classes.make(key, scores);
    }
    return predicted;
  }

  std::vector<double> thresholds_;
  std::vector<std::string> vocabulary_;
};

Metrics Binary::eval_metrics(const Measured& m, Output regularization_loss) const {
  namespace names = metric_keys;
  const Block in({}, "metrics", call_site());
  const Output logistic = m.predictions.at(prediction_keys::LOGISTIC),
               ids = m.predictions.at(prediction_keys::CLASS_IDS);
  const auto named = [&](const char* metric) {
    return metrics::MetricOptions{.weights = m.weights, .name = metric};
  };
  Metrics all;
  const EvalMetric mean = mean_of(m.labels, m.weights, names::LABEL_MEAN, "labels");
  all[key(names::LOSS_MEAN)] = plain(metrics::mean(m.unreduced_loss, named(names::LOSS_MEAN)));
  all[key(names::ACCURACY)] = plain(metrics::accuracy(m.labels, ids, named(names::ACCURACY)));
  all[key(names::PRECISION)] = plain(metrics::precision(m.labels, ids, named(names::PRECISION)));
  all[key(names::RECALL)] = plain(metrics::recall(m.labels, ids, named(names::RECALL)));
  all[key(names::PREDICTION_MEAN)] =
      mean_of(logistic, m.weights, names::PREDICTION_MEAN, "predictions");
  all[key(names::LABEL_MEAN)] = mean;
  all[key(names::ACCURACY_BASELINE)] = baseline_of(mean, call_site());
  all[key(names::AUC)] = area(m, m.labels, logistic, "ROC", names::AUC);
  all[key(names::AUC_PR)] = area(m, m.labels, logistic, "PR", names::AUC_PR);
  add_regularization(all, *this, regularization_loss);
  add_at_thresholds(all, *this, m, logistic, thresholds_);
  return all;
}

std::vector<GatheredMetric> Binary::gathered(bool regularized) const {
  namespace names = metric_keys;
  std::vector<GatheredMetric> all = {
      gathered_mean(*this, names::LOSS_MEAN),
      {key(names::ACCURACY), "Accuracy", {.name = names::ACCURACY}},
      {key(names::PRECISION), "Precision", {.name = names::PRECISION}},
      {key(names::RECALL), "Recall", {.name = names::RECALL}},
      gathered_mean(*this, names::PREDICTION_MEAN),
      gathered_mean(*this, names::LABEL_MEAN),
      gathered_mean(*this, names::ACCURACY_BASELINE),
      gathered_area(*this, names::AUC, "ROC"),
      gathered_area(*this, names::AUC_PR, "PR")};
  gather_regularization(all, *this, regularized);
  gather_at_thresholds(all, *this, thresholds_);
  return all;
}

std::vector<MetricUpdate> Binary::updates(const Measured& m, Output regularization_loss) const {
  namespace names = metric_keys;
  const Output logistic = m.predictions.at(prediction_keys::LOGISTIC),
               ids = m.predictions.at(prediction_keys::CLASS_IDS);
  std::vector<MetricUpdate> all = {{key(names::LOSS_MEAN), {m.unreduced_loss}, given_weights(m)}};
  for (const char* metric : {names::ACCURACY, names::PRECISION, names::RECALL})
    all.push_back({key(metric), {m.labels, ids}, given_weights(m)});
  all.push_back(updated_mean(*this, names::PREDICTION_MEAN, logistic, m));
  all.push_back(updated_mean(*this, names::LABEL_MEAN, m.labels, m));
  for (const char* metric : {names::AUC, names::AUC_PR})
    all.push_back({key(metric), {m.labels, logistic}, given_weights(m)});
  update_regularization(all, *this, regularization_loss);
  update_at_thresholds(all, *this, thresholds_, m, logistic);
  return all;
}

}  // namespace

HeadRef binary_classification_head(const HeadOptions& options) {
  return single_head(std::make_shared<Binary>(options));
}
HeadRef BinaryClassHead(const HeadOptions& options) {
  return gathering_head(std::make_shared<Binary>(options));
}

}  // namespace rill::estimator
