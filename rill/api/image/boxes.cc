#include "rill/api/image/boxes.h"

#include "rill/api/gen/image.h"

namespace rill::image {
namespace {

Output threshold(const Input& value, const char* name) {
  return as_tensor(value, name, DType::f32);
}

}  // namespace

Output non_max_suppression(const Input& boxes, const Input& scores, const Input& max_output_size,
                           const NonMaxSuppressionOptions& options, std::source_location at) {
  const Block in(options.name, "non_max_suppression", at);
  const Output overlap = threshold(options.iou_threshold, "iou_threshold");
  const Output least = threshold(options.score_threshold, "score_threshold");
  return raw::NonMaxSuppressionV3(boxes, scores, max_output_size, overlap, least);
}

PaddedSelection non_max_suppression_padded(const Input& boxes, const Input& scores,
                                           const Input& max_output_size,
                                           const NonMaxSuppressionPaddedOptions& options,
                                           std::source_location at) {
  const Block in(options.name, "non_max_suppression_padded", at);
  const Output overlap = threshold(options.iou_threshold, "iou_threshold");
  const Output least = threshold(options.score_threshold, "score_threshold");
  const auto found =
      raw::NonMaxSuppressionV4(boxes, scores, max_output_size, overlap, least,
                               {.pad_to_max_output_size = options.pad_to_max_output_size});
  return {found.selected_indices, found.valid_outputs};
}

ScoredSelection non_max_suppression_with_scores(const Input& boxes, const Input& scores,
                                                const Input& max_output_size,
                                                const NonMaxSuppressionWithScoresOptions& options,
                                                std::source_location at) {
  const Block in(options.name, "non_max_suppression_with_scores", at);
  const Output overlap = threshold(options.iou_threshold, "iou_threshold");
  const Output least = threshold(options.score_threshold, "score_threshold");
  const Output sigma = threshold(options.soft_nms_sigma, "soft_nms_sigma");
  const auto found =
      raw::NonMaxSuppressionV5(boxes, scores, max_output_size, overlap, least, sigma);
  return {found.selected_indices, found.selected_scores};
}

Output non_max_suppression_overlaps(const Input& overlaps, const Input& scores,
                                    const Input& max_output_size,
                                    const NonMaxSuppressionOverlapsOptions& options,
                                    std::source_location at) {
  const Block in(options.name, "non_max_suppression_overlaps", at);
  const Output most = threshold(options.overlap_threshold, "overlap_threshold");
  return raw::NonMaxSuppressionWithOverlaps(overlaps, scores, max_output_size, most,
                                            options.score_threshold);
}

CombinedSelection combined_non_max_suppression(const Input& boxes, const Input& scores,
                                               const Input& max_output_size_per_class,
                                               const Input& max_total_size,
                                               const CombinedNonMaxSuppressionOptions& options,
                                               std::source_location at) {
  const Block in(options.name, "combined_non_max_suppression", at);
  const Output overlap = threshold(options.iou_threshold, "iou_threshold");
  const Output least = threshold(options.score_threshold, "score_threshold");
  const Output total = as_tensor(max_total_size);
  const auto found = raw::CombinedNonMaxSuppression(
      boxes, scores, max_output_size_per_class, total, overlap, least,
      {.pad_per_class = options.pad_per_class, .clip_boxes = options.clip_boxes});
  return {found.nmsed_boxes, found.nmsed_scores, found.nmsed_classes, found.valid_detections};
}

DistortedBox sample_distorted_bounding_box(const Input& image_size, const Input& bounding_boxes,
                                           const SampleDistortedBoundingBoxOptions& options,
                                           std::source_location at) {
  const Block in(options.name, "sample_distorted_bounding_box", at);
  const auto found = raw::SampleDistortedBoundingBoxV2(
      image_size, bounding_boxes, options.min_object_covered,
      {.seed = options.seed,
       .seed2 = options.seed2,
       .aspect_ratio_range = options.aspect_ratio_range,
       .area_range = options.area_range,
       .max_attempts = options.max_attempts,
       .use_image_if_no_bounding_boxes = options.use_image_if_no_bounding_boxes,
       .name = options.name});
  return {found.begin, found.size, found.bboxes};
}

Output draw_bounding_boxes(const Input& images, const Input& boxes,
                           const DrawBoundingBoxesOptions& options, std::source_location at) {
  if (!options.colors) return raw::DrawBoundingBoxes(images, boxes, {.name = options.name}, at);
  return raw::DrawBoundingBoxesV2(images, boxes, *options.colors, {.name = options.name}, at);
}

Output crop_and_resize(const Input& image, const Input& boxes, const Input& box_indices,
                       const Input& crop_size, const CropAndResizeOptions& options,
                       std::source_location at) {
  return raw::CropAndResize(image, boxes, box_indices, crop_size,
                            {.method = options.method,
                             .extrapolation_value = options.extrapolation_value,
                             .name = options.name},
                            at);
}

}  // namespace rill::image
