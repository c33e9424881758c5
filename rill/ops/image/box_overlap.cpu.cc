#include "rill/ops/image/box_overlap.h"

#define HWY_TARGET_INCLUDE "rill/ops/image/box_overlap.cpu.cc"
#include "rill/ops/simd/each_target.h"

#ifndef RILL_OPS_IMAGE_BOX_OVERLAP_SIDES
#define RILL_OPS_IMAGE_BOX_OVERLAP_SIDES
namespace rill {
struct BoxSides {
  const float *top, *left, *bottom, *right, *area;
};
}  // namespace rill
#endif

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

// The same numbers as overlap() gives. Without a branch inside, so that it is vectorised.
bool overlaps_in_block(const BoxSides& chosen, std::size_t begin, std::size_t end, const Box& box,
                       float threshold) {
  int any = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const float bottom = chosen.bottom[i] < box.bottom ? chosen.bottom[i] : box.bottom;
    const float right = chosen.right[i] < box.right ? chosen.right[i] : box.right;
    const float top = chosen.top[i] > box.top ? chosen.top[i] : box.top;
    const float left = chosen.left[i] > box.left ? chosen.left[i] : box.left;
    const float height = bottom - top > 0 ? bottom - top : 0;
    const float width = right - left > 0 ? right - left : 0;
    const float shared = height * width;
    const float share = shared / (box.area + chosen.area[i] - shared);
    any |= static_cast<int>(share > threshold) & static_cast<int>(chosen.area[i] > 0);
  }
  return any != 0;
}

bool overlaps_in_list(const BoxSides& chosen, std::size_t count, const Box& box, float threshold) {
  if (!(box.area > 0)) return false;
  // Boxes that overlap have similar scores: the last ones chosen come first.
  constexpr std::size_t kBlock = 64;
  for (std::size_t end = count; end > 0;) {
    const std::size_t begin = end > kBlock ? end - kBlock : 0;
    if (overlaps_in_block(chosen, begin, end, box, threshold)) return true;
    end = begin;
  }
  return false;
}

}  // namespace

using OverlapsInList = bool (*)(const BoxSides&, std::size_t, const Box&, float);
OverlapsInList list_overlap() { return overlaps_in_list; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(list_overlap);

bool ChosenBoxes::any_overlaps(const Box& box, float threshold) const {
  static const auto overlaps = HWY_DYNAMIC_DISPATCH(list_overlap)();
  return overlaps({top_.data(), left_.data(), bottom_.data(), right_.data(), area_.data()},
                  top_.size(), box, threshold);
}

}  // namespace rill
#endif
