#include <gtest/gtest.h>

#include <cstdlib>

#include "rill/api/estimator/core/add_metrics.h"
#include "rill/api/estimator/core/estimator.h"
#include "rill/api/estimator/core/estimator_spec.h"
#include "rill/api/estimator/core/repeated_graph.h"
#include "rill/api/metrics/metrics.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/api/train/global_step.h"
#include "rill/api/training/basic_hooks.h"
#include "rill/base/file_testing.h"
#include "rill/base/files.h"
#include "rill/rill.h"

namespace rill::estimator {
namespace {

const Tensor kFeatures = Tensor::of<float>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
const Tensor kLabels = Tensor::of<float>({4, 1}, {1, 2, 3, 4});

InputFn training_pairs(std::int64_t batch, std::int64_t epochs) {
  return [=](Mode, const RunConfig&) {
    return BatchDataset{
        data::Dataset::from_tensor_slices({kFeatures, kLabels}).repeat(epochs).batch(batch),
        [](const data::Components& parts) {
          return InputBatch{.features = {{"x", parts[0]}}, .labels = {{"", parts[1]}}};
        }};
  };
}

// y = w x + b, by gradient descent.
EstimatorSpec linear(const InputBatch& batch, Mode mode, const RunConfig&) {
  const Output y = layers::dense(batch.features.at("x").tensor(), 1,
                                 {.kernel_initializer = ones_initializer(), .name = "linear"});
  if (mode == Mode::kPredict) return {.mode = mode, .predictions = {{"y", y}}};
  const Output labels = batch.labels.at("").tensor();
  const Output loss = losses::mean_squared_error(labels, y);
  const metrics::Metric error = metrics::mean_absolute_error(labels, y);
  return {.mode = mode,
          .predictions = {{"y", y}},
          .loss = loss,
          .train_op = train::GradientDescentOptimizer(0.01f).minimize(
              loss, {.global_step = train::get_global_step()}),
          .eval_metric_ops = {{"error", {error.value, error.update_op}}}};
}

class EstimatorTest : public testing::Test {
 protected:
  ScratchDirectory directory;
  Estimator model{linear, {.model_dir = directory.path()}};

  std::vector<float> predicted(const InputFn& input) {
    std::vector<float> values;
    Predictions found = model.predict(input);
    while (auto row = found.next()) values.push_back(row->at("y").data<float>()[0]);
    return values;
  }
};

std::int64_t step(const Tensor& tensor) { return *tensor.data<std::int64_t>(); }

TEST_F(EstimatorTest, TrainsAndGoesOn) {
  model.train(training_pairs(2, -1), {.steps = 3});
  EXPECT_EQ(step(model.get_variable_value("global_step")), 3);
  model.train(training_pairs(2, -1), {.max_steps = 5});
  EXPECT_EQ(step(model.get_variable_value("global_step")), 5);
  model.train(training_pairs(2, -1), {.max_steps = 5});
  EXPECT_EQ(*model.latest_checkpoint(), directory / "model.ckpt-5");
  EXPECT_EQ(model.get_variable_names(),
            (std::vector<std::string>{"global_step", "linear/bias", "linear/kernel"}));
}

TEST_F(EstimatorTest, EvaluatesAndWrites) {
  model.train(training_pairs(4, 3));
  const Values found = model.evaluate(training_pairs(2, 1), {.name = "test"});
  EXPECT_EQ(step(found.at("global_step")), 3);
  EXPECT_GT(*found.at("loss").data<float>(), 0);
  EXPECT_TRUE(found.contains("error"));
  EXPECT_TRUE(is_directory(model.eval_dir("test")));
}

TEST_F(EstimatorTest, PredictsTheSameAgain) {
  model.train(training_pairs(2, 1));
  const std::vector<float> first = predicted(training_pairs(2, 1));
  EXPECT_EQ(first.size(), 4u);
  EXPECT_EQ(predicted(training_pairs(2, 1)), first);
  model.train(training_pairs(2, 1));
  EXPECT_NE(predicted(training_pairs(2, 1)), first);
}

TEST_F(EstimatorTest, StartsWithWhatAnotherHasLearned) {
  model.train(training_pairs(2, 1));
  ScratchDirectory other;
  Estimator second(linear, {.model_dir = other.path(), .warm_start_from = directory.path()});
  Predictions found = second.predict(training_pairs(2, 1));
  EXPECT_EQ(found.next()->at("y").data<float>()[0], predicted(training_pairs(2, 1))[0]);
}

TEST_F(EstimatorTest, AddsMetrics) {
  const auto more = add_metrics(model, [](const InputBatch& batch, const auto& predictions) {
    const metrics::Metric mean = metrics::mean(predictions.at("y"));
    EXPECT_TRUE(batch.features.contains("x"));
    return std::map<std::string, EvalMetric>{{"mean_y", {mean.value, mean.update_op}}};
  });
  const Values found = more->evaluate(training_pairs(2, 1));
  EXPECT_TRUE(found.contains("mean_y"));
  EXPECT_TRUE(found.contains("error"));
}

TEST_F(EstimatorTest, RefusesWhatMakesNoSense) {
  EXPECT_THROW(model.train(training_pairs(2, 1), {.steps = 1, .max_steps = 1}), Error);
  EXPECT_THROW(model.train(training_pairs(2, 1), {.steps = 0}), Error);
  EXPECT_THROW(model.evaluate(training_pairs(2, 1), {.steps = 0}), Error);
  EXPECT_THROW(model.get_variable_names(), Error);
  EXPECT_THROW(model.predict(training_pairs(2, 1), {.predict_keys = {"no"}}), Error);
  Estimator without_loss(
      [](const InputBatch&, Mode mode, const RunConfig&) { return EstimatorSpec{.mode = mode}; });
  EXPECT_THROW(without_loss.train(training_pairs(2, 1)), Error);
}

TEST_F(EstimatorTest, HooksTakePart) {
  struct Counting : train::SessionRunHook {
    int steps = 0;
    bool ended = false;
    void after_run(train::SessionRunContext&, const train::SessionRunValues&) override { ++steps; }
    void end(Session&) override { ended = true; }
  };
  const auto hook = std::make_shared<Counting>();
  model.train(training_pairs(2, 2), {.hooks = {hook}});
  EXPECT_EQ(hook->steps, 4);
  EXPECT_TRUE(hook->ended);
}

TEST(RunConfigTest, ReadsTasks) {
  const char* const cluster =
      R"({"cluster": {"chief": ["c:1"], "ps": ["p:1"], "worker": ["w:1", "w:2"]}, "task": )";
  const auto task = [&](const std::string& text) { return parse_tf_config(cluster + text + "}"); };
  const TaskConfig worker = task(R"({"type": "worker", "index": 1})");
  EXPECT_EQ(worker.master, "grpc://w:2");
  EXPECT_EQ(worker.num_worker_replicas, 3);
  EXPECT_EQ(worker.global_id_in_cluster, 2);
  EXPECT_FALSE(worker.is_chief);
  const TaskConfig ps = task(R"({"type": "ps", "index": 0})");
  EXPECT_EQ(ps.global_id_in_cluster, 3);
  const TaskConfig evaluator = task(R"({"type": "evaluator", "index": 0})");
  EXPECT_TRUE(evaluator.cluster_spec.empty());
  EXPECT_FALSE(evaluator.global_id_in_cluster.has_value());
  EXPECT_THROW(task(R"({"type": "worker", "index": 2})"), Error);
  EXPECT_THROW(parse_tf_config(R"({"task": {"type": "ps"}})"), Error);
}

TEST(RunConfigTest, ChecksValues) {
  EXPECT_EQ(RunConfig().save_checkpoints_secs, 600);
  EXPECT_FALSE(RunConfig({.save_checkpoints_steps = 5}).save_checkpoints_secs.has_value());
  EXPECT_THROW(RunConfig({.save_checkpoints_steps = 5, .save_checkpoints_secs = 5}), Error);
  EXPECT_THROW(RunConfig({.keep_checkpoint_max = -1}), Error);
  EXPECT_THROW(RunConfig({.protocol = "http"}), Error);
}

TEST(RepeatedGraphTest, TellsGraphsApart) {
  const auto build = [](float data, float factor) {
    auto graph = make_graph();
    const AsDefault in_graph(graph);
    const auto iterator = data::Dataset::from_tensors({data}).make_initializable_iterator();
    multiply(iterator.next_tensors()[0], factor, {.name = "y"});
    return graph;
  };
  const auto graph = build(1, 2);
  const int count = graph->node_count();
  EXPECT_EQ(differing_data(*graph, *build(1, 2), count)->size(), 0u);
  EXPECT_EQ(differing_data(*graph, *build(3, 2), count)->size(), 1u);     // other data
  EXPECT_FALSE(differing_data(*graph, *build(1, 3), count).has_value());  // another model
}

TEST(RepeatedGraphTest, TablesAreNamedAtRandom) {
  const auto build = [] {
    auto graph = make_graph();
    const AsDefault in_graph(graph);
    const Tensor words = Tensor::of<std::string>({2}, {"a", "b"});
    const Tensor ids = Tensor::of<std::int64_t>({2}, {1, 2});
    lookup::StaticHashTable(lookup::KeyValueTensorInitializer(words, ids), std::int64_t{-1});
    return graph;
  };
  const auto graph = build();
  EXPECT_EQ(differing_data(*graph, *build(), graph->node_count())->size(), 0u);
}

TEST(RepeatedGraphTest, IteratorsAreRepeatableOnlyWithTheirInitializer) {
  const AsDefault in_graph(make_graph());
  const auto iterator = data::Dataset::from_tensors({1.0f}).make_initializable_iterator();
  Node* const next = iterator.next_tensors()[0].node;
  EXPECT_FALSE(leaves_no_trace(std::vector<Node*>{next}));
  EXPECT_TRUE(leaves_no_trace(std::vector<Node*>{next, &iterator.initializer()}));
  const auto once = data::Dataset::from_tensors({1.0f}).make_one_shot_iterator();
  EXPECT_FALSE(leaves_no_trace(std::vector<Node*>{once.next_tensors()[0].node}));
}

TEST(RepeatedGraphTest, WritesAndRandomOpsAreNotRepeatable) {
  const AsDefault in_graph(make_graph());
  const Variable v(1.0f, {.name = "v"});
  Node* const reads = identity(v).node;
  Node* const writes = v.assign_add(1.0f).node;
  Node* const draws = random_uniform({2}).node;
  EXPECT_TRUE(leaves_no_trace(std::vector<Node*>{reads}));
  EXPECT_FALSE(leaves_no_trace(std::vector<Node*>{writes}));
  EXPECT_FALSE(leaves_no_trace(std::vector<Node*>{draws}));
}

}  // namespace
}  // namespace rill::estimator
