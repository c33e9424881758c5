#include "tests/optest/op_case.h"

namespace rill {
namespace {

// Whole, inside, over every edge, flipped, outside, a point, and more than there are colours.
Tensor drawn_boxes() {
  Tensor all = random<float>({2, 12, 4}, 4, -0.2, 1.2);
  const float fixed[] = {0,    0,    1,    1,    0.2F, 0.3F, 0.7F, 0.6F, -0.5F, -0.5F,
                         0.5F, 0.5F, 0.5F, 0.5F, 1.5F, 1.5F, 0.8F, 0.1F, 0.2F,  0.9F,
                         1.5F, 1.5F, 2,    2,    0.5F, 0.5F, 0.5F, 0.5F};
  std::copy(std::begin(fixed), std::end(fixed), all.data<float>());
  return all;
}

}  // namespace

extern const OpCases kDrawBoundingBoxesCases{
    "draw_bounding_boxes", [] {
      std::vector<OpCase> cases;
      for (const DType type : {DType::f32, DType::f16})
        for (const std::int64_t depth : {1, 3, 4}) {
          const Tensor images = random(type, {2, 11, 9, depth}, 1, 2, 3);
          cases.push_back({.op = "DrawBoundingBoxes", .in = {images, drawn_boxes()}});
          cases.push_back({.op = "DrawBoundingBoxesV2",
                           .in = {images, drawn_boxes(), random<float>({3, 4}, 2, 0, 1)}});
          cases.push_back({.op = "DrawBoundingBoxesV2",
                           .in = {images, drawn_boxes(), random<float>({0, 4}, 2)}});
        }
      const Tensor images = random<float>({2, 5, 6, 3}, 1);
      cases.push_back({.op = "DrawBoundingBoxes", .in = {images, random<float>({2, 0, 4}, 1)}});
      cases.push_back(
          {.op = "DrawBoundingBoxes", .in = {random<float>({2, 1, 1, 3}, 1), drawn_boxes()}});
      const auto refuse = [&](Tensor in, Tensor corners, const char* error) {
        cases.push_back(
            {.op = "DrawBoundingBoxes", .in = {std::move(in), std::move(corners)}, .error = error});
      };
      refuse(random<float>({2, 5, 6, 2}, 1), drawn_boxes(), "Channel depth should be either 1");
      refuse(random<float>({3, 5, 6, 3}, 1), drawn_boxes(),
             "batch sizes should be the same|must be equal");
      refuse(images, random<float>({2, 1, 5}, 1), "third dimension of the box|must be 4 but is 5");
      refuse(images, random<float>({2, 4}, 1), "rank of the boxes tensor should be 3|rank 3");
      cases.push_back({.op = "DrawBoundingBoxesV2",
                       .in = {images, drawn_boxes(), random<float>({1, 2}, 1)},
                       .error = "equal or more channels than the image provided"});
      return cases;
    }};

}  // namespace rill
