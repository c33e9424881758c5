#pragma once

#include <algorithm>
#include <vector>

namespace rill {

// A box with its corners in order.
struct Box {
  float top, left, bottom, right, area;

  Box(float y1, float x1, float y2, float x2)
      : top(std::min(y1, y2)),
        left(std::min(x1, x2)),
        bottom(std::max(y1, y2)),
        right(std::max(x1, x2)),
        area((bottom - top) * (right - left)) {}
};

// The area that two boxes share by the area that they cover together; 0 where one has none.
inline float overlap(const Box& a, const Box& b) {
  if (a.area <= 0 || b.area <= 0) return 0;
  const float height = std::max(std::min(a.bottom, b.bottom) - std::max(a.top, b.top), 0.0F),
              width = std::max(std::min(a.right, b.right) - std::max(a.left, b.left), 0.0F);
  const float shared = height * width;
  return shared / (a.area + b.area - shared);
}

// Boxes that were chosen, with each side in a list of its own.
class ChosenBoxes {
 public:
  void add(const Box& box) {
    top_.push_back(box.top);
    left_.push_back(box.left);
    bottom_.push_back(box.bottom);
    right_.push_back(box.right);
    area_.push_back(box.area);
  }
  // Whether one of them overlaps `box` by more than `threshold`, which is not negative.
  bool any_overlaps(const Box& box, float threshold) const;

 private:
  std::vector<float> top_, left_, bottom_, right_, area_;
};

}  // namespace rill
