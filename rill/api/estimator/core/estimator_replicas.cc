#include "rill/api/estimator/core/estimator_replicas.h"

#include "rill/api/core/control_flow.h"
#include "rill/api/data/multi_device_iterator.h"
#include "rill/api/estimator/core/estimator_input.h"

namespace rill::estimator {
namespace {

BatchDataset dataset_of(const InputFn& input_fn, const RunConfig& config) {
  const DeviceScope cpu("/cpu:0");
  InputValues values = input_fn(Mode::kTrain, config);
  require(std::holds_alternative<BatchDataset>(values),
          "input_fn must return a tf.data.Dataset when train_distribute is set.");
  return std::get<BatchDataset>(std::move(values));
}

// Losses are scaled while models are built: their mean is the loss of all replicas.
class ScaledLosses {
 public:
  explicit ScaledLosses(distribute::StrategyExtended& strategy)
      : strategy_(strategy), before_(std::exchange(strategy.scales_loss, true)) {}
  ~ScaledLosses() { strategy_.scales_loss = before_; }
  ScaledLosses(const ScaledLosses&) = delete;
  ScaledLosses& operator=(const ScaledLosses&) = delete;

 private:
  distribute::StrategyExtended& strategy_;
  const bool before_;
};

}  // namespace

ReplicatedModel build_replicas(const distribute::StrategyRef& strategy, const InputFn& input_fn,
                               const RunConfig& config,
                               const std::function<EstimatorSpec(const InputBatch&)>& model) {
  const BatchDataset input = dataset_of(input_fn, config);
  const data::MultiDeviceIterator iterator(input.dataset, strategy->worker_devices());
  std::vector<InputBatch> batches;
  for (std::size_t i = 0; i < iterator.device_count(); ++i)
    batches.push_back(input.split(iterator.get_next(i)));
  const ScaledLosses scaled(*strategy);
  const distribute::Strategy all(strategy);
  std::vector<EstimatorSpec> specs =
      all.experimental_run_v2([&](const InputBatch& batch) { return model(batch); }, batches);
  ReplicatedModel result{.spec = std::move(specs.front())};
  std::vector<Output> losses{result.spec.loss};
  std::vector<Node*> trained{&result.spec.train_op.node()};
  for (std::size_t i = 1; i < specs.size(); ++i) {
    losses.push_back(specs[i].loss);
    trained.push_back(&specs[i].train_op.node());
  }
  result.spec.loss = all.reduce(distribute::ReduceOp::MEAN, losses);
  result.spec.train_op = group(trained);
  result.hooks = ModelInput{.iterator_initializer = &iterator.initializer()}.hooks();
  return result;
}

}  // namespace rill::estimator
