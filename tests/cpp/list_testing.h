#pragma once

// What the tests of lists of tensors share.
#include <gtest/gtest.h>

#include "rill/base/error_testing.h"
#include "rill/grad/gradients.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"
#include "rill/tensor/list_value.h"

namespace rill {

using Outputs = std::vector<Output>;
using Feeds = std::vector<Feed>;

class ListFixture : public testing::Test {
 protected:
  Output op(std::string_view type, std::vector<InputArg> inputs, AttrMap attrs = {}) {
    return scope_.add(type, std::move(inputs), std::move(attrs)).output();
  }
  static Tensor ints(std::initializer_list<std::int32_t> values) {
    return Tensor::vector<std::int32_t>(values);
  }
  static AttrMap of_floats() { return {{"element_dtype", DType::f32}}; }
  Output empty(Tensor shape = Tensor::scalar<std::int32_t>(-1), DType dtype = DType::f32) {
    return op("EmptyTensorList", {std::move(shape), -1}, {{"element_dtype", dtype}});
  }
  Output push(Output list, Output x) { return op("TensorListPushBack", {list, x}); }
  Output stack(Output list) { return op("TensorListStack", {list, ints({2})}, of_floats()); }
  Output rows(Output x) { return op("TensorListFromTensor", {x, ints({2})}); }
  Output item(Output list, Input index) {
    return op("TensorListGetItem", {list, std::move(index), ints({2})}, of_floats());
  }
  Tensor run(Output fetch, const Tensor& x) {
    return Session(graph_).run(Feeds{{x_, x}}, {{fetch}})[0];
  }

  // Compares the gradient of the sum of squares of y with central differences.
  void check_gradient(Output y) {
    const Output loss = op("Sum", {op("Square", {y}), op("Range", {0, op("Rank", {y}), 1})});
    const Output dx = gradients(scope_, {{loss}}, {{x_}}, {})[0].dense();
    Tensor at = Tensor::of<float>({3, 2}, {0.5, -1, 2, 0.25, 1.5, -0.75});
    const Tensor got = run(dx, at);
    ASSERT_EQ(got.shape(), at.shape());
    for (int i = 0; i < 6; ++i) {
      const auto moved = [&](float by) {
        Tensor there = at.clone();
        there.data<float>()[i] += by;
        return run(loss, there).scalar_value<float>();
      };
      const float want = (moved(0.01F) - moved(-0.01F)) / 0.02F;
      EXPECT_NEAR(got.data<float>()[i], want, 1e-2F * (1 + std::abs(want))) << "element " << i;
    }
  }

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Scope scope_{*graph_};
  Output x_ = op("Placeholder", {}, {{"dtype", DType::f32}, {"shape", PartialShape{3, 2}}});
};

}  // namespace rill
