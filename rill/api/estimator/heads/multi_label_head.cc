#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/call_site.h"
#include "rill/api/core/texts.h"
#include "rill/api/estimator/heads/class_predictions.h"
#include "rill/api/estimator/heads/gathering.h"
#include "rill/api/estimator/heads/metric_parts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/sparse/sparse_ops.h"

namespace rill::estimator {
namespace {

// Any number of several classes, from a logit for each.
class MultiLabel : public Objective {
 public:
  MultiLabel(std::int64_t n_classes, const HeadOptions& options)
      : n_classes_(n_classes),
        thresholds_(options.thresholds),
        vocabulary_(options.label_vocabulary),
        measured_classes_(options.classes_for_class_based_metrics) {
    name = options.name;
    weight_column = options.weight_column;
    loss_reduction = options.loss_reduction;
    loss_fn = options.loss_fn;
    check();
  }

  std::int64_t logits_dimension() const override { return n_classes_; }

  std::vector<std::string> prediction_keys(Generation generation) const override {
    if (generation == Generation::kFirst)
      return {prediction_keys::LOGITS, prediction_keys::PROBABILITIES};
    return {prediction_keys::LOGITS, prediction_keys::PROBABILITIES, prediction_keys::CLASSES};
  }

  Predicted predictions(Generation generation, Output given,
                        const std::set<std::string>& wanted) const override {
    if (generation == Generation::kFirst) {
      const Block in({}, "predictions", call_site());
      return predict(generation, checked_logits(generation, given, n_classes_), wanted);
    }
    const Output logits = checked_logits(generation, given, n_classes_);
    const Block in({}, "predictions", call_site());
    return predict(generation, logits, wanted);
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
    const data::Component& part = lone_label(generation, given);
    const Output indicators =
        part.spec().kind == data::ComponentKind::kSparse
            ? cast(indicated(generation, part.sparse()), DType::i64)
            : checked_range(generation, part.tensor(), 2,
                            "labels must be an integer indicator Tensor with values in [0, 1]");
    return dense_labels(generation, {{"", indicators}}, logits, n_classes_);
  }

  Output unreduced_loss(Output labels, Output logits, const Features& features) const override {
    if (loss_fn) return called_loss(loss_fn, labels, logits, features, 1);
    const Output losses =
        losses::sigmoid_cross_entropy(labels, logits, {.reduction = losses::Reduction::NONE});
    return reduce_mean(losses, {.axis = -1, .keepdims = true});
  }

  Metrics eval_metrics(const Measured& m, Output regularization_loss) const override;
  std::vector<GatheredMetric> gathered(bool regularized) const override;
  std::vector<MetricUpdate> updates(const Measured& m, Output regularization_loss) const override;
  std::set<std::string> measured_predictions() const override {
    return {prediction_keys::PROBABILITIES};
  }

 private:
  void check() const;

  Predicted predict(Generation generation, Output logits,
                    const std::set<std::string>& wanted) const {
    Predicted predicted{logits};
    for (const std::string& key : prediction_keys(generation)) {
      if (!wanted.contains(key)) continue;
      predicted.values[key] = key == prediction_keys::LOGITS ? logits
                              : key == prediction_keys::PROBABILITIES
                                  ? raw::Sigmoid(logits, {.name = prediction_keys::PROBABILITIES})
                                  : all_classes(generation, logits, n_classes_, vocabulary_);
    }
    return predicted;
  }

  // Which classes the sparse labels name.
  Output indicated(Generation generation, const SparseTensor& labels) const {
    const Input count = static_cast<int>(n_classes_);
    if (labels.dtype() == DType::string) {
      const Output ids = label_ids(vocabulary_, labels.values);
      return sparse::to_indicator(SparseTensor(labels.indices, ids, labels.dense_shape), count);
    }
    require(kIntTypes.contains(base_type(labels.dtype())),
            "Labels dtype should be integer. Instead got <dtype: '", dtype_text(labels.dtype()),
            "'>.");
    Output checked = checked_range(
        generation, labels.values, n_classes_,
        str_cat("labels must be an integer SparseTensor with values in [0, ", n_classes_, ")"));
    const ControlDependencies after(checked);
    return sparse::to_indicator(labels, count);
  }

  // "auc/class2", or with the name of the class.
  std::string of_class(const char* metric, std::int64_t id) const {
    const auto index = static_cast<std::size_t>(id);
    return vocabulary_.empty() ? str_cat(metric, "/class", id)
                               : str_cat(metric, "/", vocabulary_[index]);
  }

  // The labels and probabilities of one class.
  struct OneClass {
    Output labels, probabilities;
  };
  OneClass one_class(const Measured& m, std::int64_t id) const {
    const auto at = call_site();
    const Output probabilities = m.predictions.at(prediction_keys::PROBABILITIES);
    const Output batch_rank = operators::sub(rank(probabilities), 1, at);
    const Input dims = parts::list_of({batch_rank});
    const Output zero = zeros(as_tensor(dims, "zeros/packed"), {.dtype = DType::i32});
    const Output begin = concat({zero, parts::ints({id})}, 0);
    const Output all = ones(as_tensor(dims, "ones/packed"), {.dtype = DType::i32});
    const Output size = concat({operators::mul(-1, all, at), parts::ints({1})}, 0);
    const Output of_probabilities = raw::Slice(probabilities, begin, size);
    return {raw::Slice(m.labels, begin, size), of_probabilities};
  }

  std::int64_t n_classes_;
  std::vector<double> thresholds_;
  std::vector<std::string> vocabulary_;
  std::vector<std::int64_t> measured_classes_;
};

void MultiLabel::check() const {
  require(n_classes_ > 1,
          "n_classes must be > 1 for multi-label classification. Given: ", n_classes_);
  require_thresholds(thresholds_, "thresholds must be in (0, 1) range. Given: ");
  require_reduction(loss_reduction);
  require(vocabulary_.empty() || static_cast<std::int64_t>(vocabulary_.size()) == n_classes_,
          "Length of label_vocabulary must be n_classes (", n_classes_,
          "). Given: ", vocabulary_.size());
  for (const std::int64_t id : measured_classes_)
    require(id >= 0 && id < n_classes_, "All classes_for_class_based_metrics must be in range [0, ",
            n_classes_ - 1, "]. Given: ", id);
}

Metrics MultiLabel::eval_metrics(const Measured& m, Output regularization_loss) const {
  namespace names = metric_keys;
  const Block in({}, "metrics", call_site());
  const Output probabilities = m.predictions.at(prediction_keys::PROBABILITIES);
  Metrics all;
  all[key(names::LOSS_MEAN)] =
      plain(metrics::mean(m.unreduced_loss, {.weights = m.weights, .name = names::LOSS_MEAN}));
  all[key(names::AUC)] =
      plain(metrics::auc(m.labels, probabilities, {.weights = m.weights, .name = names::AUC}));
  all[key(names::AUC_PR)] = plain(metrics::auc(
      m.labels, probabilities, {.weights = m.weights, .curve = "PR", .name = names::AUC_PR}));
  add_regularization(all, *this, regularization_loss);
  add_at_thresholds(all, *this, m, probabilities, thresholds_);
  for (const std::int64_t id : measured_classes_) {
    const OneClass one = one_class(m, id);
    const std::string mean = of_class(names::PROBABILITY_MEAN, id), roc = of_class(names::AUC, id),
                      pr = of_class(names::AUC_PR, id);
    all[key(mean)] = mean_of(one.probabilities, m.weights, mean.c_str(), "predictions");
    all[key(roc)] = area(m, one.labels, one.probabilities, "ROC", roc);
    all[key(pr)] = area(m, one.labels, one.probabilities, "PR", pr);
  }
  return all;
}

std::vector<GatheredMetric> MultiLabel::gathered(bool regularized) const {
  namespace names = metric_keys;
  std::vector<GatheredMetric> all = {gathered_mean(*this, names::LOSS_MEAN),
                                     gathered_area(*this, names::AUC, "ROC"),
                                     gathered_area(*this, names::AUC_PR, "PR")};
  gather_regularization(all, *this, regularized);
  gather_at_thresholds(all, *this, thresholds_);
  for (const std::int64_t id : measured_classes_) {
    all.push_back(gathered_mean(*this, of_class(names::PROBABILITY_MEAN, id).c_str()));
    all.push_back(gathered_area(*this, of_class(names::AUC, id), "ROC"));
    all.push_back(gathered_area(*this, of_class(names::AUC_PR, id), "PR"));
  }
  return all;
}

std::vector<MetricUpdate> MultiLabel::updates(const Measured& m, Output regularization_loss) const {
  namespace names = metric_keys;
  const Output probabilities = m.predictions.at(prediction_keys::PROBABILITIES);
  std::vector<MetricUpdate> all = {{key(names::LOSS_MEAN), {m.unreduced_loss}, given_weights(m)}};
  for (const char* metric : {names::AUC, names::AUC_PR})
    all.push_back({key(metric), {m.labels, probabilities}, given_weights(m)});
  update_regularization(all, *this, regularization_loss);
  update_at_thresholds(all, *this, thresholds_, m, probabilities);
  for (const std::int64_t id : measured_classes_) {
    const OneClass one = one_class(m, id);
    all.push_back(
        updated_mean(*this, of_class(names::PROBABILITY_MEAN, id).c_str(), one.probabilities, m));
    for (const char* metric : {names::AUC, names::AUC_PR})
      all.push_back({key(of_class(metric, id)), {one.labels, one.probabilities}, given_weights(m)});
  }
  return all;
}

}  // namespace

HeadRef multi_label_head(std::int64_t n_classes, const HeadOptions& options) {
  return single_head(std::make_shared<MultiLabel>(n_classes, options));
}
HeadRef MultiLabelHead(std::int64_t n_classes, const HeadOptions& options) {
  return gathering_head(std::make_shared<MultiLabel>(n_classes, options));
}

}  // namespace rill::estimator
