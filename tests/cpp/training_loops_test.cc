#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "rill/api/core/collections.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/gen/math.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/train/global_step.h"
#include "rill/api/train/optimizers.h"
#include "rill/api/training/basic_hooks.h"
#include "rill/api/training/create_train_op.h"
#include "rill/api/training/evaluation.h"
#include "rill/api/variables/variable_lists.h"

namespace rill::contrib::training {
namespace {

using rill::train::make_hook;

class TrainingLoops : public testing::Test {
 protected:
  TrainingLoops() {
    static int count = 0;
    directory_ = testing::TempDir() + "rill_loops_" + std::to_string(count++);
    std::filesystem::remove_all(directory_);
  }
  ~TrainingLoops() override {
    summaries::FileWriterCache::clear();
    std::filesystem::remove_all(directory_);
  }

  static Variable weight() { return Variable(4.0f, {.name = "weight"}); }
  // The last loss of a training of four steps.
  float trained() {
    const AsDefault graph(make_graph());
    const Variable w = weight();
    rill::train::GradientDescentOptimizer optimizer(0.125);
    const Output op = create_train_op(raw::Mul(w, w), optimizer);
    return train(op, directory_,
                 {.hooks = {make_hook<rill::train::StopAtStepHook>({.last_step = 4})},
                  .save_summaries_steps = 0})
        .scalar_value<float>();
  }

  std::string directory_;
  const float value_ = 4 * std::pow(0.75f, 4.0f);  // of the weight after four steps
};

TEST_F(TrainingLoops, trains_and_evaluates) {
  EXPECT_FLOAT_EQ(trained(), 16 * std::pow(0.75f, 6.0f));
  const AsDefault graph(make_graph());
  const Variable w = weight();
  const Variable total(
      0.0f, {.trainable = false, .collections = {{GraphKeys::LOCAL_VARIABLES}}, .name = "total"});
  rill::train::get_or_create_global_step();
  const auto values = evaluate_once(*rill::train::latest_checkpoint(directory_),
                                    {.eval_ops = {total.assign_add(w)},
                                     .final_ops = {total.snapshot(), w.snapshot()},
                                     .hooks = {make_hook<rill::train::StopAfterNEvalsHook>(3)}});
  ASSERT_EQ(values.size(), 2u);
  EXPECT_FLOAT_EQ(values[0].scalar_value<float>(), 3 * value_);
  EXPECT_FLOAT_EQ(values[1].scalar_value<float>(), value_);
}

TEST_F(TrainingLoops, evaluates_until_no_checkpoint_comes) {
  trained();
  const AsDefault graph(make_graph());
  const Variable w = weight();
  rill::train::get_or_create_global_step();
  int asked = 0;
  EvaluateRepeatedlyOptions options;
  options.final_ops = {w.snapshot()};
  options.eval_interval_secs = 0;
  options.timeout = 0.05;
  options.timeout_fn = [&] { return ++asked == 2; };
  EXPECT_FLOAT_EQ(evaluate_repeatedly(directory_, options).at(0).scalar_value<float>(), value_);
  EXPECT_EQ(asked, 2);
}

TEST_F(TrainingLoops, needs_a_directory_for_what_it_saves) {
  const AsDefault graph(make_graph());
  const Variable w = weight();
  EXPECT_THROW(train(w.value(), "", {.save_checkpoint_secs = 0}), Error);
  EXPECT_THROW(train(w.value(), "", {.save_summaries_steps = 0}), Error);
}

TEST_F(TrainingLoops, transforms_gradients) {
  const auto graph = make_graph();
  const AsDefault inside(graph);
  const Variable w = weight(), other(1.0f, {.name = "other"});
  rill::train::GradientDescentOptimizer optimizer(1.0);
  const Output op =
      create_train_op(raw::Mul(w, w), optimizer,
                      {.transform_grads_fn =
                           [](Gradients gradients) {
                             return clip_gradient_norms(
                                 multiply_gradients(std::move(gradients), {{"weight", 2.0}}), 0.5);
                           },
                       .summarize_gradients = true});
  EXPECT_EQ(op.name(), "train_op/control_dependency:0");
  EXPECT_NE(graph->find("summarize_grads/weight_gradient_norm"), nullptr);
  EXPECT_EQ(get_tensor_collection(GraphKeys::TRAIN_OP), std::vector<Output>{op});
  Node& init = global_variables_initializer();
  Session session(graph);
  session.run(init);
  EXPECT_EQ(session.run(op).scalar_value<float>(), 16);
  EXPECT_EQ(session.run(w.snapshot()).scalar_value<float>(), 3.5f);
  EXPECT_EQ(session.run(rill::train::get_global_step().snapshot()).scalar_value<std::int64_t>(), 1);
  EXPECT_THROW(multiply_gradients({{{}, other}}, {{"other", 2.0}}), Error);
}

}  // namespace
}  // namespace rill::contrib::training
