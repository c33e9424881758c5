#include "rill/api/array/shapes.h"
#include "rill/api/core/call_site.h"
#include "rill/api/core/texts.h"
#include "rill/api/estimator/heads/class_predictions.h"
#include "rill/api/estimator/heads/gathering.h"
#include "rill/api/estimator/heads/metric_parts.h"

namespace rill::estimator {
namespace {

// One of several classes, from a logit for each.
class MultiClass : public Objective {
 public:
  MultiClass(std::int64_t n_classes, const HeadOptions& options)
      : n_classes_(n_classes), vocabulary_(options.label_vocabulary) {
    name = options.name;
    weight_column = options.weight_column;
    loss_reduction = options.loss_reduction;
    loss_fn = options.loss_fn;
    require(n_classes > 2, "n_classes must be > 2: ", n_classes, ".");
    require_reduction(loss_reduction);
    require(vocabulary_.empty() || static_cast<std::int64_t>(vocabulary_.size()) == n_classes,
            "\"label_vocabulary\" does not have \"n_classes\" items. len(label_vocabulary)=",
            vocabulary_.size(), ", n_classes=", n_classes, ", label_vocabulary=[",
            join(vocabulary_, ", "), "]");
  }

  std::int64_t logits_dimension() const override { return n_classes_; }

  std::vector<std::string> prediction_keys(Generation generation) const override {
    if (generation == Generation::kFirst)
      return {prediction_keys::LOGITS,      prediction_keys::ALL_CLASS_IDS,
              prediction_keys::ALL_CLASSES, prediction_keys::CLASS_IDS,
              prediction_keys::CLASSES,     prediction_keys::PROBABILITIES};
    return {prediction_keys::LOGITS,  prediction_keys::PROBABILITIES, prediction_keys::CLASS_IDS,
            prediction_keys::CLASSES, prediction_keys::ALL_CLASS_IDS, prediction_keys::ALL_CLASSES};
  }

  Predicted predictions(Generation generation, Output given,
                        const std::set<std::string>& wanted) const override {
    Predicted predicted{checked_logits(generation, given, n_classes_)};
    const Block in({}, "predictions", call_site());
    ClassPredictions classes(generation, n_classes_, vocabulary_, predicted.logits);
    for (const std::string& key : prediction_keys(generation))
      if (wanted.contains(key)) predicted.values[key] = classes.make(key, predicted.logits);
    return predicted;
  }

  std::map<std::string, ExportOutput> export_outputs(Generation generation,
                                                     const PredictionMap& p) const override {
    const ClassificationOutput classes = classification_output(
        generation, p.at(prediction_keys::PROBABILITIES), n_classes_, vocabulary_);
    return {{serving_keys::DEFAULT, classes},
            {serving_keys::CLASSIFY, classes},
            {serving_keys::PREDICT, PredictOutput{p}}};
  }

  Output labels(Generation generation, Output logits, const Features& given) const override {
    Output labels = dense_labels(generation, given, logits, 1);
    if (vocabulary_.empty()) {
      require(kIntTypes.contains(base_type(labels.dtype())),
              "Labels dtype should be integer. Instead got <dtype: '", dtype_text(labels.dtype()),
              "'>.");
    } else {
      require(labels.dtype() == DType::string,
              "Labels dtype should be string if there is a vocabulary. Instead got <dtype: '",
              dtype_text(labels.dtype()), "'>");
      labels = label_ids(vocabulary_, labels);
    }
    return checked_range(generation, labels, n_classes_);
  }

  Output unreduced_loss(Output labels, Output logits, const Features& features) const override {
    if (loss_fn) return called_loss(loss_fn, labels, logits, features, 1);
    const Output losses = losses::sparse_softmax_cross_entropy(
        labels, logits, {.reduction = losses::Reduction::NONE});
    return expand_dims(losses, -1);
  }

  Metrics eval_metrics(const Measured& m, Output regularization_loss) const override {
    namespace names = metric_keys;
    const Block in({}, "metrics", call_site());
    Metrics all;
    all[key(names::LOSS_MEAN)] =
        plain(metrics::mean(m.unreduced_loss, {.weights = m.weights, .name = names::LOSS_MEAN}));
    all[key(names::ACCURACY)] =
        plain(metrics::accuracy(m.labels, m.predictions.at(prediction_keys::CLASS_IDS),
                                {.weights = m.weights, .name = names::ACCURACY}));
    add_regularization(all, *this, regularization_loss);
    return all;
  }

  std::vector<GatheredMetric> gathered(bool regularized) const override {
    namespace names = metric_keys;
    std::vector<GatheredMetric> all = {gathered_mean(*this, names::LOSS_MEAN)};
    gather_regularization(all, *this, regularized);
    all.push_back({key(names::ACCURACY), "Accuracy", {.name = names::ACCURACY}});
    return all;
  }

  std::vector<MetricUpdate> updates(const Measured& m, Output regularization_loss) const override {
    namespace names = metric_keys;
    std::vector<MetricUpdate> all = {{key(names::LOSS_MEAN), {m.unreduced_loss}, given_weights(m)},
                                     {key(names::ACCURACY),
                                      {m.labels, m.predictions.at(prediction_keys::CLASS_IDS)},
                                      given_weights(m)}};
    update_regularization(all, *this, regularization_loss);
    return all;
  }
  std::set<std::string> measured_predictions() const override {
    return {prediction_keys::CLASS_IDS};
  }

 private:
  std::int64_t n_classes_;
  std::vector<std::string> vocabulary_;
};

}  // namespace

HeadRef multi_class_head(std::int64_t n_classes, const HeadOptions& options) {
  return single_head(std::make_shared<MultiClass>(n_classes, options));
}
HeadRef MultiClassHead(std::int64_t n_classes, const HeadOptions& options) {
  return gathering_head(std::make_shared<MultiClass>(n_classes, options));
}

}  // namespace rill::estimator
