#include "rill/api/picture/outline.h"

#include <algorithm>
#include <cmath>

#include "rill/base/text.h"

namespace rill::picture {
namespace {

constexpr double kBorder = 12;
constexpr Colour kInk{33, 37, 41}, kPale{110, 118, 126}, kLine{130, 140, 152};

struct Look {
  Colour fill, edge;
  double radius;
};

// Scopes of one name are of one colour, whatever number they have.
Look scope_look(const std::string& path, bool open) {
  constexpr Colour kFills[] = {{222, 235, 250}, {226, 243, 229}, {250, 235, 221}, {238, 229, 248},
                               {250, 229, 235}, {221, 241, 242}, {243, 239, 217}};
  std::string name(path.substr(0, path.find_last_not_of('/') + 1));
  name = name.substr(name.rfind('/') + 1);
  name = name.substr(0, name.find_last_not_of("0123456789_ ") + 1);
  unsigned hash = 0;
  for (const char c : name) hash = hash * 31 + static_cast<unsigned char>(c);
  const Colour fill = kFills[hash % std::size(kFills)];
  const auto mixed = [](int part, int with, int percent) {
    return (part * percent + with * (100 - percent)) / 100;
  };
  const Colour edge{mixed(fill.red, 60, 65), mixed(fill.green, 60, 65), mixed(fill.blue, 60, 65)};
  if (!open) return {fill, edge, 8};
  return {
      {mixed(fill.red, 255, 45), mixed(fill.green, 255, 45), mixed(fill.blue, 255, 45)}, edge, 10};
}

Look look_of(const Box& box) {
  switch (box.kind) {
    case BoxKind::input:
      return {{206, 238, 208}, {76, 142, 84}, 14};
    case BoxKind::output:
      return {{255, 226, 179}, {190, 131, 40}, 14};
    case BoxKind::node:
      return {{255, 255, 255}, {150, 158, 168}, 4};
    case BoxKind::scope:
      return scope_look(box.path, false);
    case BoxKind::open_scope:
      break;
  }
  return scope_look(box.path, true);
}

std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text) result += c >= ' ' && c <= '~' ? c : '?';
  return result;
}

void add_words(Outline& outline, const Box& box) {
  double y = box.y + (box.kind == BoxKind::open_scope ? 4 : 5);
  for (std::size_t i = 0; i < box.lines.size(); ++i) {
    const std::string text = printable(box.lines[i]);
    const double wide = static_cast<double>(text.size()) * kLetterWidth;
    const double x = box.kind == BoxKind::open_scope ? box.x + 8 : box.x + (box.width - wide) / 2;
    outline.words.push_back({x, y, text, i == 0 ? kInk : kPale});
    if (box.kind == BoxKind::open_scope) outline.words.back().behind = look_of(box).fill;
    y += kLineHeight;
  }
}

void add_arrow(Outline& outline, const std::vector<Point>& points) {
  constexpr double kLength = 6, kHalf = 3;
  const Point end = points.back();
  // A line that goes up again, as those of loops do, ends in an arrow that points up.
  const double up = points[points.size() - 2].y > end.y ? 1 : -1;
  const double base = end.y + up * kLength;
  outline.arrows.push_back({end, {end.x - kHalf, base}, {end.x + kHalf, base}, kLine});
}

}  // namespace

Outline outline_of(const Drawing& drawing) {
  Outline outline;
  double top = kBorder;
  for (const auto& [text, colour] : {std::pair(drawing.title, kInk), {drawing.remark, kPale}}) {
    if (text.empty()) continue;
    const std::string line = printable(text);
    outline.words.push_back({kBorder, top, line, colour});
    outline.width = std::max(outline.width, static_cast<double>(line.size()) * kLetterWidth);
    top += kLineHeight + 2;
  }
  top += 4;
  const double left = kBorder + std::max(0.0, outline.width - drawing.width) / 2;
  outline.width = std::max(outline.width, drawing.width) + 2 * kBorder;
  outline.height = top + drawing.height + kBorder;
  for (Box box : drawing.boxes) {
    box.x += left;
    box.y += top;
    const Look look = look_of(box);
    outline.frames.push_back({box.x, box.y, box.width, box.height,
                              std::min({look.radius, box.width / 2, box.height / 2}), look.fill,
                              look.edge, box.path});
    add_words(outline, box);
  }
  for (const Line& line : drawing.lines) {
    if (line.points.size() < 2) continue;
    Curve curve{line.points, std::min(1 + std::log2(line.tensors) * 0.5, 4.0), kLine};
    for (Point& point : curve.points) point = {point.x + left, point.y + top};
    if (line.arrow) add_arrow(outline, curve.points);
    outline.curves.push_back(std::move(curve));
  }
  return outline;
}

}  // namespace rill::picture
