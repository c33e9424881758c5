#include "rill/board/graph/graph_view.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rill/base/text.h"

namespace rill::board {
namespace {

tensorflow::GraphDef graph_of(
    std::initializer_list<std::pair<const char*, std::vector<std::string>>> nodes) {
  tensorflow::GraphDef graph;
  for (const auto& [name, inputs] : nodes) {
    auto* node = graph.add_node();
    node->set_name(name);
    node->set_op(std::string_view(name).ends_with("const") ? "Const" : "Op");
    for (const std::string& input : inputs) node->add_input(input);
  }
  return graph;
}

const GraphView::Box* box_of(const GraphModel& model, const GraphView& view, const char* path) {
  const auto found = std::ranges::find(view.boxes, model.group_at(path), &GraphView::Box::group);
  return found == view.boxes.end() ? nullptr : &*found;
}

TEST(BoardGraph, scopes_are_folded_until_they_are_opened) {
  const GraphModel model(graph_of({{"x", {}},
                                   {"a/const", {}},
                                   {"a/b/one", {"x"}},
                                   {"a/b/two", {"a/b/one", "a/const", "^x"}},
                                   {"y", {"a/b/two:1"}}}));
  const GraphView folded = view_graph(model, {});
  EXPECT_EQ(folded.boxes.size(), 3u);
  EXPECT_EQ(folded.lines.size(), 2u);
  const GraphView open = view_graph(model, {.open = {"a", "a/b"}, .trace = "a/b/one"});
  const auto* outer = box_of(model, open, "a/b");
  const auto* inner = box_of(model, open, "a/b/two");
  ASSERT_TRUE(outer && inner);
  EXPECT_EQ(outer->kind, GraphView::BoxKind::kOpenScope);
  EXPECT_GE(inner->x, outer->x);
  EXPECT_LE(inner->x + inner->width, outer->x + outer->width);
  EXPECT_LE(inner->y + inner->height, outer->y + outer->height);
  EXPECT_EQ(box_of(model, open, "a/const"), nullptr);
  EXPECT_TRUE(box_of(model, open, "x")->is_traced);
  EXPECT_FALSE(box_of(model, open, "y")->is_traced);
  // Outside of a/b it goes with the tensor of the same way.
  EXPECT_EQ(std::ranges::count_if(open.lines, &GraphView::Line::is_control), 1);
  EXPECT_NE(box_of(model, view_graph(model, {.opens_all = true, .shows_constants = true}), "y"),
            nullptr);
}

TEST(BoardGraph, strange_graphs_end_nothing) {
  std::string deep = "a";
  for (int i = 0; i < 5000; ++i) deep += "/a";
  tensorflow::GraphDef graph = graph_of({{"", {""}},
                                         {"/", {"/"}},
                                         {"//x/", {"loop", "none:9"}},
                                         {"loop", {"loop", "^loop", "//x/"}},
                                         {"x", {}},
                                         {"x", {"x:99999999999999999999"}},
                                         {"x/y", {"x"}}});
  graph.add_node()->set_name(deep);
  const GraphModel model(graph);
  const GraphView view = view_graph(model, {.opens_all = true, .trace = "loop"});
  EXPECT_GT(view.boxes.size(), 4u);
}

TEST(BoardGraph, many_boxes_of_one_scope_are_laid_out) {
  tensorflow::GraphDef graph;
  for (int i = 0; i < 6000; ++i) {
    auto* node = graph.add_node();
    node->set_name(str_cat("n", i));
    node->set_op("Op");
    for (const int before : {1, 7, 400})
      if (i >= before) node->add_input(str_cat("n", i - before));
  }
  EXPECT_EQ(view_graph(GraphModel(graph), {}).boxes.size(), 6000u);
}

}  // namespace
}  // namespace rill::board
