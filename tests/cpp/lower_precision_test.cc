// The rewrite lower_precision: off unless asked for, and then within what bfloat16 allows.
#include <cstdlib>

#include "rill/base/tile_permission.h"
#include "rill/runtime/config.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tests/cpp/fusion_testing.h"

namespace rill {
namespace {

class LowerPrecision : public FusionTest {
 protected:
  static inline const SessionOptions kLow{.rewrites_off = {"+lower_precision"}};

  Output conv(const Output& x, std::int64_t out, std::int64_t size, std::int64_t stride) {
    const std::int64_t in = x.shape().dim(3);
    const float scale = std::sqrt(3.0f / static_cast<float>(size * size * in));
    const Output y = raw::Conv2D(x, noise({size, size, in, out}, ++seed_, -scale, scale),
                                 {1, stride, stride, 1}, "SAME");
    return raw::FusedBatchNormV3(y, noise({out}, ++seed_, 0.5f, 1.5f), noise({out}, ++seed_),
                                 noise({out}, ++seed_), noise({out}, ++seed_, 0.5f, 1.5f),
                                 {.is_training = false})
        .y;
  }
  Output depthwise(const Output& x) {
    return raw::DepthwiseConv2dNative(x, noise({3, 3, x.shape().dim(3), 1}, ++seed_, -0.5f, 0.5f),
                                      {1, 1, 1, 1}, "SAME");
  }
  Output dense(const Output& x, std::int64_t out) {
    const std::int64_t in = x.shape().dim(1);
    const float scale = std::sqrt(3.0f / static_cast<float>(in));
    return raw::BiasAdd(raw::MatMul(x, noise({in, out}, ++seed_, -scale, scale)),
                        noise({out}, ++seed_));
  }

  // Rounding gives results that differ by no more than some hundredths of the largest; the largest
  // of each row stays where it was.
  void expect_lowered(const Output& y, const std::vector<Feed>& feeds, int places) {
    const Ran high = run({y}, feeds), low = run({y}, feeds, kLow);
    const Tensor &a = high.values[0], &b = low.values[0];
    expect_near(b, a, 0.03);
    const std::int64_t width = a.dim(a.rank() - 1);
    for (std::int64_t r = 0; r < a.element_count() / width; ++r) {
      const auto largest = [&](const Tensor& t) {
        const float* row = t.data<float>() + r * width;
        return std::max_element(row, row + width) - row;
      };
      EXPECT_EQ(largest(a), largest(b)) << "row " << r;
    }
    EXPECT_EQ(identical(a, b), !may_use_tiles()) << "nothing was rounded";
    EXPECT_EQ(
        low.count("_Conv2DThen") + low.count("_MatMulThen") + low.count("_LoweredBatchMatMul"),
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

TEST_F(LowerPrecision, IsOffUnlessAskedFor) {
  const Output x = placeholder({-1, 64});
  const Output y = raw::BatchMatMulV2(x, noise({64, 64}, 3));
  const std::vector<Feed> feeds{{x, noise({64, 64}, 4)}};
  const Ran plain = run({y}, feeds, {.rewrites_off = {"all"}});
  EXPECT_TRUE(identical(run({y}, feeds).values[0], plain.values[0]));
  EXPECT_EQ(run({y}, feeds).count("_LoweredBatchMatMul"), 0);
  EXPECT_EQ(run({y}, feeds, kLow).count("_LoweredBatchMatMul"), 1);
  const SessionOptions both{.rewrites_off = {"+lower_precision", "all"}};
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
  EXPECT_TRUE(session_options(config).rewrites_off.contains("+lower_precision"));
  rewriter.set_auto_mixed_precision_onednn_bfloat16(RewriterConfig::OFF);
  EXPECT_FALSE(session_options(config).rewrites_off.contains("+lower_precision"));
  rewriter.set_auto_mixed_precision_mkl(RewriterConfig::ON);
  EXPECT_TRUE(session_options(config).rewrites_off.contains("+lower_precision"));
}

}  // namespace
}  // namespace rill
