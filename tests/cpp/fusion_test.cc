// Each rewrite: the same values as without it, and how many nodes it saves.
#include <atomic>
#include <thread>

#include "tests/cpp/fusion_testing.h"

namespace rill {
namespace {

class Fusion : public FusionTest {
 protected:
  Output conv(const Output& x, std::int64_t out, std::int64_t size = 3, std::int64_t stride = 1,
              unsigned seed = 1) {
    const std::int64_t in = x.shape().dim(3);
    return raw::Conv2D(x, noise({size, size, in, out}, seed, -0.3f, 0.3f), {1, stride, stride, 1},
                       "SAME");
  }
  Output norm(const Output& x, bool training = false, unsigned seed = 7) {
    const std::int64_t n = x.shape().dim(3);
    const Tensor none(DType::f32, {0});
    return raw::FusedBatchNormV3(x, noise({n}, seed, 0.5f, 2), noise({n}, seed + 1),
                                 training ? none : noise({n}, seed + 2),
                                 training ? none : noise({n}, seed + 3, 0.2f, 1.5f),
                                 {.epsilon = 0.001f, .is_training = training})
        .y;
  }
  Output activated(const std::string& name, const Output& x) {
    if (name == "Relu") return raw::Relu(x);
    if (name == "Relu6") return raw::Relu6(x);
    if (name == "LeakyRelu") return raw::LeakyRelu(x, {.alpha = 0.3f});
    if (name == "Elu") return raw::Elu(x);
    if (name == "Tanh") return raw::Tanh(x);
    return name == "Sigmoid" ? raw::Sigmoid(x) : x;
  }

  Output x = placeholder({-1, 9, 10, 5});
  const std::vector<Feed> images{{x, noise({3, 9, 10, 5}, 42, -2, 2)}};
};

TEST_F(Fusion, ConvolutionsTakeBiasAndActivation) {
  for (const char* name : {"", "Relu", "Relu6", "LeakyRelu", "Elu", "Tanh", "Sigmoid"}) {
    SCOPED_TRACE(name);
    const Output y = activated(name, raw::BiasAdd(conv(x, 8), noise({8}, 2)));
    compare({y}, images, "conv_epilogue", "_Conv2DEpilogue", 1);
  }
}

TEST_F(Fusion, ConvolutionsTakeBatchNormSumAndRelu) {
  const Output shortcut = norm(conv(x, 6, 1, 2, 3), false, 20);
  const Output y = raw::Relu(raw::AddV2(norm(conv(x, 6, 3, 2)), shortcut));
  const Ran on = compare({y}, images, "conv_epilogue", "_Conv2DEpilogue", 2);
  EXPECT_EQ(on.ops.size(), 2u) << join(on.ops, " ");
}

TEST_F(Fusion, ConvEpilogueOfScaleAndOffset) {
  const Output scaled = raw::Mul(conv(x, 6), noise({6}, 4, 0.5f, 2));
  compare({raw::Relu(raw::Add(scaled, noise({6}, 5)))}, images, "conv_epilogue", "_Conv2DEpilogue",
          1);
}

TEST_F(Fusion, WhatIsAddedMayStillBroadcast) {
  const Output side = raw::Placeholder(DType::f32, {.shape = PartialShape{-1, 9, 10, 5}});
  const Output y = raw::Relu(raw::AddV2(raw::BiasAdd(conv(x, 5), noise({5}, 2)), side));
  for (const auto& [ours, theirs] : {std::pair{3, 3}, {3, 1}, {1, 3}}) {
    const std::vector<Feed> feeds{{x, noise({ours, 9, 10, 5}, 1)},
                                  {side, noise({theirs, 9, 10, 5}, 2)}};
    compare({y}, feeds, "conv_epilogue", "_Conv2DEpilogue", 1);
  }
}

TEST_F(Fusion, NanPropagates) {
  Tensor broken = noise({1, 9, 10, 5}, 3);
  broken.data<float>()[123] = NAN;
  const Output y = raw::Relu(raw::BiasAdd(conv(x, 8), noise({8}, 2)));
  const Ran on = compare({y}, {{x, broken}}, "conv_epilogue", "_Conv2DEpilogue", 1);
  EXPECT_TRUE(std::ranges::any_of(on.values[0].flat<float>(), [](float v) { return v != v; }));
}

TEST_F(Fusion, EmptyBatchesAreNoTrouble) {
  const Output y = raw::Relu(norm(conv(x, 8)));
  EXPECT_EQ(run({y}, {{x, Tensor(DType::f32, {0, 9, 10, 5})}}).values[0].shape(),
            (Shape{0, 9, 10, 8}));
}

TEST_F(Fusion, DepthwiseConvolutions) {
  const Output deep = raw::DepthwiseConv2dNative(x, noise({3, 3, 5, 2}, 1), {1, 2, 2, 1}, "SAME");
  const Output y = raw::Relu6(norm(deep));
  compare({y}, images, "depthwise_epilogue", "_DepthwiseConv2dEpilogue", 1);
}

TEST_F(Fusion, ChannelsFirstAreLeftAlone) {
  const Output first = placeholder({2, 5, 9, 9}, "first");
  const Output product =
      raw::Conv2D(first, noise({3, 3, 5, 4}, 1), {1, 1, 1, 1}, "SAME", {.data_format = "NCHW"});
  const Output y = raw::Relu(raw::BiasAdd(product, noise({4}, 2), {.data_format = "NCHW"}));
  EXPECT_EQ(run({y}, {{first, noise({2, 5, 9, 9}, 3)}}).count("_Conv2DEpilogue"), 0);
}

TEST_F(Fusion, MatMulEpilogueOfBiasSumAndActivation) {
  const Output rows = placeholder({-1, 40}, "rows"), side = placeholder({-1, 30}, "side");
  const std::vector<Feed> feeds{{rows, noise({37, 40}, 1)}, {side, noise({37, 30}, 2)}};
  for (const char* name : {"", "Relu", "LeakyRelu", "Elu", "Tanh", "Sigmoid"}) {
    SCOPED_TRACE(name);
    const Output sum = raw::Add(raw::MatMul(rows, noise({40, 30}, 3)), noise({30}, 4));
    compare({activated(name, raw::Add(sum, side))}, feeds, "matmul_epilogue", "_MatMulEpilogue", 1);
  }
  const Output turned = raw::MatMul(rows, noise({30, 40}, 3), {.transpose_b = true});
  compare({raw::BiasAdd(turned, noise({30}, 4))}, feeds, "matmul_epilogue", "_MatMulEpilogue", 1);
}

// A bias that stretches the product instead is no bias.
TEST_F(Fusion, SumsThatBroadcastOtherwiseAreLeftAlone) {
  const Output rows = placeholder({-1, 40}, "rows");
  const Output y = raw::Add(raw::MatMul(rows, noise({40, 1}, 3)), noise({30}, 4));
  const std::vector<Feed> feeds{{rows, noise({7, 40}, 1)}};
  EXPECT_EQ(run({y}, feeds).values[0].shape(), (Shape{7, 30}));
}

TEST_F(Fusion, TrainingTakesThemToo) {
  const Output rows = placeholder({-1, 40}, "rows");
  const Variable w(noise({40, 16}, 1), {.name = "w"}), b(noise({16}, 2), {.name = "b"});
  const Output y = raw::Relu(raw::Add(raw::MatMul(rows, w), b));
  const auto grads = gradients({raw::L2Loss(y)}, {w.value(), b.value()});
  Node* const init[] = {&w.initializer(), &b.initializer()};
  initializer = &group({init[0], init[1]});
  const std::vector<Output> both{grads[0].dense(), grads[1].dense()};
  const Ran on = run(both, {{rows, noise({8, 40}, 3)}});
  const Ran off = run(both, {{rows, noise({8, 40}, 3)}}, {.rewrites_off = {"all"}});
  EXPECT_EQ(on.count("_MatMulEpilogue"), 1) << join(on.ops, " ");
  for (std::size_t i = 0; i < 2; ++i) expect_near(on.values[i], off.values[i]);
}

TEST_F(Fusion, BatchNormInTrainingTakesSumAndRelu) {
  const Output plain = raw::Relu(norm(conv(x, 6), true));
  const Output sum = raw::Relu(raw::AddV2(norm(conv(plain, 6), true), plain));
  const Output shortcut = norm(conv(x, 6, 1), true);
  const Output both = raw::Relu(raw::AddV2(norm(conv(sum, 6), true), shortcut));
  const Output dx = gradients({raw::L2Loss(both)}, {x})[0].dense();
  const Ran on = compare({both, dx}, images, "batch_norm_epilogue", "_FusedBatchNormEx", 3, 1e-4);
  EXPECT_EQ(on.count("Relu"), 0);
  compare({raw::Relu6(norm(conv(x, 6), true))}, images, "batch_norm_epilogue", "_FusedBatchNormEx",
          1);
}

TEST_F(Fusion, FiltersAreKeptUntilTheyChange) {
  const Variable w(noise({5, 5, 5, 40}, 1), {.use_resource = true, .name = "w"});
  const Output y = raw::Relu(raw::Conv2D(x, w, {1, 1, 1, 1}, "SAME"));
  Node& change = raw::AssignAddVariableOp(w.handle(), noise({5, 5, 5, 40}, 2));
  Session kept(graph), plain(graph, {.rewrites_off = {"all"}});
  for (Session* session : {&kept, &plain}) session->run(w.initializer());
  for (int i = 0; i < 3; ++i) {
    for (int twice = 0; twice < 2; ++twice) {
      const Ran on = run_in(kept, {y}, images);
      EXPECT_EQ(on.count("_Conv2DEpilogue"), 1);
      expect_near(on.values[0], run_in(plain, {y}, images).values[0]);
    }
    kept.run(change);
    plain.run(change);
  }
}

TEST_F(Fusion, PrepackedProductsDoNotDependOnTheRows) {
  const Output rows = placeholder({-1, 300}, "rows"), side = placeholder({-1, 700}, "side");
  const Output wide = raw::MatMul(rows, noise({300, 700}, 3, -0.1f, 0.1f));
  const Output turned = raw::MatMul(rows, noise({700, 300}, 3, -0.1f, 0.1f), {.transpose_b = true});
  const Output y = raw::Tanh(raw::Add(raw::BiasAdd(wide, noise({700}, 4)), side));
  Session kept(graph), plain(graph, {.rewrites_off = {"all"}});
  for (const std::int64_t count : {1, 1, 200, 200, 200, 7, 7, 200}) {
    const std::vector<Feed> feeds{{rows, noise({count, 300}, static_cast<unsigned>(count))},
                                  {side, noise({count, 700}, 9)}};
    const Ran on = run_in(kept, {y, turned}, feeds), off = run_in(plain, {y, turned}, feeds);
    for (std::size_t i = 0; i < 2; ++i) expect_near(on.values[i], off.values[i]);
  }
}

// Neither what ran before nor who runs at the same time changes a bit.
TEST_F(Fusion, EveryRunGivesTheSameBits) {
  const Output rows = placeholder({-1, 300}, "rows");
  const Output product = raw::Relu(raw::MatMul(rows, noise({300, 700}, 3)));
  const Output image = raw::Relu(norm(conv(x, 40)));
  Session session(graph);
  const auto results = [&](std::int64_t count) {
    const std::vector<Feed> feeds{{rows, noise({count, 300}, 1)}, {x, noise({count, 9, 10, 5}, 2)}};
    return session.run(std::vector{product, image}, feeds);
  };
  const std::vector<std::int64_t> counts{2, 16, 5, 2, 64};
  std::vector<std::vector<Tensor>> first;
  for (const std::int64_t count : counts) first.push_back(results(count));
  std::atomic<int> differ = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto again = results(counts[i]);
        for (std::size_t k = 0; k < 2; ++k) differ += identical(again[k], first[i][k]) ? 0 : 1;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differ, 0);
}

TEST_F(Fusion, Gelu) {
  const Output v = placeholder({-1, 33}, "v");
  const std::vector<Feed> feeds{{v, noise({20, 33}, 5, -6, 6)}};
  const Tensor half = Tensor::scalar(0.5f), one = Tensor::scalar(1.0f);
  const Output cube = raw::Mul(Tensor::scalar(0.044715f), raw::Pow(v, Tensor::scalar(3.0f)));
  const Output tanh = raw::Tanh(raw::Mul(Tensor::scalar(0.79788456f), raw::AddV2(v, cube)));
  compare({raw::Mul(v, raw::Mul(half, raw::AddV2(one, tanh)))}, feeds, "gelu", "_Gelu", 1, 1e-6);
  const Output cube2 = raw::Mul(raw::Mul(v, raw::Square(v)), Tensor::scalar(0.044715f));
  const Output tanh2 = raw::Tanh(raw::Mul(raw::Add(v, cube2), Tensor::scalar(0.79788456f)));
  compare({raw::Mul(raw::Mul(half, v), raw::Add(one, tanh2))}, feeds, "gelu", "_Gelu", 1, 1e-6);
  const Output erf = raw::Erf(raw::RealDiv(v, Tensor::scalar(1.41421356f)));
  compare({raw::Mul(v, raw::Mul(half, raw::AddV2(one, erf)))}, feeds, "gelu", "_Gelu", 1, 1e-6);
  // Something else of the kind is left alone.
  const Output other = raw::Erf(raw::RealDiv(v, Tensor::scalar(1.5f)));
  const Output y = raw::Mul(v, raw::Mul(half, raw::AddV2(one, other)));
  EXPECT_EQ(run({y}, feeds).count("_Gelu"), 0);
  // Another number, though not far away, has other results.
  const Output near = raw::Tanh(raw::Mul(Tensor::scalar(0.7979f), raw::AddV2(v, cube)));
  const Output z = raw::Mul(v, raw::Mul(half, raw::AddV2(one, near)));
  EXPECT_EQ(run({z}, feeds).count("_Gelu"), 0);
}

TEST_F(Fusion, LayerNorm) {
  const Output v = placeholder({-1, 7, 48}, "v");
  const std::vector<Feed> feeds{{v, noise({3, 7, 48}, 5, -3, 9)}};
  const Tensor gamma = noise({48}, 1), beta = noise({48}, 2), eps = Tensor::scalar(1e-6f),
               axis = Tensor::vector<std::int32_t>({2});
  const auto mean = [&](const Output& of) { return raw::Mean(of, axis, {.keep_dims = true}); };
  const Output m = mean(v);
  const Output variance = mean(raw::SquaredDifference(v, raw::StopGradient(m)));
  const Output r = raw::Mul(raw::Rsqrt(raw::AddV2(variance, eps)), gamma);
  compare({raw::AddV2(raw::Mul(v, r), raw::Sub(beta, raw::Mul(m, r)))}, feeds, "layer_norm",
          "_LayerNorm", 1, 1e-5);
  const Output u = mean(v), centred = raw::Sub(v, u), s = mean(raw::Square(centred));
  const Output normal = raw::Mul(centred, raw::Rsqrt(raw::Add(s, eps)));
  compare({raw::Add(raw::Mul(normal, gamma), beta)}, feeds, "layer_norm", "_LayerNorm", 1, 1e-5);
  const Output divided = raw::RealDiv(centred, raw::Sqrt(raw::Add(s, eps)));
  compare({raw::Add(raw::Mul(gamma, divided), beta)}, feeds, "layer_norm", "_LayerNorm", 1, 1e-5);
  // What is read elsewhere stays.
  const Output y = raw::Add(raw::Mul(normal, gamma), beta);
  EXPECT_EQ(run({y, s}, feeds).count("_LayerNorm"), 0);
}

TEST_F(Fusion, MaskedSoftmax) {
  const Output scores = placeholder({-1, 4, 6, 70}, "scores"),
               mask = placeholder({-1, 1, 6, 70}, "mask");
  const std::vector<Feed> feeds{{scores, noise({2, 4, 6, 70}, 1, -9, 9)},
                                {mask, noise({2, 1, 6, 70}, 2, -5, 0)}};
  const Output scaled = raw::Mul(scores, Tensor::scalar(0.125f));
  compare({raw::Softmax(raw::AddV2(scaled, mask))}, feeds, "masked_softmax", "_MaskedSoftmax", 1);
  compare({raw::Softmax(scaled)}, feeds, "masked_softmax", "_MaskedSoftmax", 1);
  const Output divided = raw::RealDiv(scores, Tensor::scalar(8.0f));
  compare({raw::Softmax(raw::Add(mask, divided))}, feeds, "masked_softmax", "_MaskedSoftmax", 1);
  const Tensor vector = noise({70}, 3);
  const Output column = raw::Placeholder(DType::f32, {.shape = PartialShape{-1, 1, 6, 1}});
  compare({raw::Softmax(raw::Add(scaled, vector))}, feeds, "masked_softmax", "_MaskedSoftmax", 1);
  compare({raw::Softmax(raw::Add(scaled, column))},
          {{scores, noise({2, 4, 6, 70}, 1)}, {column, noise({2, 1, 6, 1}, 2)}}, "masked_softmax",
          "_MaskedSoftmax", 1);
}

}  // namespace
}  // namespace rill
