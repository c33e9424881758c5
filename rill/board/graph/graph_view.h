#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "rill/board/graph/graph_model.h"
#include "rill/graph/layered_layout.h"

namespace rill::board {

struct ViewOptions {
  std::set<std::string> open = {};  // paths of the scopes that are open
  bool opens_all = false;
  bool shows_constants = false;
  std::string trace = {};  // path of a node: what it depends on is marked
};

// A graph as it is seen while some of its scopes are open: boxes and lines with places.
struct GraphView {
  enum class BoxKind { kScope, kOpenScope, kNode };
  struct Box {
    double x = 0, y = 0, width = 0, height = 0;  // x and y: the upper left corner
    BoxKind kind = BoxKind::kNode;
    int group = 0;
    bool is_aside = false;   // stands beside the others, without lines
    bool is_traced = false;  // what is traced depends on it
  };
  struct Line {
    std::vector<layout::Point> points;
    bool is_control = false;
    int tensors = 1;
    std::string label = {};  // the shape of the tensor, when it is one or all are alike
    int from = 0, to = 0;    // groups; of a line that leaves a scope that scope
  };
  double width = 0, height = 0;
  std::vector<Box> boxes;  // what is around comes first
  std::vector<Line> lines;
};
GraphView view_graph(const GraphModel& model, const ViewOptions& options);

}  // namespace rill::board
