// Graphs made smaller: transform_graph, strip_unused, optimize_for_inference.
#include <gtest/gtest.h>

#include <algorithm>

#include "rill/api/graph_transforms/inference.h"
#include "rill/api/graph_transforms/transform.h"
#include "rill/graph/graph_def.h"
#include "rill/messages.h"
#include "rill/rill.h"

namespace rill::graph_transforms {
namespace {

using tensorflow::GraphDef;

Names ops(const GraphDef& graph) {
  Names result;
  for (const auto& node : graph.node()) result.push_back(node.op());
  std::ranges::sort(result);
  return result;
}

// y = relu(batch normalization of x * w).
GraphDef normalized() {
  const auto graph = make_graph();
  const AsDefault in_graph(graph);
  const auto x = placeholder(float32, {None, 4}, {.name = "x"});
  const auto h = matmul(x, Tensor::of<float>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}));
  const auto n =
      nn::batch_normalization(h, Tensor::vector<float>({1, 2}), Tensor::vector<float>({4, 9}),
                              Tensor::vector<float>({5, 6}), Tensor::vector<float>({7, 8}), 1e-3f);
  identity(nn::relu(n), {.name = "y"});
  return export_graph_def(*graph);
}

Tensor run_transformed(const GraphDef& def) {
  const auto graph = make_graph();
  import_graph_def(*graph, def);
  Session session(graph);
  return session.run({{"x:0", Tensor::of<float>({1, 4}, {1, -1, 2, 0.5})}}, {"y:0"})[0];
}

TEST(GraphTransforms, inference) {
  const GraphDef before = normalized();
  const GraphDef after = transform_graph(before, {"x"}, {"y"}, kInferenceTransforms);
  EXPECT_EQ(ops(after),
            (Names{"AddV2", "Const", "Const", "Identity", "MatMul", "Placeholder", "Relu"}));
  const Tensor expected = run_transformed(before), got = run_transformed(after);
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(got.flat<float>()[i], expected.flat<float>()[i], 1e-3) << i;
}

TEST(GraphTransforms, parse) {
  const auto transforms = parse_transforms(" a( x=1 ,x=\"2,3\"y=z)\n b() c");
  ASSERT_EQ(transforms.size(), 3u);
  EXPECT_EQ(transforms[0].all("x"), (Names{"1", "2,3"}));
  EXPECT_EQ(transforms[0].one("y"), "z");
  EXPECT_EQ(transforms[2].name, "c");
  EXPECT_EQ(transforms[2].int_or("n", 7), 7);
  EXPECT_THROW(parse_transforms("a(x)"), Error);
  EXPECT_THROW(parse_transforms("a(x=\"1"), Error);
  EXPECT_THROW(parse_transforms("a(x=1"), Error);
  EXPECT_THROW(transforms[0].one("x"), Error);
}

TEST(GraphTransforms, names_are_sorted_and_unknown_ones_refused) {
  EXPECT_TRUE(std::ranges::is_sorted(known_transforms(), {}, [](const KnownTransform& known) {
    return std::string_view(known.name);
  }));
  EXPECT_THROW(transform_graph(normalized(), {}, {"y"}, "none"), Error);
}

TEST(GraphTransforms, strip_unused) {
  const GraphDef small = strip_unused(normalized(), {"MatMul"}, {"y"}, {DType::f32});
  EXPECT_EQ(small.node(0).op(), "Placeholder");
  EXPECT_EQ(small.node(0).name(), "MatMul");
  EXPECT_THROW(strip_unused(normalized(), {"none"}, {"y"}, {DType::f32}), Error);
  EXPECT_THROW(strip_unused(normalized(), {"x"}, {"y"}, {DType::f32, DType::f32}), Error);
}

TEST(GraphTransforms, broken_graphs_are_errors) {
  GraphDef graph = normalized();
  *graph.add_node() = graph.node(0);
  EXPECT_THROW(optimize_for_inference(graph, {"x"}, {"y"}, {DType::f32}), Error);
  EXPECT_THROW(transform_graph(graph, {"x"}, {"y"}, "fold_batch_norms"), Error);
  GraphDef lost = normalized();
  lost.mutable_node(3)->add_input("nowhere:7");
  EXPECT_THROW(transform_graph(lost, {"x"}, {"y"}, "sort_by_execution_order"), Error);
  GraphDef cycle = normalized();
  cycle.mutable_node(2)->add_input("y");
  EXPECT_THROW(transform_graph(cycle, {"x"}, {"y"}, "fold_constants"), Error);
  GraphDef circle = normalized();
  for (const auto& [name, input] : {std::pair("a", "b"), {"b", "a"}, {"c", "a"}}) {
    auto* node = circle.add_node();
    node->set_name(name);
    node->set_op(name[0] == 'c' ? "Neg" : "Identity");
    node->add_input(input);
  }
  for (const char* transform :
       {"remove_nodes(op=Identity)", "remove_training_nodes", "fold_branches"})
    EXPECT_THROW(transform_graph(circle, {"x"}, {"y"}, transform), Error);
}

}  // namespace
}  // namespace rill::graph_transforms
