// First and second gradients of batch normalisation against differences. The op's own rows cannot:
// its statistics are outputs without a gradient.
#include <gtest/gtest.h>

#include <cmath>

#include "rill/grad/gradients.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

struct Setting {
  bool training;
  const char* format;
};

Tensor wave(Shape shape, double start) {
  Tensor t(DType::f32, std::move(shape));
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    t.data<float>()[i] = static_cast<float>(std::sin(start + 1.7 * static_cast<double>(i)));
  return t;
}

class BatchNormGradients : public ::testing::TestWithParam<Setting> {
 protected:
  BatchNormGradients() {
    const bool last = GetParam().format == std::string_view("NHWC");
    const Shape images = last ? Shape{2, 2, 3, 2} : Shape{2, 2, 2, 3}, vector{2};
    x_ = input("x", wave(images, 0));
    scale_ = input("scale", wave(vector, 1));
    offset_ = input("offset", wave(vector, 2));
    dy_ = input("dy", wave(images, 3));
    const Output mean = scope_.constant(wave(vector, 4)),
                 variance = scope_.constant(Tensor::vector<float>({0.7F, 1.3F}));
    const Output y =
        op("FusedBatchNormV3", {x_, scale_, offset_, mean, variance},
           {{"data_format", std::string(GetParam().format)}, {"is_training", GetParam().training}});
    loss_ = weighted_sum(y, dy_);
  }

  Output op(std::string_view type, std::vector<InputArg> inputs, AttrMap attrs = {}) {
    return scope_.add(type, std::move(inputs), std::move(attrs)).output();
  }
  Output input(const char* name, Tensor value) {
    feeds_.emplace_back(std::string(name) + ":0", value);
    return scope_
        .add("Placeholder", {}, {{"dtype", DType::f32}, {"shape", PartialShape(value.shape())}},
             name)
        .output();
  }
  Output weighted_sum(Output value, Input weights) {
    const Output flat = op("Reshape", {op("Mul", {value, weights}), Tensor::vector<int>({-1})});
    return op("Sum", {flat, 0});
  }
  Tensor run(Output fetch) { return Session(graph_).run(feeds_, {fetch.name()}, {})[0]; }
  std::vector<Output> grads(Output y, std::vector<Output> xs) {
    std::vector<Output> all;
    for (const Gradient& g : gradients(scope_, std::vector<Output>{y}, xs, {}))
      all.push_back(g.dense());
    return all;
  }

  void expect_differences(Output loss, std::vector<Output> xs) {
    const std::vector<Output> found = grads(loss, xs);
    for (std::size_t i = 0; i < xs.size(); ++i) {
      SCOPED_TRACE(xs[i].name());
      const Tensor got = run(found[i]);
      for (auto& [name, value] : feeds_) {
        if (name != xs[i].name()) continue;
        for (std::int64_t k = 0; k < value.element_count(); ++k) {
          float& element = value.data<float>()[k];
          const float before = element, step = 1e-2F;
          element = before + step;
          const float above = run(loss).data<float>()[0];
          element = before - step;
          const float below = run(loss).data<float>()[0];
          element = before;
          EXPECT_NEAR(got.data<float>()[k], (above - below) / (2 * step), 1e-2) << "element " << k;
        }
      }
    }
  }

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Scope scope_{*graph_};
  std::vector<std::pair<std::string, Tensor>> feeds_;
  Output x_, scale_, offset_, dy_, loss_;
};

TEST_P(BatchNormGradients, are_those_of_differences) {
  expect_differences(loss_, {x_, scale_, offset_, dy_});
}

TEST_P(BatchNormGradients, have_gradients_of_their_own) {
  const std::vector<Output> first = grads(loss_, {x_, scale_, offset_});
  Output sum = weighted_sum(first[0], wave(x_.shape().full(), 5));
  sum = op("AddV2", {sum, weighted_sum(first[1], wave({2}, 6))});
  sum = op("AddV2", {sum, weighted_sum(first[2], wave({2}, 7))});
  expect_differences(sum, {x_, scale_, dy_});
}

INSTANTIATE_TEST_SUITE_P(Settings, BatchNormGradients,
                         ::testing::Values(Setting{true, "NHWC"}, Setting{true, "NCHW"},
                                           Setting{false, "NHWC"}, Setting{false, "NCHW"}),
                         [](const auto& info) {
                           return std::string(info.param.training ? "training_" : "given_") +
                                  info.param.format;
                         });

}  // namespace
}  // namespace rill
