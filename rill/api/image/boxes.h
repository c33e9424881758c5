#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::image {

// Boxes in images: [y1, x1, y2, x2], as shares of height and width where an image is read or drawn;
// boxes that are only compared may have any unit. Functions throw InvalidArgument for shapes that
// do not fit.

struct NonMaxSuppressionOptions {
  Input iou_threshold = 0.5;  // boxes that overlap a better one by more are left out
  Input score_threshold = -std::numeric_limits<double>::infinity();
  std::string name = {};
};
// The indices, int32, of the best boxes that do not overlap much, the best first; at most
// max_output_size. Overlap is the area of the intersection over that of the union.
Output non_max_suppression(const Input& boxes, const Input& scores, const Input& max_output_size,
                           const NonMaxSuppressionOptions& options = {},
                           std::source_location at = std::source_location::current());

struct NonMaxSuppressionPaddedOptions {
  Input iou_threshold = 0.5;
  Input score_threshold = -std::numeric_limits<double>::infinity();
  bool pad_to_max_output_size = false;
  std::string name = {};
};
struct PaddedSelection {
  Output selected_indices = {};
  Output valid_outputs = {};  // how many of them count
};
// The same; with pad_to_max_output_size there are zeros behind the indices up to that size, so that
// the shape is known.
PaddedSelection non_max_suppression_padded(
    const Input& boxes, const Input& scores, const Input& max_output_size,
    const NonMaxSuppressionPaddedOptions& options = {},
    std::source_location at = std::source_location::current());

struct NonMaxSuppressionWithScoresOptions {
  Input iou_threshold = 0.5;
  Input score_threshold = -std::numeric_limits<double>::infinity();
  Input soft_nms_sigma = 0.0;  // above 0: scores are lowered where boxes overlap
  std::string name = {};
};
struct ScoredSelection {
  Output selected_indices = {}, selected_scores = {};
};
// Soft suppression: with a sigma, overlapping boxes stay with scores times exp(-overlap^2 / (2
// sigma)), until they fall below score_threshold.
ScoredSelection non_max_suppression_with_scores(
    const Input& boxes, const Input& scores, const Input& max_output_size,
    const NonMaxSuppressionWithScoresOptions& options = {},
    std::source_location at = std::source_location::current());

struct NonMaxSuppressionOverlapsOptions {
  Input overlap_threshold = 0.5;
  Input score_threshold = -std::numeric_limits<double>::infinity();
  std::string name = {};
};
// The same with a matrix of how much each pair overlaps.
Output non_max_suppression_overlaps(const Input& overlaps, const Input& scores,
                                    const Input& max_output_size,
                                    const NonMaxSuppressionOverlapsOptions& options = {},
                                    std::source_location at = std::source_location::current());

struct CombinedNonMaxSuppressionOptions {
  Input iou_threshold = 0.5;
  Input score_threshold = -std::numeric_limits<double>::infinity();
  bool pad_per_class = false, clip_boxes = true;
  std::string name = {};
};
struct CombinedSelection {
  Output nmsed_boxes = {}, nmsed_scores = {}, nmsed_classes = {}, valid_detections = {};
};
// For each image of a batch, class by class: boxes [batch, n, classes or 1, 4], scores [batch, n,
// classes]. Results are padded with zeros; valid_detections counts.
CombinedSelection combined_non_max_suppression(
    const Input& boxes, const Input& scores, const Input& max_output_size_per_class,
    const Input& max_total_size, const CombinedNonMaxSuppressionOptions& options = {},
    std::source_location at = std::source_location::current());

struct SampleDistortedBoundingBoxOptions {
  std::int64_t seed = 0, seed2 = 0;
  Input min_object_covered = 0.1;
  std::vector<float> aspect_ratio_range = {0.75F, 1.33F};
  std::vector<float> area_range = {0.05F, 1.0F};
  std::int64_t max_attempts = 100;
  bool use_image_if_no_bounding_boxes = false;
  std::string name = {};
};
struct DistortedBox {
  Output begin = {}, size = {};  // for tf.slice
  Output bboxes = {};            // for draw_bounding_boxes
};
// A random part of an image that contains at least min_object_covered of one of the boxes; after
// max_attempts the whole image. Without boxes the step fails, unless
// use_image_if_no_bounding_boxes.
DistortedBox sample_distorted_bounding_box(
    const Input& image_size, const Input& bounding_boxes,
    const SampleDistortedBoundingBoxOptions& options = {},
    std::source_location at = std::source_location::current());

struct DrawBoundingBoxesOptions {
  OptionalInput colors = {};  // a row for each, taken in turn
  std::string name = {};
};
// Lines of one pixel; without colours TensorFlow's own row of them.
Output draw_bounding_boxes(const Input& images, const Input& boxes,
                           const DrawBoundingBoxesOptions& options = {},
                           std::source_location at = std::source_location::current());

struct CropAndResizeOptions {
  std::string method = "bilinear";  // or "nearest"
  float extrapolation_value = 0;
  std::string name = {};
};
// Boxes of images, each brought to the size `crop_size`: box i is of image box_indices[i]. What
// lies outside has extrapolation_value. The result is float32.
Output crop_and_resize(const Input& image, const Input& boxes, const Input& box_indices,
                       const Input& crop_size, const CropAndResizeOptions& options = {},
                       std::source_location at = std::source_location::current());

}  // namespace rill::image
