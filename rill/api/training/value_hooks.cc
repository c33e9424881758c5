#include "rill/api/training/value_hooks.h"

#include <cmath>

#include "rill/api/logging/tf_logging.h"

namespace rill::train {
namespace {

bool is_nan(const Tensor& value) {
  switch (value.dtype()) {
    case DType::f32:
      return std::isnan(value.scalar_value<float>());
    case DType::f64:
      return std::isnan(value.scalar_value<double>());
    case DType::f16:
      return std::isnan(static_cast<float>(value.scalar_value<half>()));
    case DType::bf16:
      return std::isnan(static_cast<float>(value.scalar_value<bfloat16>()));
    default:
      return false;  // numbers of other types are always numbers
  }
}

}  // namespace

std::optional<SessionRunArgs> NanTensorHook::before_run(SessionRunContext&) {
  if (!loss_.node) loss_ = loss_tensor_.find();
  return SessionRunArgs{.fetches = {loss_}};
}

void NanTensorHook::after_run(SessionRunContext& context, const SessionRunValues& values) {
  if (!is_nan(values.results.at(0))) return;
  constexpr const char* kText = "Model diverged with loss = NaN.";
  if (fails_) {
    logging::error(kText);
    throw NanLossDuringTrainingError();
  }
  logging::warning(kText);
  context.request_stop();
}

std::optional<SessionRunArgs> FeedFnHook::before_run(SessionRunContext&) {
  return SessionRunArgs{.feed_dict = feed_fn_()};
}

void FinalOpsHook::warn_of_input() {
  logging::warning(
      "An OutOfRangeError or StopIteration exception is raised by the code in FinalOpsHook. This ",
      "typically means the Ops running by the FinalOpsHook have a dependency back to some input ",
      "source, which should not happen. For metrics, the value op should read variables only, and ",
      "the update op alone should read another batch of the input. Please fix that.");
}

void FinalOpsHook::end(Session& session) {
  if (ops_.empty()) return;
  std::vector<Output> fetches;
  std::vector<Node*> targets;
  for (const Runnable& op : ops_) {
    if (op.is_operation())
      targets.push_back(&op.node());
    else
      fetches.push_back(op.tensor());
  }
  std::vector<Tensor> results;
  try {
    results = session.run(feeds_, fetches, targets);
  } catch (const Error& error) {
    if (error.code() == Code::kOutOfRange) warn_of_input();
    throw;
  }
  values_.clear();
  std::size_t next = 0;
  for (const Runnable& op : ops_)
    values_.push_back(op.is_operation() ? Tensor() : std::move(results[next++]));
}

}  // namespace rill::train
