#include <gtest/gtest.h>

#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/train/adam.h"
#include "rill/api/train/clip_ops.h"
#include "rill/api/train/decoupled_weight_decay.h"
#include "rill/api/train/global_step.h"
#include "rill/api/train/learning_rate_decay.h"
#include "rill/api/train/moving_average_optimizer.h"
#include "rill/api/train/moving_averages.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

class TrainApi : public testing::Test {
 protected:
  // Runs the initializers of all variables.
  void initialize() {
    for (auto& state :
         collections_of(*graph_).collected<VariableState>(GraphKeys::GLOBAL_VARIABLES))
      run(*state->initializer);
  }
  void run(Node& node) {
    Node* const target = &node;
    session_.run({}, {}, std::span(&target, 1));
  }
  Tensor value(Output output) { return session_.run({}, std::span(&output, 1)).at(0); }
  std::vector<float> values(Output output) {
    const Tensor fetched = value(output);
    const auto* data = fetched.data<float>();
    return {data, data + fetched.element_count()};
  }

  std::shared_ptr<Graph> graph_ = make_graph();
  AsDefault as_default_{graph_};
  Session session_{graph_};
};

Output mean_square(Output x) {
  return raw::Mean(raw::Square(x), Tensor::vector<std::int32_t>({0, 1}));
}

TEST_F(TrainApi, linear_regression) {
  const Output x = constant(Tensor::of<float>({4, 1}, {0, 1, 2, 3}));
  const Output y = constant(Tensor::of<float>({4, 1}, {1, 3, 5, 7}));
  const Variable w(Tensor::of<float>({1, 1}, {0}), {.name = "w"});
  const Variable b(Tensor::vector<float>({0}), {.name = "b"});
  const Output predicted = raw::AddV2(raw::MatMul(x, w), b);
  const Output loss = mean_square(raw::Sub(predicted, y));
  const Variable step = train::get_or_create_global_step();
  Node& update = train::GradientDescentOptimizer(0.1).minimize(loss, {.global_step = step});
  EXPECT_EQ(update.name(), "GradientDescent");
  EXPECT_EQ(update.op().name, "AssignAdd");
  initialize();
  for (int i = 0; i < 300; ++i) run(update);
  EXPECT_NEAR(values(w.value()).at(0), 2.0f, 1e-2f);
  EXPECT_NEAR(values(b.value()).at(0), 1.0f, 1e-2f);
  EXPECT_EQ(value(step.value()).scalar_value<std::int64_t>(), 300);
}

TEST_F(TrainApi, perceptron_with_adam) {
  for (const bool resource : {false, true}) {
    const NameScope named(resource ? "resource" : "ref");
    const Output x = constant(Tensor::of<float>({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1}));
    const Output y = constant(Tensor::of<float>({4, 1}, {0, 1, 1, 0}));
    const Variable w1(Tensor::of<float>({2, 3}, {0.5f, -0.6f, 0.9f, -0.7f, 0.8f, 0.4f}),
                      {.use_resource = resource, .name = "w1"});
    const Variable b1(Tensor::vector<float>({0.1f, -0.1f, 0.2f}),
                      {.use_resource = resource, .name = "b1"});
    const Variable w2(Tensor::of<float>({3, 1}, {0.7f, 0.9f, -0.8f}),
                      {.use_resource = resource, .name = "w2"});
    const Output hidden = raw::Tanh(raw::AddV2(raw::MatMul(x, w1), b1));
    const Output loss = mean_square(raw::Sub(raw::MatMul(hidden, w2), y));
    train::AdamOptimizer adam(0.05);
    Node& update = adam.minimize(loss, {.var_list = {{w1, b1, w2}}});
    initialize();
    const float before = values(loss).at(0);
    for (int i = 0; i < 200; ++i) run(update);
    EXPECT_LT(values(loss).at(0), before / 20);
    EXPECT_EQ(adam.get_slot_names(), (std::vector<std::string>{"m", "v"}));
    EXPECT_EQ(adam.get_slot(w1, "v").op().name(), w1.op().name() + "/Adam_1");
    EXPECT_EQ(adam.variables().size(), 8u);
  }
}

TEST_F(TrainApi, moving_average) {
  const Variable w(Tensor::vector<float>({1, 2}), {.name = "w"});
  train::ExponentialMovingAverage averages(0.5);
  Node& update = averages.apply({{w}});
  const Variable average = averages.average(w);
  EXPECT_EQ(average.name(), "w/ExponentialMovingAverage:0");
  const Output changed = w.assign(Tensor::vector<float>({3, 6}));
  initialize();
  run(*changed.node);
  run(update);
  EXPECT_EQ(values(average.value()), (std::vector<float>{2, 4}));
  averages.apply({{w}});  // again: the same average
  EXPECT_EQ(averages.average(w).name(), average.name());
}

TEST_F(TrainApi, own_optimizer) {
  // Moves against the sign of the gradient.
  class SignOptimizer : public train::Optimizer {
   public:
    SignOptimizer() : Optimizer(false, "Sign") {}
    Node& apply_dense(Output grad, const Variable& var) override {
      return *var.assign_sub(raw::Sign(grad)).node;
    }
  };
  const Variable w(Tensor::vector<float>({5, -5}), {.name = "w"});
  const Output loss = raw::Sum(raw::Square(w), Tensor::vector<std::int32_t>({0}));
  Node& update = SignOptimizer().minimize(loss);
  EXPECT_EQ(update.name(), "Sign");
  initialize();
  run(update);
  EXPECT_EQ(values(w.value()), (std::vector<float>{4, -4}));
}

TEST_F(TrainApi, constraint_is_applied_after_the_update) {
  const Variable w(
      Tensor::vector<float>({1, 2}),
      {.constraint = [](const Variable& v) { return raw::Maximum(v, 0.9); }, .name = "w"});
  const Output loss = raw::Sum(raw::Square(w), Tensor::vector<std::int32_t>({0}));
  Node& update = train::GradientDescentOptimizer(0.1).minimize(loss);
  initialize();
  run(update);
  EXPECT_EQ(values(w.value()), (std::vector<float>{0.9f, 1.6f}));
}

TEST_F(TrainApi, decoupled_weight_decay) {
  const Variable w(Tensor::vector<float>({1, 2}), {.name = "w"});
  const Variable b(Tensor::vector<float>({1, 2}), {.name = "b"});
  const Output loss =
      raw::Sum(raw::AddV2(raw::Square(w), raw::Square(b)), Tensor::vector<std::int32_t>({0}));
  train::AdamWOptimizer adam(0.5, 0.0);
  adam.set_decay_var_list({w});
  Node& update = adam.minimize(loss);
  initialize();
  run(update);
  EXPECT_EQ(values(w.value()), (std::vector<float>{0.5f, 1.0f}));
  EXPECT_EQ(values(b.value()), (std::vector<float>{1.0f, 2.0f}));
}

TEST_F(TrainApi, averages_of_trained_variables) {
  const Variable w(Tensor::vector<float>({1}), {.use_resource = true, .name = "w"});
  train::MovingAverageOptimizer optimizer(std::make_shared<train::GradientDescentOptimizer>(0.25),
                                          {.average_decay = 0.5});
  Node& update = optimizer.minimize(raw::Sum(raw::Square(w), Tensor::vector<std::int32_t>({0})));
  EXPECT_EQ(update.name(), "train_with_avg");
  initialize();
  run(update);
  EXPECT_EQ(values(w.value()), std::vector<float>{0.5f});
  EXPECT_EQ(values(optimizer.average(w).value()), std::vector<float>{0.75f});
}

TEST_F(TrainApi, schedules_and_clipping) {
  const Output rate = train::exponential_decay(0.1, 100, 100, 0.5);
  EXPECT_EQ(rate.name(), "ExponentialDecay:0");
  EXPECT_FLOAT_EQ(values(rate).at(0), 0.05f);
  EXPECT_FLOAT_EQ(values(train::piecewise_constant(7, {5, 10}, {1.0, 2.0, 3.0})).at(0), 2.0f);
  EXPECT_THROW(train::piecewise_constant(7, {5, 10}, {1.0, 2.0}), Error);
  const auto [clipped, norm] =
      clip_by_global_norm({constant({3.0f}), Gradient(), constant({4.0f})}, 1.0);
  EXPECT_FLOAT_EQ(values(norm).at(0), 5.0f);
  EXPECT_FLOAT_EQ(values(clipped[0].dense()).at(0), 0.6f);
  EXPECT_TRUE(clipped[1].empty());
}

TEST_F(TrainApi, tells_what_is_wrong) {
  const Variable w(Tensor::vector<float>({1, 2}), {.name = "w"});
  train::GradientDescentOptimizer descent(0.1);
  EXPECT_THROW(descent.minimize(constant(1.0)), Error);         // no gradient
  EXPECT_THROW(descent.compute_gradients(constant(1)), Error);  // an integer
  EXPECT_THROW(descent.apply_gradients({}), Error);             // nothing
  EXPECT_THROW(train::AdagradOptimizer(0.1, {.initial_accumulator_value = 0}), Error);
  EXPECT_THROW(train::Optimizer(false, ""), Error);
}

}  // namespace
}  // namespace rill
