#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/call_site.h"
#include "rill/api/core/slicing.h"
#include "rill/api/estimator/heads/gathering_head.h"
#include "rill/api/estimator/heads/metric_parts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/operators.h"

namespace rill::estimator {
namespace {

using Specs = std::vector<EstimatorSpec>;

Features label_of(const Features& labels, const std::string& head) {
  const auto found = labels.find(head);
  require(found != labels.end(), "labels has missing values for head(s): ['", head, "']");
  return {{"", found->second}};
}

// A head for each of several objectives, which share the logits or have some each.
class SeveralHeads : public Head {
 public:
  SeveralHeads(std::vector<HeadRef> heads, std::vector<double> weights)
      : heads_(std::move(heads)), weights_(std::move(weights)) {
    require(!heads_.empty(), "Must specify heads. Given: []");
    require(weights_.empty() || weights_.size() == heads_.size(),
            "heads and head_weights must have the same size. Given len(heads): ", heads_.size(),
            ". Given len(head_weights): ", weights_.size(), ".");
    for (const HeadRef& head : heads_)
      require(!head->name().empty(),
              "All given heads must have name specified. Given: ", head->logits_dimension(),
              " logits without a name");
  }

  std::string name() const override {
    std::vector<std::string> names;
    for (const HeadRef& head : heads_) names.push_back(head->name());
    return join(names, "_");
  }
  std::int64_t logits_dimension() const override {
    std::int64_t sum = 0;
    for (const HeadRef& head : heads_) sum += head->logits_dimension();
    return sum;
  }
  losses::Reduction loss_reduction() const override {
    for (const HeadRef& head : heads_)
      require(head->loss_reduction() == heads_[0]->loss_reduction(),
              "The loss_reduction must be the same for different heads.");
    return heads_[0]->loss_reduction();
  }

  LossSpec create_loss(const Features& features, Mode mode, const Logits& logits,
                       const Features& labels) const override {
    const auto parts = split(logits);
    std::vector<Output> losses;
    for (const HeadRef& head : heads_)
      losses.push_back(
          head->create_loss(features, mode, parts.at(head->name()), label_of(labels, head->name()))
              .training_loss);
    return {merged(losses)};
  }

 protected:
  std::map<std::string, Output> split(const Logits& logits) const;

  // The sum of losses, each times the weight of its head.
  Output merged(std::vector<Output> losses) const {
    const Block in({}, "merge_losses", call_site());
    for (std::size_t i = 0; i < weights_.size(); ++i) losses[i] = raw::Mul(losses[i], weights_[i]);
    return sum_of(losses);
  }

  Specs specs(const HeadCall& call, const std::map<std::string, Output>& logits) const {
    Specs all;
    for (const HeadRef& head : heads_)
      all.push_back(head->create_estimator_spec(
          {.features = call.features,
           .mode = call.mode,
           .logits = logits.at(head->name()),
           .labels = call.labels.empty() ? Features{} : label_of(call.labels, head->name()),
           .train_op_fn = [](Output) -> Runnable { return no_op(); }}));
    return all;
  }

  // Each head's under its name, and all predictions together.
  std::map<std::string, ExportOutput> exported(const Specs& specs) const;
  PredictionMap predicted(const Specs& specs) const {
    PredictionMap all;
    for (std::size_t i = 0; i < heads_.size(); ++i)
      for (const auto& [key, value] : specs[i].predictions)
        all[heads_[i]->name() + "/" + key] = value;
    return all;
  }

  std::vector<HeadRef> heads_;
  std::vector<double> weights_;
};

std::map<std::string, Output> SeveralHeads::split(const Logits& logits) const {
  std::map<std::string, Output> parts = logits.by_head;
  if (!parts.empty()) {
    for (const HeadRef& head : heads_)
      require(parts.contains(head->name()), "logits has missing values for head(s): ['",
              head->name(), "']");
    return parts;
  }
  const auto at = call_site();
  const Block in({}, "split_logits", at);
  const PartialShape known = logits.tensor.shape();
  const std::int64_t last = known.has_rank() && known.rank() > 0 ? known.dim(known.rank() - 1) : -1;
  require(last < 0 || last == logits_dimension(), "Could not split logits of shape ", known,
          " among the heads: The last dimension of the logits tensor should equal ",
          logits_dimension(), " but is ", last, ".");
  const Output batch = slice(shape(logits.tensor), {SliceRange{.stop = Input(-1)}});
  const Output zeros = zeros_like(batch);
  const Output all = operators::mul(-1, ones_like(batch), at);
  std::int64_t begin = 0;
  for (const HeadRef& head : heads_) {
    const Output from = concat({zeros, parts::ints({begin})}, 0);
    const Output size = concat({all, parts::ints({head->logits_dimension()})}, 0);
    parts[head->name()] = raw::Slice(logits.tensor, from, size);
    begin += head->logits_dimension();
  }
  return parts;
}

std::map<std::string, ExportOutput> SeveralHeads::exported(const Specs& specs) const {
  const auto& first = specs[0].export_outputs;
  const auto serving = first.find(serving_keys::DEFAULT);
  require(first.size() == 1 || serving != first.end(), heads_[0]->name(),
          " did not specify default export_outputs. Suggested fix: Use one of the heads in "
          "tf.estimator, or include key serving_default in export_outputs.");
  std::map<std::string, ExportOutput> all = {
      {serving_keys::DEFAULT, first.size() == 1 ? first.begin()->second : serving->second}};
  PredictOutput together;
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    const std::string name = heads_[i]->name();
    for (const auto& [key, output] : specs[i].export_outputs) {
      all.insert_or_assign(key == serving_keys::DEFAULT ? name : name + "/" + key, output);
      if (const auto* predict = std::get_if<PredictOutput>(&output))
        if (key == serving_keys::PREDICT)
          for (const auto& [inner, value] : predict->outputs)
            together.outputs[name + "/" + inner] = value;
    }
  }
  all.insert_or_assign(serving_keys::PREDICT, together);
  return all;
}

// As tf.contrib.estimator puts heads together.
class FirstSeveralHeads : public SeveralHeads {
 public:
  using SeveralHeads::SeveralHeads;

  EstimatorSpec create_estimator_spec(const HeadCall& call,
                                      std::source_location at) const override {
    const MadeAt place(at);
    const Specs all = specs(call, split(call.logits));
    EstimatorSpec spec{.mode = call.mode, .predictions = predicted(all)};
    if (call.mode == Mode::kPredict) {
      spec.export_outputs = exported(all);
      return spec;
    }
    const Block in({}, call.mode == Mode::kTrain ? "merge_train" : "merge_eval", at);
    std::vector<Output> losses;
    for (std::size_t i = 0; i < all.size(); ++i) {
      losses.push_back(all[i].loss);
      if (call.mode == Mode::kTrain) continue;
      const std::string key = str_cat(metric_keys::LOSS, "/", heads_[i]->name());
      spec.eval_metric_ops[key] = plain(metrics::mean(all[i].loss, {.name = key}));
      spec.eval_metric_ops.insert(all[i].eval_metric_ops.begin(), all[i].eval_metric_ops.end());
    }
    spec.loss = merged(losses);
    const Output regularization = sum_of(call.regularization_losses);
    if (regularization.node != nullptr) spec.loss = add_n({spec.loss, regularization});
    if (call.mode == Mode::kTrain) {
      spec.train_op = training_op(call, spec.loss);
      summarize_loss(spec.loss, {}, [](const char* key) { return std::string(key); });
    } else if (regularization.node != nullptr) {
      spec.eval_metric_ops[metric_keys::LOSS_REGULARIZATION] =
          plain(metrics::mean(regularization, {.name = metric_keys::LOSS_REGULARIZATION}));
    }
    return spec;
  }
};

// As tf.estimator puts them together.
class SecondSeveralHeads : public SeveralHeads, public HeadParts {
 public:
  using SeveralHeads::SeveralHeads;

  Output loss(const Features& labels, const Logits& logits, const Features& features,
              const std::vector<Output>& regularization_losses) const override {
    return regularized(create_loss(features, Mode::kTrain, logits, labels).training_loss,
                       regularization_losses);
  }

  PredictionMap predictions(const Logits& logits, const std::vector<std::string>&) const override {
    const auto by_head = split(logits);
    const Block in({}, "merge_pred", call_site());
    PredictionMap all;
    for (const HeadRef& head : heads_)
      for (const auto& [key, value] : parts_of(head).predictions(by_head.at(head->name())))
        all[head->name() + "/" + key] = value;
    return all;
  }

  std::vector<GatheredMetric> metrics(bool regularized) const override {
    std::vector<GatheredMetric> all;
    if (regularized) {
      const std::string key = str_cat(metric_keys::LOSS_REGULARIZATION, "/", name());
      all.push_back({key, "Mean", {.name = metric_keys::LOSS_REGULARIZATION}});
    }
    for (const HeadRef& head : heads_) {
      const std::string key = str_cat(metric_keys::LOSS, "/", head->name());
      all.push_back({key, "Mean", {.name = key}});
    }
    return all;
  }

  std::vector<MetricUpdate> metric_updates(
      const Features& features, const Logits& logits, const Features& labels,
      const std::vector<Output>& regularization_losses) const override {
    const auto by_head = split(logits);
    std::vector<MetricUpdate> all;
    if (const Output sum = sum_of(regularization_losses); sum.node != nullptr)
      all.push_back({str_cat(metric_keys::LOSS_REGULARIZATION, "/", name()), {sum}, {}});
    for (const HeadRef& head : heads_) {
      const Output loss =
          parts_of(head).loss(label_of(labels, head->name()), by_head.at(head->name()), features);
      all.push_back({str_cat(metric_keys::LOSS, "/", head->name()), {loss}, {}});
    }
    return all;
  }

  EstimatorSpec create_estimator_spec(const HeadCall& call,
                                      std::source_location at) const override {
    const Block in(name(), "multi_head", at);
    const auto by_head = split(call.logits);
    const Specs all = specs(call, by_head);
    EstimatorSpec spec{.mode = call.mode, .predictions = predicted(all)};
    if (call.mode == Mode::kPredict) {
      spec.export_outputs = exported(all);
      return spec;
    }
    spec.loss = loss(call.labels, call.logits, call.features, call.regularization_losses);
    if (call.mode == Mode::kTrain) {
      spec.train_op = trained(call, spec.loss);
      summarize_loss(spec.loss, call.regularization_losses,
                     [](const char* key) { return std::string(key); });
      return spec;
    }
    spec.eval_metric_ops = gathered_metrics(*this, *this, call);
    for (const EstimatorSpec& one : all)
      spec.eval_metric_ops.insert(one.eval_metric_ops.begin(), one.eval_metric_ops.end());
    return spec;
  }

 private:
  static const HeadParts& parts_of(const HeadRef& head) {
    const auto* parts = dynamic_cast<const HeadParts*>(head.get());
    require(parts != nullptr, "Head ", head->name(), " is not one of tf.estimator's heads.");
    return *parts;
  }
};

}  // namespace

HeadRef multi_head(const std::vector<HeadRef>& heads, const std::vector<double>& head_weights) {
  return std::make_shared<FirstSeveralHeads>(heads, head_weights);
}
HeadRef MultiHead(const std::vector<HeadRef>& heads, const std::vector<double>& head_weights) {
  return std::make_shared<SecondSeveralHeads>(heads, head_weights);
}

}  // namespace rill::estimator
