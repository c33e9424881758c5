#include "rill/inspect/op_cost.h"

#include <gtest/gtest.h>

#include "rill/graph/op_decl.h"

namespace rill::inspect {
namespace {

TensorSize floats(std::initializer_list<std::int64_t> dims) { return {DType::f32, Shape(dims)}; }

OpCost cost(std::string_view op, std::vector<TensorSize> inputs, std::vector<TensorSize> outputs,
            const AttrMap& attrs = {}, std::uint32_t traits = 0) {
  return op_cost({op, attrs, inputs, outputs, traits});
}

TEST(OpCost, products_count_multiplications_and_additions) {
  const OpCost plain = cost("MatMul", {floats({4, 5}), floats({5, 6})}, {floats({4, 6})});
  EXPECT_TRUE(plain.is_known);
  EXPECT_EQ(plain.flops, 2 * 4 * 5 * 6);
  EXPECT_EQ(plain.bytes, 4 * (20 + 30 + 24));
  const OpCost turned =
      cost("MatMul", {floats({5, 4}), floats({5, 6})}, {floats({4, 6})}, {{"transpose_a", true}});
  EXPECT_EQ(turned.flops, plain.flops);
  const OpCost batch = cost("BatchMatMulV2", {floats({3, 4, 5}), floats({3, 5, 6})},
                            {floats({3, 4, 6})}, {{"adj_x", false}});
  EXPECT_EQ(batch.flops, 3 * plain.flops);
}

TEST(OpCost, convolutions_and_their_gradients_do_the_same_work) {
  const TensorSize image = floats({2, 8, 8, 3}), filter = floats({3, 3, 3, 16}),
                   result = floats({2, 8, 8, 16}), sizes{DType::i32, Shape({4})};
  const double flops = 2.0 * 2 * 8 * 8 * 16 * 3 * 3 * 3;
  EXPECT_EQ(cost("Conv2D", {image, filter}, {result}).flops, flops);
  EXPECT_EQ(cost("Conv2DBackpropInput", {sizes, filter, result}, {image}).flops, flops);
  EXPECT_EQ(cost("Conv2DBackpropFilter", {image, sizes, result}, {filter}).flops, flops);
}

TEST(OpCost, a_depthwise_filter_sees_its_own_channel_alone) {
  const TensorSize image = floats({1, 8, 8, 4}), filter = floats({3, 3, 4, 1});
  EXPECT_EQ(cost("DepthwiseConv2dNative", {image, filter}, {image}).flops, 2 * 8 * 8 * 4 * 9);
}

TEST(OpCost, pools_look_at_windows) {
  const AttrMap window{{"ksize", std::vector<std::int64_t>{1, 2, 2, 1}}};
  EXPECT_EQ(cost("MaxPool", {floats({1, 4, 4, 2})}, {floats({1, 2, 2, 2})}, window).flops, 8 * 4);
}

TEST(OpCost, reductions_read_and_elements_are_computed_once) {
  EXPECT_EQ(cost("Sum", {floats({10, 10})}, {floats({})}).flops, 100);
  const OpCost simple =
      cost("Whatever", {floats({10}), floats({10})}, {floats({10})}, {}, kPure | kElementwise);
  EXPECT_TRUE(simple.is_known);
  EXPECT_EQ(simple.flops, 10);
  EXPECT_EQ(simple.bytes, 120);
}

TEST(OpCost, what_only_forwards_or_picks_moves_little) {
  EXPECT_EQ(cost("Reshape", {floats({100})}, {floats({10, 10})}, {}, kForwards).bytes, 0);
  EXPECT_EQ(cost("GatherV2", {floats({1000, 4}), floats({2})}, {floats({2, 4})}).bytes, 2 * 32);
}

TEST(OpCost, unknown_ops_have_bytes_alone) {
  const OpCost unknown = cost("NobodyKnows", {floats({10})}, {floats({10})});
  EXPECT_FALSE(unknown.is_known);
  EXPECT_EQ(unknown.flops, 0);
  EXPECT_EQ(unknown.bytes, 80);
}

TEST(OpCost, the_roof_is_what_takes_longer) {
  const Peaks peaks{.threads = 1,
                    .float_flops = 1e9,
                    .double_flops = 5e8,
                    .cache_bytes = 1e10,
                    .memory_bytes = 1e9};
  const Roofline heavy = roofline({.flops = 1e9, .bytes = 100}, DType::f32, peaks);
  EXPECT_DOUBLE_EQ(heavy.seconds, 1);
  EXPECT_FALSE(heavy.by_memory);
  EXPECT_DOUBLE_EQ(roofline({.flops = 1e9, .bytes = 100}, DType::f64, peaks).seconds, 2);
  const Roofline large = roofline({.flops = 1, .bytes = 1e9}, DType::f32, peaks);
  EXPECT_DOUBLE_EQ(large.seconds, 1);
  EXPECT_TRUE(large.by_memory);
  EXPECT_DOUBLE_EQ(roofline({.flops = 1, .bytes = 1e6}, DType::f32, peaks).seconds, 1e-4);
}

}  // namespace
}  // namespace rill::inspect
