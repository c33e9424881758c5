#include <gtest/gtest.h>

#include <filesystem>

#include "rill/api/core/basic_ops.h"
#include "rill/api/estimator/schedule/in_memory_evaluator_hook.h"
#include "rill/api/gen/math.h"
#include "rill/api/metrics/metrics.h"
#include "rill/api/train/global_step.h"
#include "rill/api/train/optimizers.h"
#include "rill/base/files.h"
#include "rill/io/event_reader.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::estimator {
namespace {

// A weight that training makes smaller.
EstimatorSpec weight_model(const InputBatch&, Mode mode, const RunConfig&) {
  const Variable weight(4.0f, {.name = "weight"});
  const Output loss = raw::Mul(weight, weight);
  EstimatorSpec spec{.mode = mode, .loss = loss};
  if (mode == Mode::kTrain)
    spec.train_op = train::GradientDescentOptimizer(0.125).minimize(
        loss, {.global_step = train::get_global_step()});
  const auto mean = metrics::mean(weight);
  spec.eval_metric_ops["mean_weight"] = {mean.value, mean.update_op};
  return spec;
}

InputValues one_batch(Mode, const RunConfig&) {
  return InputBatch{.features = {{"x", constant(0.0f)}}};
}

TEST(InMemoryEvaluator, evaluates_the_values_of_the_training) {
  const std::string directory = testing::TempDir() + "rill_in_memory_evaluator";
  std::filesystem::remove_all(directory);
  {
    Estimator model(weight_model, {.model_dir = directory});
    const auto hook = std::make_shared<InMemoryEvaluatorHook>(
        model, one_batch, InMemoryEvaluatorHookOptions{.steps = 1, .every_n_iter = 2});
    model.train(one_batch, {.hooks = {hook}, .steps = 3});
    EXPECT_THROW(InMemoryEvaluatorHook(model, one_batch, {.every_n_iter = 0}), Error);
  }
  summaries::FileWriterCache::clear();
  std::map<std::int64_t, float> found;
  for (const std::string& path : matching_paths(directory + "/eval/events.out.*")) {
    EventReader reader(path);
    tensorflow::Event event;
    while (reader.read(&event))
      for (const auto& value : event.summary().value())
        if (value.tag() == "mean_weight") found[event.step()] = value.simple_value();
  }
  EXPECT_EQ(found, (std::map<std::int64_t, float>{{0, 4.0f}, {2, 2.25f}, {3, 1.6875f}}));
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace rill::estimator
