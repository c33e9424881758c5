// The rewrite lower_precision: off unless asked for, and then within what bfloat16 allows.
#include <cstdlib>

#include "rill/base/tile_permission.h"
#include "rill/runtime/session/config.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tests/cpp/fusion_testing.h"

namespace rill {
namespace {

class LowerPrecision : public FusionTest {
 protected:
  static inline const SessionOptions kLow{.rewrites_on = {"lower_precision"}};

  Tensor some(const Shape& shape, float low = -1, float high = 1) {
    return noise(shape, ++seed_, low, high);
  }
  Output conv(const Output& x, std::int64_t out, std::int64_t size, std::int64_t stride) {
    const std::int64_t in = x.shape().dim(3);
    const float scale = std::sqrt(3.0f / static_cast<float>(size * size * in));
    const Output y =
        raw::Conv2D(x, some({size, size, in, out}, -scale, scale), {1, stride, stride, 1}, "SAME");
    return raw::FusedBatchNormV3(y, some({out}, 0.5f, 1.5f), some({out}), some({out}),
                                 some({out}, 0.5f, 1.5f), {.is_training = false})
        .y;
  }
  Output depthwise(const Output& x) {
    return raw::DepthwiseConv2dNative(x, some({3, 3, x.shape().dim(3), 1}, -0.5f, 0.5f),
                                      {1, 1, 1, 1}, "SAME");
  }
  Output dense(const Output& x, std::int64_t out) {
    const std::int64_t in = x.shape().dim(1);
    const float scale = std::sqrt(3.0f / static_cast<float>(in));
    return raw::BiasAdd(raw::MatMul(x, some({in, out}, -scale, scale)), some({out}));
  }

  // Rounding gives results that differ by no more than some hundredths of the largest; the largest
  // of each row stays where it was, unless others are as near to it as that.
  void expect_lowered(const Output& y, const std::vector<Feed>& feeds, int places) {
    constexpr float kFar = 0.03f;
    const Ran high = run({y}, feeds), low = run({y}, feeds, kLow);
    const Tensor &a = high.values[0], &b = low.values[0];
    expect_near(b, a, kFar);
    const auto all = a.flat<float>();
    const float scale =
        std::max(1.0f, std::ranges::max(all, {}, [](float v) { return std::abs(v); }));
    const auto width = static_cast<std::size_t>(a.dim(a.rank() - 1));
    std::size_t decided = 0;
    for (std::size_t r = 0; r < all.size(); r += width) {
      std::vector<float> row(all.begin() + static_cast<std::ptrdiff_t>(r),
                             all.begin() + static_cast<std::ptrdiff_t>(r + width));
      const auto first = std::ranges::max_element(row) - row.begin();
      std::ranges::nth_element(row, row.begin() + 1, std::greater());
      if (row[0] - row[1] < 2 * kFar * scale) continue;
      ++decided;
      const float* other = b.data<float>() + r;
      EXPECT_EQ(std::max_element(other, other + width) - other, first) << "row " << r / width;
    }
    EXPECT_GT(4 * decided * width, all.size()) << "too few rows have one that is the largest";
    EXPECT_EQ(identical(a, b), !may_use_tiles()) << "nothing was rounded";
    EXPECT_EQ(low.count("_Conv2DEpilogue") + low.count("_MatMulEpilogue") +
                  low.count("_LoweredBatchMatMul"),
              places);
    EXPECT_EQ(low.count("Conv2D") + low.count("MatMul") + low.count("BatchMatMulV2"), 0);
    for (const int threads : {1, 2, 4}) {
      SessionOptions options = kLow;
      options.intra_op_threads = threads;
      EXPECT_TRUE(identical(run({y}, feeds, options).values[0], b)) << threads << " threads";
    }
  }

 private:
  unsigned seed_ = 100;
};

TEST_F(LowerPrecision, ImageNetworks) {
  const Output x = placeholder({-1, 32, 32, 3});
  Output net = raw::Relu6(conv(x, 32, 3, 2));
  net = raw::Relu6(conv(depthwise(net), 64, 1, 1));
  net = raw::Relu(raw::AddV2(conv(raw::Relu(conv(net, 64, 3, 1)), 64, 3, 1), net));
  net = raw::Relu(conv(net, 96, 3, 2));
  const Output logits = dense(raw::Mean(net, Tensor::of<std::int32_t>({2}, {1, 2})), 17);
  expect_lowered(logits, {{x, noise({4, 32, 32, 3}, 1)}}, 6);
}

TEST_F(LowerPrecision, Transformers) {
  const Output x = placeholder({32, 64});
  const auto heads = [&](const Output& y) {
    return raw::Transpose(raw::Reshape(y, Tensor::of<std::int32_t>({3}, {32, 4, 16})),
                          Tensor::of<std::int32_t>({3}, {1, 0, 2}));
  };
  const Output q = heads(dense(x, 64)), k = heads(dense(x, 64)), v = heads(dense(x, 64));
  const Output scores =
      raw::Softmax(raw::Mul(raw::BatchMatMulV2(q, k, {.adj_y = true}), Tensor::scalar(0.25f)));
  const Output context = raw::Reshape(
      raw::Transpose(raw::BatchMatMulV2(scores, v), Tensor::of<std::int32_t>({3}, {1, 0, 2})),
      Tensor::of<std::int32_t>({2}, {32, 64}));
  const Output mixed = raw::AddV2(dense(context, 64), x);
  const Output y = dense(raw::Relu(dense(mixed, 256)), 48);
  expect_lowered(y, {{x, noise({32, 64}, 2)}}, 8);
}

TEST_F(LowerPrecision, ProductsWithoutConstants) {
  const Output x = placeholder({-1, 70}), w = placeholder({70, 90}, "w");
  expect_lowered(raw::MatMul(x, w), {{x, noise({65, 70}, 1)}, {w, noise({70, 90}, 2)}}, 1);
}

TEST_F(LowerPrecision, ConstantsOfBfloat16ArePackedOnce) {
  const auto low = [](const auto& v) { return raw::Cast(v, DType::bf16); };
  const Output x = placeholder({-1, 12, 12, 32});
  const Output y = raw::Conv2D(low(x), low(noise({3, 3, 32, 48}, 1)), {1, 1, 1, 1}, "SAME");
  const Output rows = raw::Reshape(y, Tensor::of<std::int32_t>({2}, {-1, 48}));
  const Output z =
      raw::Cast(raw::MatMul(rows, low(noise({96, 48}, 2)), {.transpose_b = true}), DType::f32);
  const std::vector<Feed> feeds{{x, noise({2, 12, 12, 32}, 3)}};
  const Ran off = run({z}, feeds, {.rewrites_off = {"prepack_filters"}});
  EXPECT_EQ(off.count("Conv2D") + off.count("MatMul"), 2);
  Session session(graph);
  for (int again = 0; again < 2; ++again) {
    const Ran on = run_in(session, {z}, feeds);
    EXPECT_EQ(on.count("_PrepackedConv2D"), 1);
    EXPECT_EQ(on.count("_PrepackedMatMul"), 1);
    EXPECT_TRUE(identical(on.values[0], off.values[0]));
  }
}

TEST_F(LowerPrecision, IsOffUnlessAskedFor) {
  const Output x = placeholder({-1, 64});
  const Output y = raw::BatchMatMulV2(x, noise({64, 64}, 3));
  const std::vector<Feed> feeds{{x, noise({64, 64}, 4)}};
  const Ran plain = run({y}, feeds, {.rewrites_off = {"all"}});
  EXPECT_TRUE(identical(run({y}, feeds).values[0], plain.values[0]));
  EXPECT_EQ(run({y}, feeds).count("_LoweredBatchMatMul"), 0);
  EXPECT_EQ(run({y}, feeds, kLow).count("_LoweredBatchMatMul"), 1);
  const SessionOptions both{.rewrites_off = {"all"}, .rewrites_on = {"lower_precision"}};
  EXPECT_EQ(run({y}, feeds, both).count("_LoweredBatchMatMul"), 0) << "off means off";
  ::setenv("RILL_REWRITES_ON", "other,lower_precision", 1);
  EXPECT_EQ(run({y}, feeds).count("_LoweredBatchMatMul"), 1);
  ::unsetenv("RILL_REWRITES_ON");
}

TEST_F(LowerPrecision, TensorFlowsOptionsSwitchItOn) {
  using tensorflow::RewriterConfig;
  tensorflow::ConfigProto config;
  EXPECT_TRUE(session_options(config).rewrites_off.empty());
  auto& rewriter = *config.mutable_graph_options()->mutable_rewrite_options();
  rewriter.set_auto_mixed_precision_onednn_bfloat16(RewriterConfig::ON);
  EXPECT_TRUE(session_options(config).rewrites_on.contains("lower_precision"));
  rewriter.set_auto_mixed_precision_onednn_bfloat16(RewriterConfig::OFF);
  EXPECT_FALSE(session_options(config).rewrites_on.contains("lower_precision"));
  rewriter.set_auto_mixed_precision_mkl(RewriterConfig::ON);
  EXPECT_TRUE(session_options(config).rewrites_on.contains("lower_precision"));
}

}  // namespace
}  // namespace rill
