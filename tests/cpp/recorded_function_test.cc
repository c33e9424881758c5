#include "rill/api/core/recorded_function.h"

#include <gtest/gtest.h>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/gradients.h"
#include "rill/api/core/host_function.h"
#include "rill/api/core/switch_case.h"
#include "rill/api/gen/raw_ops.h"

namespace rill {
namespace {

float float_of(Output output) {
  Session session(default_graph());
  return session.run({}, std::vector<Output>{output}).at(0).scalar_value<float>();
}

class RecordedFunctionTest : public testing::Test {
 protected:
  AsDefault graph_{make_graph()};
};

// x * x where x is positive, else -x: chosen while it runs.
std::vector<Output> bend(std::span<const Output> arguments) {
  const Output x = arguments[0];
  const bool positive = x.value().scalar_value<float>() > 0;
  return {positive ? Output(raw::Mul(x, x)) : Output(raw::Neg(x))};
}

TEST_F(RecordedFunctionTest, chooses_by_values_and_is_differentiable) {
  for (const float x : {3.0f, -2.0f}) {
    const Output input = constant(x);
    const Output y = recorded_function(bend, {input}, {DType::f32}).at(0);
    const Output slope = gradients({y}, {input}).at(0).dense();
    EXPECT_EQ(float_of(y), x > 0 ? x * x : -x);
    EXPECT_EQ(float_of(slope), x > 0 ? 2 * x : -1);
  }
}

TEST_F(RecordedFunctionTest, arguments_that_do_not_matter_have_zero_gradients) {
  const Output a = constant(3.0f), b = constant(4.0f);
  const auto first = [](std::span<const Output> arguments) {
    return std::vector<Output>{arguments[0]};
  };
  const Output y = recorded_function(first, {a, b}, {DType::f32}).at(0);
  EXPECT_EQ(float_of(gradients({y}, {b}).at(0).dense()), 0);
}

TEST_F(RecordedFunctionTest, second_derivatives_are_refused) {
  const Output x = constant(3.0f);
  const Output y = recorded_function(bend, {x}, {DType::f32}).at(0);
  const Output slope = gradients({raw::Mul(y, y)}, {x}).at(0).dense();
  EXPECT_THROW(gradients({slope}, {x}), Error);
}

TEST(SwitchCaseTest, takes_one_branch_and_is_differentiable) {
  const AsDefault graph(make_graph());
  const Output x = constant(3.0f);
  const auto choose = [&](int index) {
    return switch_case(constant(index), {[&] { return std::vector<Output>{raw::Mul(x, x)}; },
                                         [&] { return std::vector<Output>{x}; },
                                         [&] { return std::vector<Output>{raw::Neg(x)}; }})
        .at(0);
  };
  EXPECT_EQ(float_of(choose(0)), 9);
  EXPECT_EQ(float_of(choose(1)), 3);
  EXPECT_EQ(float_of(choose(-4)), -3);
  EXPECT_EQ(float_of(gradients({choose(0)}, {x}).at(0).dense()), 6);
  EXPECT_THROW(switch_case(constant(0), {[&] { return std::vector<Output>{x}; },
                                         [&] { return std::vector<Output>{constant(1)}; }}),
               Error);
  EXPECT_THROW(switch_case(constant(0), {}), Error);
}

}  // namespace
}  // namespace rill
