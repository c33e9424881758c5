#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rill/api/picture/picture.h"

namespace rill::picture {

// A drawing as plain shapes with colours, in the order in which they are painted: what every form
// of a picture is made of.
struct Colour {
  int red = 0, green = 0, blue = 0;
};
struct Frame {
  double x = 0, y = 0, width = 0, height = 0, radius = 0;
  Colour fill = {}, edge = {};
  std::string hint = {};
};
struct Curve {  // through the points, upright at each of them
  std::vector<Point> points;
  double width = 1;
  Colour colour;
};
struct Triangle {
  Point a = {}, b = {}, c = {};
  Colour colour = {};
};
struct Words {
  double x = 0, y = 0;    // the upper left corner
  std::string text = {};  // of printable ASCII
  Colour colour = {};
  std::optional<Colour> behind = {};  // covers lines that pass there
};
struct Outline {
  double width = 0, height = 0;
  std::vector<Frame> frames = {};
  std::vector<Curve> curves = {};
  std::vector<Triangle> arrows = {};
  std::vector<Words> words = {};
};
Outline outline_of(const Drawing& drawing);

}  // namespace rill::picture
