// Gradients through arrays whose handles are strings. What the ops compute, tests/golden/control
// tells.
#include <gtest/gtest.h>

#include "rill/grad/gradients.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

struct Age {
  const char* suffix;
  int producer;
};

class OlderArrays : public testing::TestWithParam<Age> {
 protected:
  Output op(const std::string& type, std::vector<InputArg> inputs, AttrMap attrs = {}) {
    return scope_.add(type, std::move(inputs), std::move(attrs)).output();
  }
  Output array(const char* part, std::vector<InputArg> inputs, AttrMap attrs = {}) {
    return op(str_cat("TensorArray", part, GetParam().suffix), std::move(inputs), std::move(attrs));
  }
  Tensor gradient(Output y) {
    return Session(graph_).run({}, {{gradients(scope_, {{y}}, {{x_}}, {})[0].dense()}})[0];
  }

  static std::shared_ptr<Graph> old_graph() {
    auto graph = std::make_shared<Graph>(standard_ops());
    graph->versions.producer = GetParam().producer;
    return graph;
  }

  std::shared_ptr<Graph> graph_ = old_graph();
  Scope scope_{*graph_};
  Output x_ = scope_.constant(Tensor::of<float>({2, 2}, {1, 2, 3, 4}));
  Output flow_ = scope_.constant(Tensor::scalar(0.0F));
  Output array_ = array("", {2}, {{"dtype", DType::f32}, {"clear_after_read", false}});
  const AttrMap floats_{{"dtype", DType::f32}};
};

TEST_P(OlderArrays, gradient_of_write_and_read) {
  const Output flow = array("Write", {array_, 0, x_, flow_});
  const Output once = array("Read", {array_, 0, flow}, floats_);
  const Output twice = op("Square", {array("Read", {array_, 0, flow}, floats_)});
  EXPECT_TRUE(
      identical(gradient(op("Add", {once, twice})), Tensor::of<float>({2, 2}, {3, 5, 7, 9})));
}

TEST_P(OlderArrays, gradient_of_scatter_and_gather) {
  const Output flow = array("Scatter", {array_, Tensor::vector<std::int32_t>({1, 0}), x_, flow_});
  const Output both =
      array("Gather", {array_, Tensor::vector<std::int32_t>({0, 1}), flow}, floats_);
  EXPECT_TRUE(identical(gradient(op("Square", {both})), Tensor::of<float>({2, 2}, {2, 4, 6, 8})));
}

TEST_P(OlderArrays, gradient_of_split_and_concat) {
  const Output flow = array("Split", {array_, x_, Tensor::vector<std::int64_t>({1, 1}), flow_});
  const Output all = array("Concat", {array_, flow}, floats_);
  EXPECT_TRUE(identical(gradient(op("Square", {all})), Tensor::of<float>({2, 2}, {2, 4, 6, 8})));
}

INSTANTIATE_TEST_SUITE_P(Ages, OlderArrays, testing::Values(Age{"V2", 25}, Age{"", 15}),
                         [](const auto& info) {
                           return std::string("before_") + std::to_string(info.param.producer + 1);
                         });

}  // namespace
}  // namespace rill
