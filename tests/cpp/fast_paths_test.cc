// Each path that kernels and steps choose by shapes: the same results without it, within rounding,
// and that it is what a step of its shapes takes.
#include "rill/kernel/fast_paths.h"

#include "rill/base/tile_permission.h"
#include "rill/ops/nn/winograd/winograd_rows.h"
#include "tests/cpp/fusion_testing.h"

namespace rill {
namespace {

class FastPaths : public FusionTest {
 protected:
  // Runs with the path and without it; `at_least` is how often a step would have taken it.
  void compare_without(FastPath path, const std::vector<Output>& fetches,
                       const std::vector<Feed>& feeds, int at_least, double tolerance = 1e-5) {
    SCOPED_TRACE(name_of(path));
    const Ran with = run(fetches, feeds);
    const WithoutFastPath off(path);
    const Ran without = run(fetches, feeds);
    EXPECT_GE(off.declined(), at_least);
    EXPECT_EQ(with.ops, without.ops);  // the path is the kernel's own
    for (std::size_t i = 0; i < fetches.size(); ++i)
      expect_near(with.values[i], without.values[i], tolerance);
  }
  void expect_not_taken(FastPath path, const std::vector<Output>& fetches,
                        const std::vector<Feed>& feeds) {
    const WithoutFastPath off(path);
    run(fetches, feeds);
    EXPECT_EQ(off.declined(), 0) << name_of(path);
  }
  // A convolution and its gradients.
  std::vector<Output> conv(const Output& x, const Output& filter) {
    const Output y = raw::Conv2D(x, filter, {1, 1, 1, 1}, "SAME");
    std::vector<Output> all{y};
    for (const Gradient& g : gradients({raw::L2Loss(raw::Sin(y))}, {x, filter}))
      all.push_back(g.dense());
    return all;
  }
  std::vector<Output> conv_of(const Shape& images, std::int64_t size, std::int64_t out,
                              std::vector<Feed>& feeds) {
    const Output x = placeholder(PartialShape(images), "images");
    const Shape shape{size, size, images.dim(3), out};
    const Output filter = placeholder(PartialShape(shape), "filter");
    feeds = {{x, noise(images, 1)}, {filter, noise(shape, 2, -0.2f, 0.2f)}};
    return conv(x, filter);
  }
};

TEST_F(FastPaths, ConvolutionsOfFewPositions) {
  std::vector<Feed> feeds;
  const auto all = conv_of({1, 2, 2, 256}, 3, 256, feeds);
  compare_without(FastPath::kConvIm2col, all, feeds, 3, 1e-4);
  const auto others = conv_of({2, 20, 20, 3}, 3, 4, feeds);
  expect_not_taken(FastPath::kConvIm2col, others, feeds);
}

TEST_F(FastPaths, Winograd) {
  for (const std::int64_t size : {3, 5}) {
    std::vector<Feed> feeds;
    const auto all = conv_of({2, 20, 22, 32}, size, 64, feeds);
    compare_without(FastPath::kConvWinograd, all, feeds, winograd_kernel().panel_width < 16 ? 0 : 3,
                    1e-4);
  }
  std::vector<Feed> feeds;
  const auto others = conv_of({2, 20, 20, 3}, 3, 4, feeds);
  expect_not_taken(FastPath::kConvWinograd, others, feeds);
}

TEST_F(FastPaths, GradientsOfFiltersOfPoints) {
  std::vector<Feed> feeds;
  const auto all = conv_of({2, 14, 14, 512}, 1, 512, feeds);
  compare_without(FastPath::kConvProduct, all, feeds, 1, 1e-4);
}

TEST_F(FastPaths, ConvolutionsOfOneChannel) {
  std::vector<Feed> feeds;
  const auto all = conv_of({3, 28, 27, 1}, 5, 20, feeds);
  compare_without(FastPath::kConvOneChannel, all, feeds, 1, 1e-4);
  const auto others = conv_of({3, 28, 27, 2}, 5, 20, feeds);
  expect_not_taken(FastPath::kConvOneChannel, others, feeds);
}

TEST_F(FastPaths, ConvolutionsOfOneDnn) {
  std::vector<Feed> feeds;
  const auto all = conv_of({3, 12, 13, 6}, 3, 20, feeds);
  compare_without(FastPath::kConvOneDnn, all, feeds, 3, 1e-4);
  const Output y = raw::Relu(raw::BiasAdd(all[0], noise({20}, 5)));
  compare_without(FastPath::kConvOneDnn, {y}, feeds, 1);
}

TEST_F(FastPaths, DepthwiseConvolutions) {
  const Output x = placeholder({2, 15, 14, 40}, "x"), filter = placeholder({3, 3, 40, 1}, "w");
  const std::vector<Feed> feeds{{x, noise({2, 15, 14, 40}, 1)}, {filter, noise({3, 3, 40, 1}, 2)}};
  const Output y = raw::DepthwiseConv2dNative(x, filter, {1, 1, 1, 1}, "SAME");
  std::vector<Output> all{y};
  for (const Gradient& g : gradients({raw::L2Loss(raw::Sin(y))}, {x, filter}))
    all.push_back(g.dense());
  compare_without(FastPath::kDepthwiseTaps, all, feeds, 2);
}

TEST_F(FastPaths, Pools) {
  const Output x = placeholder({2, 9, 10, 37}, "x");
  const std::vector<Feed> feeds{{x, noise({2, 9, 10, 37}, 1)}};
  for (const std::int64_t size : {2, 3}) {
    const std::vector<std::int64_t> window{1, size, size, 1}, step{1, 2, 2, 1};
    for (const Output& y :
         {raw::MaxPool(x, window, step, "SAME"), raw::AvgPool(x, window, step, "SAME")}) {
      const auto by = gradients({raw::L2Loss(raw::Sin(y))}, {x});
      compare_without(FastPath::kPoolRows, {y, by[0].dense()}, feeds, 2);
    }
  }
}

TEST_F(FastPaths, ProductsWithPackedFactors) {
  const Output x = placeholder({-1, 128}, "x");
  const Output y = raw::Relu(raw::BiasAdd(raw::MatMul(x, noise({128, 96}, 2)), noise({96}, 3)));
  compare_without(FastPath::kPackedMatMul, {y}, {{x, noise({16, 128}, 1)}}, 1);
  expect_not_taken(FastPath::kPackedMatMul, {y}, {{x, noise({1, 128}, 1)}});
}

TEST_F(FastPaths, ProductsOfPanels) {
  const Output x = placeholder({-1, 200}, "x");
  const Output y = raw::MatMul(x, noise({200, 130}, 2));
  compare_without(FastPath::kPanels, {y}, {{x, noise({100, 200}, 1)}}, 1);
  expect_not_taken(FastPath::kPanels, {y}, {{x, noise({3, 200}, 1)}});
}

TEST_F(FastPaths, Tiles) {
  const Output x = placeholder({64, 128}, "x");
  const Output a = raw::Cast(x, DType::bf16), b = raw::Cast(noise({128, 64}, 2), DType::bf16);
  const Output y = raw::Cast(raw::MatMul(a, b), DType::f32);
  compare_without(FastPath::kTiles, {y}, {{x, noise({64, 128}, 1)}}, may_use_tiles() ? 1 : 0,
                  8e-3);  // sums that lie between two numbers of bfloat16
}

TEST_F(FastPaths, ResultsInTheMemoryOfInputs) {
  const Output x = placeholder({30, 20}, "x");
  const Output y = raw::Softmax(raw::Relu(raw::MatMul(raw::Tanh(x), noise({20, 20}, 1))));
  compare_without(FastPath::kInPlace, {y}, {{x, noise({30, 20}, 1)}}, 1, 1e-30);
}

TEST_F(FastPaths, PlainLoops) {
  const Output x = placeholder({4, 5}, "x");
  const auto made = while_loop([](const std::vector<Output>& v) { return raw::Less(v[0], 7); },
                               [](const std::vector<Output>& v) {
                                 return std::vector<Output>{raw::Add(v[0], 1), raw::Sin(v[1])};
                               },
                               {raw::Identity(Tensor::scalar(0)), x});
  compare_without(FastPath::kPlainLoops, {made[1]}, {{x, noise({4, 5}, 1)}}, 1, 1e-30);
}

// Which path is the faster is measured: the other one is tried at least every 64 steps.
TEST_F(FastPaths, InterOpParallelism) {
  const Output x = placeholder({200, 200}, "x");
  std::vector<Input> parts;
  for (unsigned i = 0; i < 4; ++i)
    parts.push_back(
        raw::MatMul(raw::AddV2(x, Tensor::scalar(static_cast<float>(i))), noise({200, 200}, i)));
  const std::vector<Output> fetches{raw::AddN(parts)};
  const std::vector<Feed> feeds{{x, noise({200, 200}, 9)}};
  const auto values = [&] {
    Session session(graph, {.intra_op_threads = 4});
    std::vector<Tensor> last;
    for (int i = 0; i < 140; ++i) last = session.run(fetches, feeds);
    return last[0];
  };
  const Tensor with = values();
  const WithoutFastPath off(FastPath::kInterOp);
  EXPECT_TRUE(identical(values(), with));
  EXPECT_GE(off.declined(), 1);
}

TEST_F(FastPaths, SetsOfCharacters) {
  const Output text = raw::Placeholder(DType::string);
  const Output out = raw::RegexReplace(text, Tensor::scalar(std::string("[^a-z ]+")),
                                       Tensor::scalar(std::string("-")));
  const Tensor texts = Tensor::vector<std::string>({"one, two; 3!", "", "!!", "only letters"});
  const Tensor with = run({out}, {{text, texts}}).values[0];
  const WithoutFastPath off(FastPath::kRegexSet);
  EXPECT_TRUE(identical(run({out}, {{text, texts}}).values[0], with));
  EXPECT_EQ(off.declined(), 1);
}

TEST_F(FastPaths, SparseRowsInOrder) {
  const Output values = placeholder({4}, "values");
  const auto product = [&](const std::vector<std::int64_t>& indices) {
    return raw::SparseTensorDenseMatMul(Tensor::of<std::int64_t>({4, 2}, indices), values,
                                        Tensor::vector<std::int64_t>({3, 5}), noise({5, 6}, 2));
  };
  const std::vector<Feed> feeds{{values, noise({4}, 1)}};
  compare_without(FastPath::kSparseInOrder, {product({0, 1, 0, 4, 1, 0, 2, 3})}, feeds, 1, 1e-30);
  expect_not_taken(FastPath::kSparseInOrder, {product({2, 1, 0, 4, 1, 0, 2, 3})}, feeds);
}

TEST_F(FastPaths, NamesAreUnique) {
  std::set<std::string_view> names;
  for (int i = 0; i < kFastPathCount; ++i) names.insert(name_of(static_cast<FastPath>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kFastPathCount));
  EXPECT_FALSE(names.contains(""));
}

TEST_F(FastPaths, EarlierNamesStayValid) {
  EXPECT_EQ(find_fast_path("conv:im2col"), FastPath::kConvIm2col);
  EXPECT_EQ(find_fast_path("conv:gathered"), FastPath::kConvIm2col);
  EXPECT_EQ(find_fast_path("inter_op"), FastPath::kInterOp);
  EXPECT_EQ(find_fast_path("side_by_side"), FastPath::kInterOp);
  EXPECT_EQ(find_fast_path("nosuch"), std::nullopt);
}

}  // namespace
}  // namespace rill
