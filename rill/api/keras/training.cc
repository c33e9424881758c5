#include "rill/api/keras/training.h"

#include <algorithm>

#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/keras/fed_value.h"
#include "rill/api/layers/layer.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/train/parts.h"
#include "rill/base/error.h"

namespace rill::keras {

Training::Training(TrainingRequest request) : request_(std::move(request)) {
  add_targets();
  add_metrics();
  add_losses();
  if (request_.state_updates) state_updates_ = request_.state_updates();
}

void Training::add_targets() {
  for (const TrainedOutput& out : request_.outputs) {
    if (!out.loss) {
      targets_.emplace_back();
      weights_.emplace_back();
      continue;
    }
    const int rank = out.prediction.shape().rank();
    const DType dtype = base_type(out.prediction.dtype());
    targets_.push_back(
        out.target
            ? *out.target
            : placeholder(kFloatTypes.contains(dtype) ? dtype : backend::floatx(),
                          rank < 0 ? PartialShape() : PartialShape::of_rank(std::max(rank, 1)),
                          {.name = out.name + "_target"}));
    if (out.weights) {
      weights_.push_back(*out.weights);
      continue;
    }
    Tensor ones(DType::f32, out.temporal ? Shape({1, 1}) : Shape({1}));
    ones.data<float>()[0] = 1;
    weights_.push_back(raw::PlaceholderWithDefault(
        ones, PartialShape::of_rank(out.temporal ? 2 : 1), {.name = out.name + "_sample_weights"}));
  }
}

namespace {

// What examples count: their weights, and nothing where the mask is false.
Output counted(Output weights, Output prediction) {
  const Output mask = rill::layers::mask_of(prediction);
  if (!mask.node) return weights;
  const Output kept = rill::cast(mask, DType::f32);
  return kept * fitted_weights(weights, kept);
}

}  // namespace

void Training::add_metrics() {
  const NameScope in("metrics");
  for (std::size_t i = 0; i < request_.outputs.size(); ++i) {
    const TrainedOutput& out = request_.outputs[i];
    for (const TrainedMetric& metric : out.metrics) {
      std::optional<Output> weights;
      const Output mask = rill::layers::mask_of(out.prediction);
      if (metric.weighted)
        weights = counted(weights_[i], out.prediction);
      else if (mask.node)
        weights = rill::cast(mask, DType::f32);
      names_.push_back(metric.name);
      results_.push_back(metric.result(targets_[i], out.prediction, weights));
    }
  }
  for (const auto& [name, result] : request_.more_metrics) {
    names_.push_back(name);
    results_.push_back(result);
  }
}

void Training::add_losses() {
  const NameScope in("loss");
  std::vector<Output> own;
  std::vector<std::string> own_names;
  const std::size_t trained = static_cast<std::size_t>(std::ranges::count_if(
      request_.outputs, [](const TrainedOutput& out) { return bool(out.loss); }));
  for (std::size_t i = 0; i < request_.outputs.size(); ++i) {
    const TrainedOutput& out = request_.outputs[i];
    if (!out.loss) continue;
    Output loss;
    {
      const NameScope of_output(out.name + "_loss");
      const Output each = out.loss(targets_[i], out.prediction);
      const Reduction how =
          out.reduction == Reduction::kNone ? Reduction::kSumOverBatchSize : out.reduction;
      loss = weighted_loss(each, counted(weights_[i], out.prediction), how);
    }
    if (trained > 1 && request_.mean_of) {
      own_names.push_back(out.name + "_loss");
      own.push_back(request_.mean_of(own_names.back(), loss));
    }
    const Output scaled = out.loss_weight * loss;
    loss_ = loss_.node ? loss_ + scaled : scaled;
  }
  if (request_.losses) {
    const std::vector<Output> more = request_.losses();
    if (!more.empty()) {
      Output sum = more[0];
      for (std::size_t i = 1; i < more.size(); ++i) sum = sum + more[i];
      if (sum.shape().rank() != 0) sum = reduce_mean(sum);
      loss_ = loss_.node ? loss_ + sum : raw::Identity(sum);
    }
  }
  require(loss_.node != nullptr,
          "The model cannot be compiled because it has no loss to optimize.");
  own.insert(own.begin(), loss_);
  own_names.insert(own_names.begin(), "loss");
  results_.insert(results_.begin(), own.begin(), own.end());
  names_.insert(names_.begin(), own_names.begin(), own_names.end());
}

Node* Training::optimization() {
  if (optimization_) return *optimization_;
  std::vector<Node*> all{loss_.node};
  {
    const NameScope in("training");
    if (Node* update = request_.optimize ? request_.optimize(loss_) : nullptr)
      all.push_back(update);
  }
  if (request_.updates)
    for (Node* update : request_.updates()) all.push_back(update);
  const NameScope again("training");
  optimization_ = &train::group_all(all);
  return *optimization_;
}

// --- runs ----------------------------------------------------------------------------------------

std::vector<Feed> Training::feeds(const Examples& batch, bool training) const {
  require(batch.x.size() == request_.inputs.size(), "the model has ", request_.inputs.size(),
          " inputs and was given ", batch.x.size(), " arrays");
  std::vector<Feed> all;
  for (std::size_t i = 0; i < batch.x.size(); ++i)
    all.push_back({request_.inputs[i], fed_value(request_.inputs[i], batch.x[i])});
  std::size_t next = 0;
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    if (!targets_[i].node || request_.outputs[i].target) continue;
    require(next < batch.y.size(), "the model was given ", batch.y.size(),
            " arrays of targets, which is not enough");
    all.push_back({targets_[i], fed_value(targets_[i], batch.y[next])});
    if (next < batch.sample_weights.size() && batch.sample_weights[next].has_value())
      all.push_back({weights_[i], fed_value(weights_[i], batch.sample_weights[next])});
    ++next;
  }
  if (training && backend::has_learning_phase())
    all.push_back({backend::learning_phase().output(), Tensor::scalar(true)});
  return all;
}

namespace {

double as_double(const Tensor& value) {
  switch (value.dtype()) {
    case DType::f64:
      return value.scalar_value<double>();
    case DType::f32:
      return value.scalar_value<float>();
    case DType::f16:
      return static_cast<float>(value.scalar_value<half>());
    case DType::i32:
      return value.scalar_value<std::int32_t>();
    case DType::i64:
      return static_cast<double>(value.scalar_value<std::int64_t>());
    default:
      raise(Code::kInvalidArgument, "a metric is no number: ", value.dtype());
  }
}
// The mean of results that are not one number.
double as_number(const Tensor& value) {
  if (value.element_count() == 1) return as_double(value.reshaped(Shape()));
  double sum = 0;
  const Tensor flat = value.reshaped(Shape({value.element_count()}));
  for (std::int64_t i = 0; i < flat.element_count(); ++i)
    sum += as_double(flat.slice(i, i + 1).reshaped(Shape()));
  return flat.element_count() == 0 ? 0 : sum / static_cast<double>(flat.element_count());
}
std::vector<double> numbers(const std::vector<Tensor>& values) {
  std::vector<double> all;
  for (const Tensor& value : values) all.push_back(as_number(value));
  return all;
}

}  // namespace

std::vector<double> Training::train_on_batch(const Run& run, const Examples& batch) {
  std::vector<Node*> nodes = state_updates_;
  nodes.push_back(optimization());
  return numbers(run(feeds(batch, true), results_, nodes));
}

std::vector<double> Training::test_on_batch(const Run& run, const Examples& batch) {
  return numbers(run(feeds(batch, false), results_, state_updates_));
}

void Training::reset_metrics(const Run& run) const {
  if (metric_variables.empty()) return;
  std::vector<Node*> initializers;
  for (const Variable& variable : metric_variables) {
    if (!variable.is_eager()) {
      initializers.push_back(&variable.initializer());
      continue;
    }
    const AsDefault eagerly(eager_graph());
    variable.assign_op(Tensor::zeros(variable.dtype(), variable.shape().full()));
  }
  if (!initializers.empty()) run({}, {}, initializers);
}

Logs Training::logs(const std::vector<double>& values, const char* prefix) const {
  Logs all;
  for (std::size_t i = 0; i < values.size(); ++i)
    all.emplace_back(prefix + names_.at(i), values[i]);
  return all;
}

}  // namespace rill::keras
