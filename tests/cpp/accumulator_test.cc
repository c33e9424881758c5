// Accumulators and barriers that somebody waits at. What the ops compute, tests/golden/control
// tells.
#include <gtest/gtest.h>

#include <thread>

#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

using Feeds = std::vector<Feed>;

class CollectorTest : public testing::Test {
 protected:
  Output op(std::string_view type, std::vector<InputArg> inputs, AttrMap attrs = {}) {
    return scope_.add(type, std::move(inputs), std::move(attrs)).output();
  }
  Node* target(std::string_view type, std::vector<InputArg> inputs, AttrMap attrs = {}) {
    return &scope_.add(type, std::move(inputs), std::move(attrs));
  }
  void expect_code(Code code, Output fetch) {
    try {
      session_.run({}, {{fetch}}, {}, {.timeout_ms = 30});
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
    }
  }

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Scope scope_{*graph_};
  Output x_ = op("Placeholder", {}, {{"dtype", DType::f32}, {"shape", PartialShape{}}});
  Session session_{graph_};
};

TEST_F(CollectorTest, a_taker_waits_for_enough_gradients) {
  const Output accumulator =
      op("ResourceConditionalAccumulator", {}, {{"dtype", DType::f32}, {"shape", PartialShape{2}}});
  Node* add = target("ResourceAccumulatorApplyGradient",
                     {accumulator, Tensor::scalar<std::int64_t>(1 << 20), x_});
  const Output take =
      op("ResourceAccumulatorTakeGradient", {accumulator, 80}, {{"dtype", DType::f32}});
  expect_code(Code::kDeadlineExceeded, take);
  std::vector<std::thread> workers;
  for (int w = 0; w < 4; ++w)
    workers.emplace_back([&, w] {
      const Feeds feeds{{x_, Tensor::vector<float>({1, static_cast<float>(w)})}};
      for (int i = 0; i < 20; ++i) session_.run(feeds, {}, {{add}});
    });
  EXPECT_TRUE(identical(session_.run({}, {{take}})[0], Tensor::vector<float>({1, 1.5})));
  for (std::thread& worker : workers) worker.join();
}

TEST_F(CollectorTest, an_accumulator_of_one_kind_refuses_the_other) {
  const AttrMap floats{{"dtype", DType::f32}};
  const Output dense =
      op("ConditionalAccumulator", {}, {{"dtype", DType::f32}, {"shape", PartialShape{2}}});
  const Output sparse =
      op("SparseConditionalAccumulator", {}, {{"dtype", DType::f32}, {"shape", PartialShape{2}}});
  expect_code(Code::kInvalidArgument, op("SparseAccumulatorTakeGradient", {dense, 1}, floats));
  expect_code(Code::kInvalidArgument, op("AccumulatorTakeGradient", {sparse, 1}, floats));
  expect_code(Code::kInvalidArgument,
              op("AccumulatorTakeGradient", {dense, 1}, {{"dtype", DType::f64}}));
}

TEST_F(CollectorTest, a_taker_waits_for_complete_elements) {
  const std::vector<DType> types{DType::f32, DType::f32};
  const Output barrier =
      op("Barrier", {},
         {{"component_types", types}, {"shapes", std::vector(2, PartialShape::scalar())}});
  const Output keys = op("Placeholder", {}, {{"dtype", DType::string}});
  Node* inserts[2];
  for (int c = 0; c < 2; ++c)
    inserts[c] = target("BarrierInsertMany", {barrier, keys, x_}, {{"component_index", c}});
  Node* take = target("BarrierTakeMany", {barrier, 40}, {{"component_types", types}});
  expect_code(Code::kDeadlineExceeded, {take, 1});
  std::vector<std::thread> workers;
  for (int c = 0; c < 2; ++c)
    workers.emplace_back([&, c] {
      for (int i = 0; i < 80; ++i) {
        const int k = c == 0 ? i : 79 - i;
        const Feeds feeds{{keys, Tensor::vector<std::string>({std::to_string(k)})},
                          {x_, Tensor::vector<float>({static_cast<float>(k)})}};
        session_.run(feeds, {}, {{inserts[c]}});
      }
    });
  for (int i = 0; i < 2; ++i) {
    const auto got = session_.run({}, {{Output{take, 1}, Output{take, 2}, Output{take, 3}}});
    EXPECT_EQ(got[0].element_count(), 40);
    EXPECT_TRUE(identical(got[1], got[2]));
  }
  for (std::thread& worker : workers) worker.join();
}

}  // namespace
}  // namespace rill
