#pragma once

#include <utility>
#include <vector>

namespace rill::layout {

struct Point {
  double x = 0, y = 0;
};

struct Size {
  double width = 0, height = 0;
};
struct Gaps {
  double across = 18, down = 30;  // between boxes of a layer, and between layers
  bool is_quick = false;  // one of very many pictures: the order is sought less long, and lines
                          // that pass several layers are straight
};
struct Layout {
  Size size = {};
  std::vector<Point> places = {};  // upper left corners
  std::vector<std::vector<Point>>
      routes;  // of the edges, from the lower to the upper edge of boxes
};

// Boxes in layers, each below all that it depends on (but for cycles), with few crossings. Two
// boxes with no size may stand for what comes in at the top and goes out at the bottom. Of large
// pictures the order is sought less long.
Layout layered_layout(const std::vector<Size>& boxes, const std::vector<std::pair<int, int>>& edges,
                      const Gaps& gaps = {});

}  // namespace rill::layout
