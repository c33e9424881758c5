#include <limits>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

Tensor two_boxes() {
  return tensor<float>({1, 2, 4}, {0.1F, 0.2F, 0.6F, 0.7F, 0.5F, 0.5F, 0.9F, 1.0F});
}

OpCase sample(Tensor size, Tensor boxes, float least, AttrMap attrs, bool second = true) {
  attrs.emplace("seed2", std::int64_t{5});
  attrs.emplace("seed", std::int64_t{3});
  if (!second) attrs.emplace("min_object_covered", least);
  OpCase row{.op = second ? "SampleDistortedBoundingBoxV2" : "SampleDistortedBoundingBox",
             .in = {std::move(size), std::move(boxes)},
             .attrs = std::move(attrs)};
  if (second) row.in.emplace_back(scalar<float>(least));
  return row;
}

void add_samples(std::vector<OpCase>& cases) {
  const Tensor size = tensor<std::int32_t>({3}, {300, 400, 3});
  for (const bool second : {false, true})
    for (std::int64_t seed = 1; seed < 9; ++seed)
      cases.push_back(
          sample(size, two_boxes(), 0.1F * static_cast<float>(seed), {{"seed", seed}}, second));
  for (const float most : {0.1F, 0.5F, 1.0F})
    for (const float ratio : {0.2F, 1.0F, 4.0F})
      cases.push_back(sample(size, two_boxes(), 0.3F,
                             {{"area_range", std::vector<float>{0.02F, most}},
                              {"aspect_ratio_range", std::vector<float>{ratio, 2 * ratio}}}));
  cases.push_back(sample(size, two_boxes(), 1, {{"max_attempts", std::int64_t{1}}}));
  cases.push_back(
      sample(size, random<float>({0, 0, 4}, 1), 0.5F, {{"use_image_if_no_bounding_boxes", true}}));
  cases.push_back(sample(tensor<std::int32_t>({3}, {1, 1, 1}), two_boxes(), 0, {}));
  for (const DType type : {DType::u8, DType::i8, DType::i16, DType::i64})
    cases.push_back(sample(values(type, {3}, {100, 90, 3}), two_boxes(), 0.2F, {}));
}

void add_sample_errors(std::vector<OpCase>& cases) {
  const auto refuse = [&](OpCase row, const char* error) {
    row.error = error;
    cases.push_back(std::move(row));
  };
  const Tensor size = tensor<std::int32_t>({3}, {300, 400, 3});
  const auto range = [](float from, float to) { return std::vector<float>{from, to}; };
  refuse(sample(tensor<std::int32_t>({2}, {30, 40}), two_boxes(), 0, {}),
         "must contain 3 elements|must be 3 but is 2");
  refuse(sample(tensor<std::int32_t>({3}, {-30, 40, 3}), two_boxes(), 0, {}),
         "image height cannot be");
  refuse(sample(size, random<float>({2, 4}, 1), 0, {}), "3-dimensional|rank 3");
  refuse(sample(size, random<float>({1, 2, 5}, 1), 0, {}),
         "bounding boxes must have shape|must be 4");
  refuse(sample(size, filled<float>({1, 1, 4}, 1.5), 0, {}), "must be in \\[0.0, 1.0\\]: 1.5");
  refuse(sample(size, random<float>({1, 0, 4}, 1), 0, {}), "No bounding boxes provided as input");
  refuse(sample(size, two_boxes(), -1, {}), "Min object covered must be non-negative: -1");
  refuse(sample(size, two_boxes(), 0, {{"aspect_ratio_range", std::vector<float>{1}}}),
         "must specify 2 dimensions");
  refuse(sample(size, two_boxes(), 0, {{"aspect_ratio_range", range(-1, 1)}}),
         "Aspect ratio range must be non-negative: \\[-1, 1\\]");
  refuse(sample(size, two_boxes(), 0, {{"area_range", range(0.5F, 1.5F)}}),
         "Area range must be less then or equal to 1.0: \\[0.5, 1.5\\]");
  refuse(sample(size, two_boxes(), 0, {{"max_attempts", std::int64_t{0}}}),
         "Max attempts must be non-negative: 0");
}

}  // namespace

extern const OpCases kSampleDistortedBoundingBoxCases{"sample_distorted_bounding_box", [] {
                                                        std::vector<OpCase> cases;
                                                        add_samples(cases);
                                                        add_sample_errors(cases);
                                                        return cases;
                                                      }};

}  // namespace rill
