// Input functions over arrays, SavedModels of estimators, exporters and train_and_evaluate.
#include <gtest/gtest.h>

#include <cstdlib>

#include "rill/api/estimator/export/export_directory.h"
#include "rill/api/estimator/export/export_output.h"
#include "rill/api/estimator/input/numpy_input.h"
#include "rill/api/estimator/schedule/train_and_evaluate.h"
#include "rill/api/saver/saved_model_loader.h"
#include "rill/base/file_testing.h"
#include "rill/base/files.h"
#include "rill/messages.h"
#include "rill/rill.h"

namespace rill::estimator {
namespace {

Tensor counted_floats(Shape shape, float first = 0) {
  Tensor t(DType::f32, std::move(shape));
  for (float& value : t.flat<float>()) value = first++;
  return t;
}

// y = x w, trained by hand.
EstimatorSpec model(const InputBatch& batch, Mode mode, const RunConfig&) {
  const Variable w = get_variable("w", {2, 1}, {.initializer = zeros_initializer()});
  const Output y = matmul(batch.features.at("x").tensor(), w.snapshot());
  EstimatorSpec spec{.mode = mode, .predictions = {{"y", y}}};
  if (mode == Mode::kPredict) {
    spec.export_outputs = {{"answer", predict_output({{"y", y}})}};
    return spec;
  }
  spec.loss = losses::mean_squared_error(batch.labels.at("").tensor(), y);
  if (mode == Mode::kTrain)
    spec.train_op = train::GradientDescentOptimizer(0.01).minimize(
        spec.loss, {.global_step = train::get_global_step()});
  return spec;
}

InputFn examples(std::int64_t repeats = -1) {
  return [=](Mode, const RunConfig&) -> InputValues {
    const auto rows =
        data::Dataset::from_tensor_slices({counted_floats({6, 2}), counted_floats({6, 1}, 1)});
    return BatchDataset{
        rows.repeat(repeats).batch(2), [](const data::Components& parts) {
          return InputBatch{.features = {{"x", parts[0]}}, .labels = {{"", parts[1]}}};
        }};
  };
}

InputReceiverFn serving() {
  return build_raw_serving_input_receiver_fn({{"x", {DType::f32, PartialShape({-1, 2}), "x"}}});
}

class EstimatorExport : public testing::Test {
 protected:
  ScratchDirectory directory;
  Estimator estimator{
      model,
      {.model_dir = directory / "model", .config = RunConfig({.save_checkpoints_steps = 2})}};

  static std::vector<float> answer(const std::string& path, const std::string& key) {
    const auto values = saved_model::load(path).run({{"x", counted_floats({2, 2})}}, key);
    const auto flat = values.at("y").flat<float>();
    return {flat.begin(), flat.end()};
  }
};

TEST(EstimatorInputs, RowsOfArrays) {
  const AsDefault graph(make_graph());
  const InputFn input = inputs::numpy_input_fn(
      {{"b", counted_floats({5})}, {"a", counted_floats({5, 2})}}, {{"", counted_floats({5}, 10)}},
      {.batch_size = 3, .num_epochs = 2, .shuffle = false});
  const RunConfig config;
  const auto batch = std::get<InputBatch>(input(Mode::kTrain, config));
  const std::vector<Output> parts = {batch.features.at("a").tensor(),
                                     batch.features.at("b").tensor(), batch.labels.at("").tensor()};
  EXPECT_EQ(parts[0].name(), "fifo_queue_DequeueUpTo:1");
  Session session;
  train::Coordinator coord;
  train::start_queue_runners(session, &coord);
  std::vector<float> labels;
  try {
    for (;;) {
      const auto values = session.run(parts);
      for (const float label : values[2].flat<float>()) labels.push_back(label);
    }
  } catch (const Error& end) {
    EXPECT_EQ(end.code(), Code::kOutOfRange);
  }
  EXPECT_EQ(labels, (std::vector<float>{10, 11, 12, 13, 14, 10, 11, 12, 13, 14}));
  coord.request_stop();
  coord.join();
}

TEST(EstimatorInputs, RefusesWhatDoesNotFit) {
  EXPECT_THROW(inputs::numpy_input_fn({{"a", counted_floats({2})}}), Error);
  const AsDefault graph(make_graph());
  const RunConfig config;
  const auto input = inputs::numpy_input_fn(
      {{"a", counted_floats({2})}, {"b", counted_floats({3})}}, {}, {.shuffle = false});
  EXPECT_THROW(input(Mode::kTrain, config), Error);
}

TEST_F(EstimatorExport, WritesSavedModels) {
  estimator.train(examples(), {.steps = 3});
  const std::string path = estimator.export_saved_model(directory / "out", serving());
  EXPECT_EQ(base_name(path).size(), 10u);
  EXPECT_TRUE(file_exists(path + "/saved_model.pb"));
  const auto answers = answer(path, "answer");
  EXPECT_EQ(answers, answer(path, "serving_default"));
  EXPECT_GT(answers[1], 0);
  EXPECT_THROW(Estimator(model, {.model_dir = directory / "none"})
                   .export_saved_model(directory / "out", serving()),
               Error);
}

TEST_F(EstimatorExport, WritesWhatTrains) {
  estimator.train(examples(), {.steps = 1});
  const auto receiver =
      build_raw_supervised_input_receiver_fn({{"x", {DType::f32, PartialShape({-1, 2}), "x"}}},
                                             {{"", {DType::f32, PartialShape({-1, 1})}}});
  const std::string path = estimator.experimental_export_all_saved_models(
      directory / "out", {{Mode::kTrain, receiver}, {Mode::kPredict, serving()}});
  const auto loaded = saved_model::load(path, {"train"});
  const auto& signature = loaded.meta_graph->signature_def().at("train");
  EXPECT_EQ(signature.method_name(), "tensorflow/supervised/training");
  EXPECT_TRUE(signature.outputs().contains("loss"));
  EXPECT_TRUE(signature.outputs().contains("predictions/y"));
  EXPECT_TRUE(signature.inputs().contains("label"));
}

TEST_F(EstimatorExport, TrainsAndEvaluates) {
  const TrainSpec train{.input_fn = examples(), .max_steps = 5};
  const EvalSpec eval{.input_fn = examples(1),
                      .steps = {},
                      .exporters = {std::make_shared<FinalExporter>("final", serving()),
                                    std::make_shared<BestExporter>("best", serving())},
                      .throttle_secs = 0};
  const TrainedModel trained = train_and_evaluate(estimator, train, eval);
  EXPECT_EQ(trained.metrics.at("global_step").scalar_value<std::int64_t>(), 5);
  ASSERT_EQ(trained.exports.size(), 2u);
  ASSERT_TRUE(trained.exports[0].has_value());
  EXPECT_GT(answer(*trained.exports[0], "answer")[1], 0);
  EXPECT_FALSE(file_exists(directory / "model/unfinished"));
  EXPECT_TRUE(train_and_evaluate(estimator, train, eval).metrics.empty());
}

TEST_F(EstimatorExport, GoesOnAfterAnInterruption) {
  // Ends in the middle, as a killed process does: nothing after the checkpoint of step 4 counts.
  struct Stop : train::SessionRunHook {
    void after_run(train::SessionRunContext&, const train::SessionRunValues&) override {
      if (++steps == 5) throw std::runtime_error("killed");
    }
    int steps = 0;
  };
  const EvalSpec eval{.input_fn = examples(1), .throttle_secs = 0};
  EXPECT_ANY_THROW(train_and_evaluate(
      estimator, {.input_fn = examples(), .max_steps = 7, .hooks = {std::make_shared<Stop>()}},
      eval));
  EXPECT_TRUE(file_exists(directory / "model/unfinished/position-4.index"));
  train_and_evaluate(estimator, {.input_fn = examples(), .max_steps = 7}, eval);

  Estimator other(model, {.model_dir = directory / "other",
                          .config = RunConfig({.save_checkpoints_steps = 2})});
  train_and_evaluate(other, {.input_fn = examples(), .max_steps = 7}, eval);
  EXPECT_TRUE(identical(estimator.get_variable_value("w"), other.get_variable_value("w")));
}

TEST(EstimatorTraining, ChecksSpecs) {
  EXPECT_THROW(check(TrainSpec{.input_fn = examples(), .max_steps = 0}), Error);
  EXPECT_THROW(check(TrainSpec{}), Error);
  EXPECT_THROW(check(EvalSpec{.input_fn = examples(), .steps = 0}), Error);
  EXPECT_THROW(check(EvalSpec{.input_fn = examples(), .throttle_secs = -1}), Error);
  const auto twice = std::make_shared<FinalExporter>("same", serving());
  EXPECT_THROW(check(EvalSpec{.input_fn = examples(), .exporters = {twice, twice}}), Error);
  EXPECT_THROW(LatestExporter("a", serving(), {.exports_to_keep = 0}), Error);
}

TEST(EstimatorTraining, KnowsItsRole) {
  const auto role = [](const char* type, std::int64_t id = 0) {
    TaskConfig task;
    task.cluster_spec = {{"chief", {"a:1"}}, {"worker", {"b:1"}}, {"ps", {"c:1"}}};
    task.task_type = type;
    task.task_id = id;
    return role_of(task);
  };
  EXPECT_EQ(role_of(TaskConfig()), Role::kLocal);
  EXPECT_EQ(role("chief"), Role::kChief);
  EXPECT_EQ(role("evaluator"), Role::kEvaluator);
  EXPECT_THROW(role("evaluator", 1), Error);
  EXPECT_THROW(role("boss"), Error);
  TaskConfig ps;
  ps.cluster_spec = {{"ps", {"a:1"}}};
  ps.task_type = "ps";
  EXPECT_THROW(start_server(ps), Error);
}

TEST(EstimatorTraining, KeepsTheLatestExports) {
  ScratchDirectory directory;
  for (const char* name : {"1000000001", "1000000003", "1000000002", "temp-1000000009", "notes"})
    make_directories(directory / name);
  delete_old_exports(directory.path(), 2);
  EXPECT_FALSE(file_exists(directory / "1000000001"));
  for (const char* name : {"1000000003", "1000000002", "temp-1000000009", "notes"})
    EXPECT_TRUE(file_exists(directory / name)) << name;
}

TEST(EstimatorTraining, ComparesLosses) {
  const Values small{{"loss", Tensor::scalar(1.0f)}}, large{{"loss", Tensor::scalar(2.0f)}};
  EXPECT_TRUE(loss_smaller(large, small));
  EXPECT_FALSE(loss_smaller(small, large));
  EXPECT_THROW(loss_smaller({}, small), Error);
}

}  // namespace
}  // namespace rill::estimator
