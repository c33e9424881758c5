#include "rill/api/core/host_function.h"

#include <gtest/gtest.h>

#include "rill/api/core/basic_ops.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

Tensor value_of(Output output) {
  Session session(default_graph());
  return session.run({}, std::vector<Output>{output}).at(0);
}

class HostFunctionTest : public testing::Test {
 protected:
  AsDefault graph_{make_graph()};
};

TEST_F(HostFunctionTest, calls_a_function_of_the_program) {
  int calls = 0;
  const auto twice = [&](const std::vector<Tensor>& in) -> std::vector<Tensor> {
    ++calls;
    return {Tensor::scalar(2 * in.at(0).scalar_value<float>())};
  };
  const auto out = host_function(twice, {constant(4.0f)}, {DType::f32}, {.name = "twice"});
  EXPECT_EQ(out.at(0).name(), "twice:0");
  EXPECT_EQ(value_of(out[0]).scalar_value<float>(), 8);
  EXPECT_EQ(value_of(out[0]).scalar_value<float>(), 8);
  EXPECT_EQ(calls, 2);
}

TEST_F(HostFunctionTest, checks_what_comes_back) {
  const auto nothing = [](const std::vector<Tensor>&) { return std::vector<Tensor>(); };
  const auto missing = host_function(nothing, {}, {DType::f32});
  EXPECT_THROW(value_of(missing[0]), Error);
  const auto number = [](const std::vector<Tensor>&) {
    return std::vector<Tensor>{Tensor::scalar(1)};
  };
  const auto wrong = host_function(number, {}, {DType::f32}, {.stateful = false});
  EXPECT_EQ(wrong[0].node->op().name, "PyFuncStateless");
  try {
    value_of(wrong[0]);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kInvalidArgument);
    EXPECT_NE(error.message().find("is int32, but expects float"), std::string::npos);
  }
}

TEST_F(HostFunctionTest, what_it_throws_fails_the_step) {
  const auto bad = [](const std::vector<Tensor>&) -> std::vector<Tensor> {
    raise(Code::kOutOfRange, "no more");
  };
  const auto out = host_function(bad, {}, {DType::f32}, {.name = "bad"});
  try {
    value_of(out[0]);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kOutOfRange);
    EXPECT_EQ(error.node(), "bad");
  }
}

TEST_F(HostFunctionTest, a_function_that_is_gone) {
  Scope scope = current_scope();
  Node& node = scope.add("PyFunc", {InputArg(std::vector<Input>())},
                         {{"token", "pyfunc_gone"}, {"Tout", std::vector<DType>{DType::f32}}});
  EXPECT_THROW(value_of(node.output()), Error);
}

}  // namespace
}  // namespace rill
