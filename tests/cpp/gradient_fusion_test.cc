// Rewrites of gradients: the same values as without them, and few kernels.
#include "tests/cpp/fusion_testing.h"

namespace rill {
namespace {

class GradientFusion : public FusionTest {
 protected:
  // A loss whose gradient by y is different in every element.
  std::vector<Output> gradients_of(const Output& y, const std::vector<Output>& by) {
    const Output loss = raw::L2Loss(raw::Mul(y, raw::Sin(y)));
    std::vector<Output> found;
    for (const auto& gradient : gradients({loss}, by)) found.push_back(gradient.dense());
    return found;
  }
  static Tensor number(float value) { return Tensor::scalar(value); }

  // With 1, 2 and 5 threads: the same bits.
  void expect_same_bits(const std::vector<Output>& fetches, const std::vector<Feed>& feeds) {
    std::vector<Tensor> first;
    for (const int threads : {1, 2, 5}) {
      const Ran ran = run(fetches, feeds, {.intra_op_threads = threads});
      if (first.empty()) first = ran.values;
      for (std::size_t i = 0; i < fetches.size(); ++i)
        EXPECT_TRUE(identical(ran.values[i], first[i])) << threads << " threads, value " << i;
    }
  }
};

class LayerNormGradient : public GradientFusion {
 protected:
  enum class Form { kBatchNormalization, kStepByStep, kDivided, kSquaredDifference };
  static constexpr Form kForms[] = {Form::kBatchNormalization, Form::kStepByStep, Form::kDivided,
                                    Form::kSquaredDifference};

  Output mean(const Output& x) {
    return raw::Mean(x, Tensor::vector<std::int32_t>({-1}), {.keep_dims = true});
  }
  Output normalized(Form form, const Output& x) {
    const Output m = mean(x), eps = constant(number(1e-3f));
    if (form == Form::kBatchNormalization) {
      const Output variance = mean(raw::SquaredDifference(x, raw::StopGradient(m)));
      const Output factor = raw::Mul(raw::Rsqrt(raw::AddV2(variance, eps)), gamma);
      return raw::AddV2(raw::Mul(x, factor), raw::Sub(beta, raw::Mul(m, factor)));
    }
    const Output centred = raw::Sub(x, m);
    const Output variance = mean(form == Form::kSquaredDifference ? raw::SquaredDifference(x, m)
                                                                  : raw::Square(centred));
    const Output deviation = raw::AddV2(variance, eps);
    const Output normal = form == Form::kDivided ? raw::RealDiv(centred, raw::Sqrt(deviation))
                                                 : raw::Mul(centred, raw::Rsqrt(deviation));
    return raw::AddV2(raw::Mul(normal, gamma), beta);
  }

  const std::int64_t n = 70;
  Output gamma = placeholder({n}, "gamma"), beta = placeholder({n}, "beta");
  std::vector<Feed> feeds_of(const Output& x, const Shape& shape) {
    return {{x, noise(shape, 1, -2, 5)}, {gamma, noise({n}, 2, 0.5f, 2)}, {beta, noise({n}, 3)}};
  }
};

TEST_F(LayerNormGradient, IsOneKernelHoweverItIsWritten) {
  for (const Form form : kForms) {
    SCOPED_TRACE(static_cast<int>(form));
    const Output x = placeholder({-1, n}, "rows");
    const auto by = gradients_of(normalized(form, x), {x, gamma, beta});
    const Ran on = compare(by, feeds_of(x, {37, n}), "layer_norm_grad", "_LayerNormGrad", 1, 1e-4);
    EXPECT_EQ(on.count("_LayerNorm"), 1) << join(on.ops, " ");
    EXPECT_EQ(on.count("Tile") + on.count("RsqrtGrad") + on.count("Sum"), 0) << join(on.ops, " ");
  }
}

TEST_F(LayerNormGradient, OfKnownShapesAndOfMoreDimensions) {
  for (const PartialShape& shape : {PartialShape{37, n}, {-1, 5, n}, {-1, -1, n}, {4, 5, n}})
    for (const Form form : kForms) {
      SCOPED_TRACE(str_cat(shape, " ", static_cast<int>(form)));
      const Output x = placeholder(shape, "x");
      const auto by = gradients_of(normalized(form, x), {x, gamma, beta});
      const Shape fed = shape.rank() == 2 ? Shape{37, n} : Shape{4, 5, n};
      compare(by, feeds_of(x, fed), "layer_norm_grad", "_LayerNormGrad", 1, 1e-4);
    }
}

TEST_F(LayerNormGradient, BesideOtherGradientsOfTheSameValue) {
  const Output x = placeholder({-1, n}, "rows");
  const Output y = raw::AddV2(raw::Tanh(x), normalized(Form::kBatchNormalization, x));
  compare(gradients_of(y, {x, gamma}), feeds_of(x, {9, n}), "layer_norm_grad", "_LayerNormGrad", 1,
          1e-4);
}

TEST_F(LayerNormGradient, OfSeveralInARow) {
  const Output x = placeholder({-1, n}, "rows");
  const Output y = normalized(Form::kBatchNormalization, normalized(Form::kStepByStep, x));
  compare(gradients_of(y, {x, gamma, beta}), feeds_of(x, {9, n}), "layer_norm_grad",
          "_LayerNormGrad", 2, 1e-3);
}

TEST_F(LayerNormGradient, ByOneValueOnly) {
  const Output x = placeholder({-1, n}, "rows"), y = normalized(Form::kBatchNormalization, x);
  const auto feeds = feeds_of(x, {9, n});
  compare(gradients_of(y, {x}), feeds, "layer_norm_grad", "_LayerNormGrad", 1, 1e-4);
  const auto by_gamma = gradients_of(y, {gamma});  // takes no pass over rows that is worth saving
  expect_near(run(by_gamma, feeds).values[0],
              run(by_gamma, feeds, {.rewrites_off = {"all"}}).values[0], 1e-4);
}

// A gradient that is fetched half way stays, and so does what is not quite a layer norm's.
TEST_F(LayerNormGradient, WhatIsReadElsewhereIsThereStill) {
  const Output x = placeholder({-1, n}, "rows");
  const Output m = mean(x), centred = raw::Sub(x, m);
  const Output variance = mean(raw::Square(centred));
  const Output r = raw::Rsqrt(raw::AddV2(variance, constant(number(1e-3f))));
  const Output y = raw::AddV2(raw::Mul(raw::Mul(centred, r), gamma), beta);
  auto fetched = gradients_of(y, {x, variance, m});
  fetched.push_back(variance);
  const auto feeds = feeds_of(x, {9, n});
  const Ran on = run(fetched, feeds), off = run(fetched, feeds, {.rewrites_off = {"all"}});
  for (std::size_t i = 0; i < fetched.size(); ++i) expect_near(on.values[i], off.values[i], 1e-4);
  const Output detached = raw::Rsqrt(
      raw::AddV2(mean(raw::Square(raw::Sub(x, raw::StopGradient(m)))), constant(number(1e-3f))));
  const Output other =
      raw::AddV2(raw::Mul(raw::Mul(raw::Sub(x, raw::StopGradient(m)), detached), gamma), beta);
  const auto by = gradients_of(other, {x, gamma});
  const Ran with = run(by, feeds), without = run(by, feeds, {.rewrites_off = {"all"}});
  for (std::size_t i = 0; i < 2; ++i) expect_near(with.values[i], without.values[i], 1e-4);
}

TEST_F(LayerNormGradient, EmptyBatchesAndOneRow) {
  const Output x = placeholder({-1, n}, "rows");
  const auto by = gradients_of(normalized(Form::kBatchNormalization, x), {x, gamma, beta});
  for (const std::int64_t rows : {0, 1})
    compare(by, feeds_of(x, {rows, n}), "layer_norm_grad", "_LayerNormGrad", 1, 1e-4);
}

TEST_F(LayerNormGradient, HasTheSameBitsWithAnyNumberOfThreads) {
  const Output x = placeholder({-1, n}, "rows");
  const auto by = gradients_of(normalized(Form::kBatchNormalization, x), {x, gamma, beta});
  expect_same_bits(by, feeds_of(x, {3001, n}));
}

class GeluGradient : public GradientFusion {
 protected:
  Output by_tanh(const Output& x) {
    const Output cube = raw::Mul(number(0.044715f), raw::Pow(x, number(3.0f)));
    const Output tanh = raw::Tanh(raw::Mul(number(0.79788456f), raw::AddV2(x, cube)));
    return raw::Mul(x, raw::Mul(number(0.5f), raw::AddV2(number(1.0f), tanh)));
  }
  Output by_tanh_of_products(const Output& x) {
    const Output cube = raw::Mul(raw::Mul(x, raw::Square(x)), number(0.044715f));
    const Output tanh = raw::Tanh(raw::Mul(raw::AddV2(x, cube), number(0.79788456f)));
    return raw::Mul(raw::Mul(number(0.5f), x), raw::AddV2(number(1.0f), tanh));
  }
  Output by_erf(const Output& x) {
    const Output erf = raw::Erf(raw::RealDiv(x, number(1.41421356f)));
    return raw::Mul(x, raw::Mul(number(0.5f), raw::AddV2(number(1.0f), erf)));
  }
};

TEST_F(GeluGradient, IsOneKernel) {
  const Output x = placeholder({-1, 33}, "x");
  const std::vector<Feed> feeds{{x, noise({20, 33}, 5, -6, 6)}};
  const auto check = [&](const Output& y, const char* made) {
    // Of a product, which no chain of element-wise ops takes the gradient into.
    const Output product = raw::MatMul(y, noise({33, 20}, 9));
    const Ran on = compare(gradients_of(product, {x}), feeds, "gelu_grad", made, 1, 1e-5);
    EXPECT_EQ(on.count("_Gelu"), 1) << join(on.ops, " ");
    EXPECT_EQ(on.count("TanhGrad") + on.count("Pow") + on.count("Exp"), 0) << join(on.ops, " ");
  };
  check(by_tanh(x), "_GeluTanhGrad");
  check(by_tanh_of_products(x), "_GeluTanhGrad");
  check(by_erf(x), "_GeluErfGrad");
}

TEST_F(GeluGradient, SomethingElseOfTheKindIsLeftAlone) {
  const Output x = placeholder({-1, 33}, "x");
  const Output other = raw::Erf(raw::RealDiv(x, number(1.5f)));
  const Output y = raw::Mul(x, raw::Mul(number(0.5f), raw::AddV2(number(1.0f), other)));
  const Ran on = run(gradients_of(y, {x}), {{x, noise({20, 33}, 5, -6, 6)}});
  EXPECT_EQ(on.count("_GeluErfGrad"), 0);
}

TEST_F(GradientFusion, OfSoftmaxWithAFactor) {
  const Output x = placeholder({-1, 4, 6, 70}, "scores");
  const std::vector<Feed> feeds{{x, noise({2, 4, 6, 70}, 1, -9, 9)}};
  for (const Output& logits : {raw::Mul(x, number(0.125f)), raw::RealDiv(x, number(8.0f)), x}) {
    const auto by = gradients_of(raw::Softmax(logits), {x});
    const Ran on = compare(by, feeds, "softmax_grad", "_SoftmaxGrad", 1, 1e-5);
    EXPECT_EQ(on.count("Sum"), 0) << join(on.ops, " ");
    expect_same_bits(by, feeds);
  }
}

class BatchNormGradient : public GradientFusion {
 protected:
  Output norm(const Output& x, const std::string& format = "NHWC") {
    const Tensor none(DType::f32, {0});
    return raw::FusedBatchNormV3(x, gamma, beta, none, none,
                                 {.epsilon = 0.001f, .data_format = format, .is_training = true})
        .y;
  }
  std::vector<Feed> feeds_of(const Output& x, const Shape& shape) {
    return {{x, noise(shape, 1, -2, 5)}, {gamma, noise({6}, 2, 0.5f, 2)}, {beta, noise({6}, 3)}};
  }
  Output gamma = placeholder({6}, "gamma"), beta = placeholder({6}, "beta");
};

TEST_F(BatchNormGradient, TakesThatOfRelu) {
  for (const std::string format : {"NHWC", "NCHW"}) {
    const Shape shape = format == "NHWC" ? Shape{3, 9, 10, 6} : Shape{3, 6, 9, 10};
    const Output x = placeholder(shape, "images");
    for (const Output& y : {raw::Relu(norm(x, format)), raw::Relu6(norm(x, format))}) {
      const auto by = gradients_of(y, {x, gamma, beta});
      const Ran on =
          compare(by, feeds_of(x, shape), "batch_norm_relu_grad", "_BatchNormReluGrad", 1, 1e-5);
      EXPECT_EQ(on.count("ReluGrad") + on.count("Relu6Grad"), 0) << join(on.ops, " ");
      expect_same_bits(by, feeds_of(x, shape));
    }
  }
}

TEST_F(BatchNormGradient, OfNoImages) {
  const Output x = placeholder({-1, 9, 10, 6}, "images");
  const auto by = gradients_of(raw::Relu(norm(x)), {x, gamma, beta});
  compare(by, feeds_of(x, {0, 9, 10, 6}), "batch_norm_relu_grad", "_BatchNormReluGrad", 1);
  const Output none = placeholder({2, 9, 10, 0}, "channels"), g = placeholder({0}, "g");
  const Tensor empty(DType::f32, {0});
  const Output y = raw::FusedBatchNormV3(none, g, g, empty, empty, {.is_training = true}).y;
  const std::vector<Feed> feeds{{none, Tensor(DType::f32, {2, 9, 10, 0})}, {g, empty}};
  EXPECT_EQ(run(gradients_of(raw::Relu(y), {none}), feeds).values[0].shape(), (Shape{2, 9, 10, 0}));
}

// What others read of Relu's gradient is there for them.
TEST_F(BatchNormGradient, KeepsValuesThatAreReadElsewhere) {
  const Output x = placeholder({-1, 9, 10, 6}, "images"), side = placeholder({-1, 9, 10, 6}, "s");
  const Output y = raw::Relu(raw::AddV2(norm(x), side));
  auto feeds = feeds_of(x, {3, 9, 10, 6});
  feeds.push_back({side, noise({3, 9, 10, 6}, 8)});
  const auto by = gradients_of(y, {x, gamma, side});
  const Ran on = run(by, feeds), off = run(by, feeds, {.rewrites_off = {"all"}});
  EXPECT_EQ(on.count("_BatchNormReluGrad"), 0);
  for (std::size_t i = 0; i < by.size(); ++i) expect_near(on.values[i], off.values[i], 1e-5);
}

}  // namespace
}  // namespace rill
