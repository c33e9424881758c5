#include <limits>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

// Boxes around a few places, some of them flipped or without area.
Tensor overlapping_boxes(DType type, std::int64_t count) {
  const Tensor numbers = random<float>({count, 4}, 9, 0, 1);
  Tensor t = filled(type, {count, 4}, 0);
  for (std::int64_t i = 0; i < count; ++i) {
    const float* from = numbers.data<float>() + 4 * i;
    const float y = static_cast<float>(i % 4) * 0.5F, x = static_cast<float>(i % 3) * 0.5F;
    float sides[4] = {y + from[0] * 0.2F, x + from[1] * 0.2F, y + 0.5F + from[2] * 0.2F,
                      x + 0.5F + from[3] * 0.2F};
    if (i % 7 == 3) std::swap(sides[0], sides[2]);
    if (i % 11 == 5) sides[3] = sides[1];
    for (int k = 0; k < 4; ++k) {
      if (type == DType::f16)
        t.data<half>()[4 * i + k] = half(sides[k]);
      else
        t.data<float>()[4 * i + k] = sides[k];
    }
  }
  return t;
}
// Scores with equal ones among them.
Tensor scores(DType type, std::int64_t count) {
  Tensor numbers = random<float>({count}, 5, 0, 8);
  for (float& x : numbers.flat<float>()) x = std::floor(x * 4) / 32;
  Tensor t(type, {count});
  for (std::int64_t i = 0; i < count; ++i)
    type == DType::f16 ? void(t.data<half>()[i] = half(numbers.data<float>()[i]))
                       : void(t.data<float>()[i] = numbers.data<float>()[i]);
  return t;
}
Tensor count_of(std::int32_t count) { return scalar<std::int32_t>(count); }

void add_float_versions(std::vector<OpCase>& cases) {
  for (const std::int64_t count : {0, 1, 20, 300})
    for (const std::int32_t most : {0, 3, 1000})
      for (const float iou : {0.0F, 0.3F, 1.0F})
        cases.push_back({.op = "NonMaxSuppression",
                         .in = {overlapping_boxes(DType::f32, count), scores(DType::f32, count),
                                count_of(most)},
                         .attrs = {{"iou_threshold", iou}}});
  const Tensor overlaps = random<float>({30, 30}, 4, 0, 1);
  for (const float limit : {0.2F, 0.9F, 2.0F})
    cases.push_back({.op = "NonMaxSuppressionWithOverlaps",
                     .in = {overlaps, scores(DType::f32, 30), count_of(9), scalar<float>(limit),
                            scalar<float>(0.2F)}});
}

void add_typed_versions(std::vector<OpCase>& cases, DType type) {
  const auto number = [&](double x) { return filled(type, {}, x); };
  for (const std::int64_t count : {0, 20, 300}) {
    const Tensor places = overlapping_boxes(type, count), points = scores(type, count);
    for (const double iou : {0.0, 0.4, 0.7}) {
      cases.push_back(
          {.op = "NonMaxSuppressionV2", .in = {places, points, count_of(100), number(iou)}});
      cases.push_back({.op = "NonMaxSuppressionV3",
                       .in = {places, points, count_of(100), number(iou), number(0.3)}});
      for (const bool pad : {false, true}) {
        const AttrMap attrs{{"pad_to_max_output_size", pad}};
        cases.push_back({.op = "NonMaxSuppressionV4",
                         .in = {places, points, count_of(50), number(iou), number(0.3)},
                         .attrs = attrs});
        for (const double sigma : {0.0, 0.5})
          cases.push_back(
              {.op = "NonMaxSuppressionV5",
               .in = {places, points, count_of(50), number(iou), number(0.1), number(sigma)},
               .attrs = attrs});
      }
    }
  }
}

void add_combined(std::vector<OpCase>& cases) {
  for (const std::int64_t sets : {1, 3})
    for (const bool pad : {false, true})
      for (const bool clip : {false, true})
        for (const std::int32_t most : {2, 5}) {
          const Tensor places =
              overlapping_boxes(DType::f32, 2 * 12 * sets).reshaped({2, 12, sets, 4});
          cases.push_back({.op = "CombinedNonMaxSuppression",
                           .in = {places, random<float>({2, 12, 3}, 8, 0, 1), count_of(most),
                                  count_of(8), scalar<float>(0.3F), scalar<float>(0.2F)},
                           .attrs = {{"pad_per_class", pad}, {"clip_boxes", clip}}});
        }
}

void add_suppression_errors(std::vector<OpCase>& cases) {
  const Tensor places = overlapping_boxes(DType::f32, 4), points = scores(DType::f32, 4);
  const auto refuse = [&](Tensor box, Tensor score, Tensor most, const char* error,
                          float iou = 0.5F) {
    cases.push_back({.op = "NonMaxSuppression",
                     .in = {std::move(box), std::move(score), std::move(most)},
                     .attrs = {{"iou_threshold", iou}},
                     .error = error});
  };
  refuse(random<float>({4, 3}, 1), points, count_of(2), "4 columns|must be 4 but is 3");
  refuse(random<float>({4}, 1), points, count_of(2), "2-D|rank 2");
  refuse(places, scores(DType::f32, 3), count_of(2), "incompatible shape|must be equal");
  refuse(places, points, count_of(-1), "output size must be non-negative");
  refuse(places, points, count_of(1), "iou_threshold must be in \\[0, 1\\]", 1.5F);
  refuse(places, points, tensor<std::int32_t>({1}, {1}), "0-D|rank 0");
  cases.push_back({.op = "NonMaxSuppressionV5",
                   .in = {places, points, count_of(2), scalar<float>(0.5F), scalar<float>(0.5F),
                          scalar<float>(-1)},
                   .error = "soft_nms_sigma_val must be >= 0"});
  cases.push_back({.op = "NonMaxSuppressionWithOverlaps",
                   .in = {random<float>({4, 3}, 1), points, count_of(2), scalar<float>(0.5F),
                          scalar<float>(0.5F)},
                   .error = "overlaps must be square|must be equal"});
  const auto refuse_all = [&](Shape box, Shape score, std::int32_t most, std::int32_t total,
                              float iou, const char* error) {
    cases.push_back({.op = "CombinedNonMaxSuppression",
                     .in = {random<float>(std::move(box), 1), random<float>(std::move(score), 1),
                            count_of(most), count_of(total), scalar<float>(iou), scalar<float>(0)},
                     .error = error});
  };
  refuse_all({1, 5, 2, 4}, {1, 5, 3}, 1, 1, 0.5, "must be either 1 or num classes|must be");
  refuse_all({1, 5, 1, 4}, {1, 4, 3}, 1, 1, 0.5, "incompatible shape|must be equal");
  refuse_all({1, 5, 1, 4}, {2, 5, 3}, 1, 1, 0.5, "same batch size|must be equal");
  refuse_all({1, 5, 1, 4}, {1, 5, 3}, 0, 1, 0.5, "max_size_per_class must be positive");
  refuse_all({1, 5, 1, 4}, {1, 5, 3}, 1, 0, 0.5, "max_total_size must be > 0");
  refuse_all({1, 5, 1, 4}, {1, 5, 3}, 1, 1, 2, "iou_threshold must be in \\[0, 1\\]");
}

}  // namespace

extern const OpCases kNonMaxSuppressionCases{"non_max_suppression", [] {
                                               std::vector<OpCase> cases;
                                               add_float_versions(cases);
                                               for (const DType type : {DType::f32, DType::f16})
                                                 add_typed_versions(cases, type);
                                               add_combined(cases);
                                               add_suppression_errors(cases);
                                               return cases;
                                             }};

}  // namespace rill
