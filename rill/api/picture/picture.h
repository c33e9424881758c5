#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rill/graph/layered_layout.h"
#include "rill/proto/messages_fwd.h"

// Pictures of graphs: boxes for nodes and name scopes, lines for tensors, from top to bottom.
namespace rill::picture {

using layout::Point;

enum class BoxKind { input, output, node, scope, open_scope };
struct Box {
  double x = 0, y = 0, width = 0, height = 0;
  BoxKind kind = BoxKind::node;
  std::vector<std::string> lines = {};  // what stands in it; of an open scope at its top
  std::string path = {};                // the whole name
};
struct Line {
  std::vector<Point> points = {};  // from top to bottom
  bool arrow = true;               // at its end
  int tensors = 1;                 // how many it stands for
};
// Positions are in units of which a letter is kLetterWidth wide. What is around comes first.
struct Drawing {
  double width = 0, height = 0;
  std::string title = {}, remark = {};
  std::vector<Box> boxes = {};
  std::vector<Line> lines = {};
};
inline constexpr double kLetterWidth = 6, kLineHeight = 12;

struct Options {
  std::string title = {};
  std::string scope = {};  // only what is below this name scope
  int boxes = 80;  // about that many; scopes are opened, the largest first, until they are there
};
// Constants, variables and what only trains or saves are left out; the sizes of weights stand with
// the nodes that read them. Throws InvalidArgument when there is nothing to draw.
Drawing draw(const tensorflow::GraphDef& graph, const Options& options = {});

std::string to_svg(const Drawing& drawing);
// So many pixels to a unit; fewer where the picture would become larger than can be looked at.
std::string to_png(const Drawing& drawing, double scale = 2);

}  // namespace rill::picture
