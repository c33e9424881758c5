#include "rill/inspect/op_cost.h"

#include <gtest/gtest.h>

#include "rill/graph/op_decl.h"
#include "rill/ops/register.h"

namespace rill::inspect {
namespace {

TensorSize floats(std::initializer_list<std::int64_t> dims) { return {DType::f32, Shape(dims)}; }

OpCost cost(const Op* op, std::vector<TensorSize> inputs, std::vector<TensorSize> outputs,
            const AttrMap& attrs = {}) {
  return op_cost({op, attrs, inputs, outputs, standard_ops()});
}
OpCost cost(std::string_view op, std::vector<TensorSize> inputs, std::vector<TensorSize> outputs,
            const AttrMap& attrs = {}) {
  return cost(&standard_ops().at(op), std::move(inputs), std::move(outputs), attrs);
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
  const Op whatever({.name = "Whatever", .doc = "", .traits = kPure | kElementwise});
  const OpCost simple = cost(&whatever, {floats({10}), floats({10})}, {floats({10})});
  EXPECT_TRUE(simple.is_known);
  EXPECT_EQ(simple.flops, 10);
  EXPECT_EQ(simple.bytes, 120);
}

TEST(OpCost, ops_that_forward_or_gather_cost_little) {
  EXPECT_EQ(cost("Reshape", {floats({100})}, {floats({10, 10})}).bytes, 0);
  EXPECT_EQ(cost("Shape", {floats({100})}, {floats({1})}).bytes, 0);
  EXPECT_EQ(cost("ReadVariableOp", {{}}, {floats({100})}).bytes, 0);
  EXPECT_EQ(cost("GatherV2", {floats({1000, 4}), floats({2})}, {floats({2, 4})}).bytes, 2 * 32);
}

TEST(OpCost, unknown_ops_have_bytes_alone) {
  const OpCost unknown = cost(nullptr, {floats({10})}, {floats({10})});
  EXPECT_FALSE(unknown.is_known);
  EXPECT_EQ(unknown.flops, 0);
  EXPECT_EQ(unknown.bytes, 80);
}

TEST(OpCost, cells_and_layers_cost_products_and_activations) {
  const TensorSize x = floats({3, 5}), h = floats({3, 7}), w = floats({12, 28}), b = floats({28});
  const double product = 2.0 * 3 * 12 * 28, squashed = 15.0 * 3 * 28;
  const OpCost cell = cost("_LstmCell", {x, h, h, w, b}, {h, h}, {{"P", 2}});
  EXPECT_EQ(cell.flops, product + squashed + 19 * 3 * 7);
  const TensorSize gates = floats({3, 14}), back = floats({12, 7});
  EXPECT_EQ(cost("_GruCellGrad", {gates, h, h, h, back}, {gates, h, h}, {{"X", 0}}).flops,
            2.0 * 3 * 12 * 7 + 18 * 3 * 7);
  const TensorSize steps = floats({4, 3, 5}), bound{DType::i32, Shape()};
  EXPECT_EQ(cost("_RnnLayer", {steps, bound, h, h, w, b}, {floats({4, 3, 7})},
                 {{"L", 0}, {"S", 2}, {"W", 2}})
                .flops,
            4 * (product + squashed));
}

TEST(OpCost, product_sums_count_all_and_slices_their_part) {
  const TensorSize a = floats({4, 5}), b = floats({4, 6}), sum = floats({5, 6});
  EXPECT_EQ(cost("_ProductSum", {sum, a, a, b, b}, {sum}, {{"S", 1}, {"N", 2}}).flops,
            2 * (2 * 4 * 5 * 6));
  EXPECT_EQ(cost("_MatMulSlice", {floats({4, 9}), floats({6, 9}), {}, {}}, {floats({4, 2})}).flops,
            2 * 4 * 2 * 9);
  EXPECT_EQ(cost("_MatMulColumns", {floats({4, 9}), floats({6, 9})}, {floats({4, 2})}).flops,
            2 * 4 * 2 * 9);
}

TEST(OpCost, chains_and_updates_are_the_sum_of_their_parts) {
  const TensorSize all = floats({10, 3}), row = floats({3});
  const AttrMap ops{{"op_names", std::vector<std::string>{"Tanh", "Mul", "Sqrt"}}};
  EXPECT_EQ(cost("_ElementwiseChain", {all, row}, {all}, ops).flops, 30 * (15 + 1 + 4));
  const AttrMap momentum{{"update", "ApplyMomentum"}, {"N", 4}, {"M", 2}, {"K", 2}};
  EXPECT_EQ(cost("_FusedApply", {all, all, row, row, all, row, {}, {}}, {}, momentum).flops,
            4 * (30 + 3));
}

TEST(OpCost, fused_ops_have_costs) {
  for (const Op* op : standard_ops().all()) {
    const std::string& name = op->name;
    if (name[0] != '_' || name == "_If" || name == "_While") continue;  // those run functions
    EXPECT_TRUE(cost(op, {floats({2, 3}), floats({3, 4})}, {floats({2, 4})}).is_known) << name;
    EXPECT_NE(op->cost, nullptr) << name << " states no cost";
  }
}

TEST(OpCost, roofline_is_the_longer_of_compute_and_memory) {
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
