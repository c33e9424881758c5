#pragma once

#include <set>

#include "rill/api/estimator/heads/checks.h"
#include "rill/api/estimator/heads/keys.h"
#include "rill/api/metrics/metrics.h"

namespace rill::estimator {

using PredictionMap = std::map<std::string, Output>;
struct Predicted {
  Output logits = {};  // checked
  PredictionMap values = {};
};

// What metrics are made of.
struct Measured {
  const data::Component& given_labels;  // as the program has them
  Output labels = {}, logits = {};
  const PredictionMap& predictions;
  Output unreduced_loss = {};
  Input weights;
};
using Metrics = std::map<std::string, EvalMetric>;

// One objective: what it predicts, which labels it takes, what it measures.
class Objective {
 public:
  virtual ~Objective() = default;
  virtual std::int64_t logits_dimension() const = 0;
  // In the order in which each generation makes them.
  virtual std::vector<std::string> prediction_keys(Generation generation) const = 0;
  // Of logits that are not checked yet; `keys` are some of the above.
  virtual Predicted predictions(Generation generation, Output logits,
                                const std::set<std::string>& keys) const = 0;
  virtual std::map<std::string, ExportOutput> export_outputs(Generation generation,
                                                             const PredictionMap& p) const = 0;
  virtual Output labels(Generation generation, Output logits, const Features& labels) const = 0;
  virtual Output unreduced_loss(Output labels, Output logits, const Features& features) const = 0;
  virtual bool per_logit_weights() const { return false; }

  // The first generation's metrics.
  virtual Metrics eval_metrics(const Measured& m, Output regularization_loss) const = 0;
  // The second generation's.
  virtual std::vector<GatheredMetric> gathered(bool regularized) const = 0;
  virtual std::vector<MetricUpdate> updates(const Measured& m,
                                            Output regularization_loss) const = 0;
  // What the updates predict once more.
  virtual std::set<std::string> measured_predictions() const = 0;

  std::string name = {};
  WeightColumn weight_column = {};
  losses::Reduction loss_reduction = losses::Reduction::SUM_OVER_BATCH_SIZE;
  LossFn loss_fn = {};

  // "loss/head_1"
  std::string key(const std::string& metric) const {
    return name.empty() ? metric : metric + "/" + name;
  }
};
using ObjectiveRef = std::shared_ptr<const Objective>;

HeadRef single_head(ObjectiveRef objective);     // of the first generation
HeadRef gathering_head(ObjectiveRef objective);  // of the second

// The sum of losses, nothing where there are none.
Output sum_of(const std::vector<Output>& losses);
// A last step of training: what the call asks for, with the operations that go with it.
Runnable training_op(const HeadCall& call, Output loss);
void require_one_way_to_train(const HeadCall& call);
Runnable with_update_ops(Runnable train_op, const std::vector<Runnable>& update_ops);
// The metrics of tf.keras that `gathered` describes, updated; `baseline_of` is the key of a mean of
// labels of which the metric `baseline` is made.
Metrics gather(const std::vector<GatheredMetric>& gathered,
               const std::vector<MetricUpdate>& updates, const std::string& baseline = {},
               const std::string& baseline_of = {});

}  // namespace rill::estimator
