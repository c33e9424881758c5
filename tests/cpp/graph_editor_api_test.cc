// tf.contrib.graph_editor: walks along edges, copies of nodes, edges that are moved.
#include <gtest/gtest.h>

#include "rill/api/graph_editor/copy.h"
#include "rill/api/graph_editor/walk.h"
#include "rill/ops/register.h"

namespace rill::graph_editor {
namespace {

using Names = std::vector<std::string>;

Names names_of(const std::vector<Node*>& nodes) {
  Names names;
  for (const Node* node : nodes) names.push_back(node->name());
  return names;
}

// a -> b -> c, and d, which waits for b and reads a.
struct Chain {
  Graph graph{standard_ops()};
  Node& a = graph.add({.op = "Placeholder", .name = "a", .attrs = {{"dtype", DType::f32}}});
  Node& b = graph.add({.op = "Neg", .name = "s/b", .inputs = {a.output()}});
  Node& c = graph.add({.op = "Exp", .name = "s/c", .inputs = {b.output()}});
  Node& d = graph.add({.op = "Abs", .name = "d", .inputs = {a.output()}, .control_inputs = {&b}});
};

TEST(GraphEditor, backward_walk) {
  Chain g;
  Node* seeds[] = {&g.c};
  EXPECT_EQ(names_of(backward_walk(seeds)), (Names{"s/c", "s/b", "a"}));
  EXPECT_EQ(names_of(backward_walk(seeds, {.inclusive = false})), (Names{"s/b", "a"}));
  EXPECT_EQ(names_of(backward_walk(seeds, {.stop_at = {g.a.output()}})), (Names{"s/c", "s/b"}));
  Node* waiting[] = {&g.d};
  EXPECT_EQ(names_of(backward_walk(waiting)), (Names{"d", "a"}));
  EXPECT_EQ(names_of(backward_walk(waiting, {.control_edges = true})), (Names{"d", "a", "s/b"}));
}

TEST(GraphEditor, forward_walk) {
  Chain g;
  Node* seeds[] = {&g.b};
  EXPECT_EQ(names_of(forward_walk(seeds)), (Names{"s/b", "s/c"}));
  EXPECT_EQ(names_of(forward_walk(seeds, {.control_edges = true})), (Names{"s/b", "s/c", "d"}));
}

TEST(GraphEditor, boundary_tensors) {
  Chain g;
  Node* inside[] = {&g.b, &g.c};
  const BoundaryTensors found = boundary_tensors(inside);
  EXPECT_EQ(found.inputs, std::vector{g.a.output()});
  EXPECT_EQ(found.outputs, std::vector{g.c.output()});
  EXPECT_EQ(found.inside, std::vector{g.b.output()});
}

TEST(GraphEditor, copies_read_what_replaces_their_inputs) {
  Chain g;
  Node& x = g.graph.add({.op = "Placeholder", .name = "x", .attrs = {{"dtype", DType::f32}}});
  Node* nodes[] = {&g.c, &g.b};
  const Copies made = copy_nodes(
      nodes, {.dst_scope = "t", .src_scope = "s", .replacements = {{g.a.output(), x.output()}}});
  EXPECT_EQ(made.scope, "t/");
  const Node& c = *made.nodes.at(&g.c);
  EXPECT_EQ(c.name(), "t/c");
  EXPECT_EQ(c.input(0).node->name(), "t/b");
  EXPECT_EQ(c.input(0).node->input(0), x.output());
}

TEST(GraphEditor, copies_in_another_graph_get_placeholders) {
  Chain g;
  Graph other(standard_ops());
  Node* nodes[] = {&g.b, &g.c};
  const Copies made = copy_nodes(nodes, {.graph = &other});
  const Node& b = *made.nodes.at(&g.b);
  EXPECT_EQ(&b.graph(), &other);
  EXPECT_EQ(b.input(0).node->op().name, "Placeholder");
}

TEST(GraphEditor, reroute) {
  Chain g;
  Node& x = g.graph.add({.op = "Placeholder", .name = "x", .attrs = {{"dtype", DType::f32}}});
  EXPECT_EQ(reroute(g.a.output(), x.output()), 2);
  EXPECT_EQ(g.b.input(0), x.output());
  EXPECT_EQ(g.d.input(0), x.output());
  Node* only[] = {&g.d};
  EXPECT_EQ(reroute(x.output(), g.a.output(), only), 1);
  EXPECT_EQ(g.b.input(0), x.output());
}

}  // namespace
}  // namespace rill::graph_editor
