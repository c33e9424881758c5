#include "rill/io/png.h"

#include <algorithm>
#include <cmath>

#include "rill/api/picture/font.h"
#include "rill/api/picture/outline.h"

namespace rill::picture {
namespace {

constexpr double kMaxPixels = 64e6, kLongestSide = 30000;

// Paints shapes into a picture; edges are as smooth as the share of a pixel that they cover.
class Canvas {
 public:
  Canvas(double width, double height, double scale)
      : scale_(scale),
        width_(std::max(1, static_cast<int>(std::ceil(width * scale)))),
        height_(std::max(1, static_cast<int>(std::ceil(height * scale)))),
        samples_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * 3, 255) {}

  void paint(const Frame& frame) {
    rounded(frame, 0, frame.edge);
    rounded(frame, 1, frame.fill);
  }

  void paint(const Curve& curve) {
    constexpr int kPieces = 16;
    for (std::size_t i = 1; i < curve.points.size(); ++i) {
      Point last = curve.points[i - 1];
      for (int k = 1; k <= kPieces; ++k) {
        const Point next = on_curve(curve.points[i - 1], curve.points[i], double{1} * k / kPieces);
        segment(last, next, curve.width, curve.colour);
        last = next;
      }
    }
  }

  void paint(const Triangle& t) {
    const double left = std::min({t.a.x, t.b.x, t.c.x}), right = std::max({t.a.x, t.b.x, t.c.x});
    const double top = std::min({t.a.y, t.b.y, t.c.y}), bottom = std::max({t.a.y, t.b.y, t.c.y});
    shade(left, top, right, bottom, t.colour, [&](double x, double y) {
      const double sides[] = {side(t.a, t.b, x, y), side(t.b, t.c, x, y), side(t.c, t.a, x, y)};
      const double least = *std::ranges::min_element(sides),
                   most = *std::ranges::max_element(sides);
      return (least >= 0 ? least : most <= 0 ? -most : -1.0) * scale_ + 0.5;
    });
  }

  // Dots are squares of whole pixels where the scale is a whole number.
  void paint(const Words& words) {
    const double wide = static_cast<double>(words.text.size()) * kLetterWidth;
    if (words.behind)
      shade(words.x - 2, words.y, words.x + wide + 2, words.y + kLineHeight, *words.behind,
            [](double, double) { return 1.0; });
    double x = words.x;
    for (const char c : words.text) {
      const auto& rows = kFont[c - kFontFirst];
      for (int row = 0; row < kFontHeight; ++row)
        for (int column = 0; column < kFontWidth; ++column)
          if ((rows[row] >> (kFontWidth - 1 - column) & 1) != 0)
            dot(x + column, words.y + 2 + row, words.colour);
      x += kLetterWidth;
    }
  }

  std::string encoded() const {
    return encode_png({.width = width_, .height = height_, .channels = 3, .samples = samples_});
  }

 private:
  static Point on_curve(Point from, Point to, double t) {
    const double bend = (to.y - from.y) / 2, u = 1 - t;
    const double a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
    return {(a + b) * from.x + (c + d) * to.x,
            a * from.y + b * (from.y + bend) + c * (to.y - bend) + d * to.y};
  }

  // How far a point is to the left of the line through two others.
  static double side(Point a, Point b, double x, double y) {
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length == 0) return 0;
    return ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / length;
  }

  void blend(int x, int y, Colour colour, double share) {
    if (x < 0 || y < 0 || x >= width_ || y >= height_ || share <= 0) return;
    auto* sample = &samples_[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                              static_cast<std::size_t>(x)) *
                             3];
    for (const int part : {colour.red, colour.green, colour.blue}) {
      *sample = static_cast<std::uint8_t>(
          share >= 1 ? part : static_cast<int>(*sample * (1 - share) + part * share + 0.5));
      ++sample;
    }
  }

  // Asks for the share of every pixel in a rectangle of the drawing.
  template <class Share>
  void shade(double left, double top, double right, double bottom, Colour colour, Share share) {
    const int x0 = std::max(0, static_cast<int>(left * scale_) - 1),
              x1 = std::min(width_ - 1, static_cast<int>(right * scale_) + 1),
              y0 = std::max(0, static_cast<int>(top * scale_) - 1),
              y1 = std::min(height_ - 1, static_cast<int>(bottom * scale_) + 1);
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x)
        blend(x, y, colour, share((x + 0.5) / scale_, (y + 0.5) / scale_));
  }

  void rounded(const Frame& frame, double inset, Colour colour) {
    const double half_width = frame.width / 2 - inset, half_height = frame.height / 2 - inset;
    const double radius = std::max(frame.radius - inset, 0.0);
    const double cx = frame.x + frame.width / 2, cy = frame.y + frame.height / 2;
    shade(cx - half_width, cy - half_height, cx + half_width, cy + half_height, colour,
          [&](double x, double y) {
            const double dx = std::abs(x - cx) - half_width + radius,
                         dy = std::abs(y - cy) - half_height + radius;
            const double right = std::max(dx, 0.0), below = std::max(dy, 0.0);
            const double outside =
                std::sqrt(right * right + below * below) + std::min(std::max(dx, dy), 0.0) - radius;
            return 0.5 - outside * scale_;
          });
  }

  void segment(Point a, Point b, double width, Colour colour) {
    const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    const double half = std::max(width / 2, 0.5 / scale_);
    shade(std::min(a.x, b.x) - half, std::min(a.y, b.y) - half, std::max(a.x, b.x) + half,
          std::max(a.y, b.y) + half, colour, [&](double x, double y) {
            const double along =
                length == 0 ? 0 : std::clamp(((x - a.x) * dx + (y - a.y) * dy) / length, 0.0, 1.0);
            const double right = x - a.x - along * dx, below = y - a.y - along * dy;
            const double away = std::sqrt(right * right + below * below);
            return 0.5 - (away - half) * scale_;
          });
  }

  void dot(double x, double y, Colour colour) {
    const int x0 = static_cast<int>(std::lround(x * scale_)),
              y0 = static_cast<int>(std::lround(y * scale_)),
              x1 = std::max(x0 + 1, static_cast<int>(std::lround((x + 1) * scale_))),
              y1 = std::max(y0 + 1, static_cast<int>(std::lround((y + 1) * scale_)));
    for (int j = y0; j < y1; ++j)
      for (int i = x0; i < x1; ++i) blend(i, j, colour, 1);
  }

  double scale_;
  int width_, height_;
  std::vector<std::uint8_t> samples_;
};

}  // namespace

std::string to_png(const Drawing& drawing, double scale) {
  const Outline outline = outline_of(drawing);
  const double area = outline.width * outline.height;
  scale = std::min({scale, std::sqrt(kMaxPixels / std::max(area, 1.0)),
                    kLongestSide / std::max({outline.width, outline.height, 1.0})});
  Canvas canvas(outline.width, outline.height, scale);
  for (const Frame& frame : outline.frames) canvas.paint(frame);
  for (const Curve& curve : outline.curves) canvas.paint(curve);
  for (const Triangle& arrow : outline.arrows) canvas.paint(arrow);
  for (const Words& words : outline.words) canvas.paint(words);
  return canvas.encoded();
}

}  // namespace rill::picture
