#include "rill/graph/op_decl.h"
#include "rill/ops/image/image_shape.h"

namespace rill {
namespace {

// Inputs 0 and 1 are boxes [n, 4], or overlaps [n, n], and scores [n]; the others are scalars.
std::int64_t candidates(const ShapeCtx& c, bool overlaps) {
  const PartialShape boxes = c.with_rank(0, 2), scores = c.vector(1);
  if (overlaps)
    require(compatible(boxes.dim(0), boxes.dim(1)), "overlaps must be square, not ", boxes);
  else
    require(compatible(boxes.dim(1), 4), "boxes must have 4 columns, not ", boxes.dim(1));
  require(compatible(boxes.dim(0), scores.dim(0)), "scores has incompatible shape ", scores,
          " for boxes of shape ", boxes);
  for (int i = 2; i < c.input_count(); ++i) c.scalar(i);
  return merge_dim(boxes.dim(0), scores.dim(0));
}

Shapes selection(const ShapeCtx& c) {
  candidates(c, false);
  return {{kUnknownDim}};
}
Shapes selection_of_overlaps(const ShapeCtx& c) {
  candidates(c, true);
  return {{kUnknownDim}};
}

// With padding there are as many as are asked for.
std::int64_t padded_count(const ShapeCtx& c) {
  candidates(c, false);
  std::int64_t most;
  if (!c.flag("pad_to_max_output_size") || !c.int_value(2, &most)) return kUnknownDim;
  require(most >= 0, "max_output_size must be non-negative, not ", most);
  return most;
}
Shapes padded_selection(const ShapeCtx& c) { return {{padded_count(c)}, PartialShape::scalar()}; }
Shapes scored_selection(const ShapeCtx& c) {
  const std::int64_t count = padded_count(c);
  return {{count}, {count}, PartialShape::scalar()};
}

// Boxes [batch, n, q, 4], where q is 1 or the number of classes, and scores [batch, n, classes].
Shapes combined_selection(const ShapeCtx& c) {
  const PartialShape boxes = c.with_rank(0, 4), scores = c.with_rank(1, 3);
  for (int i = 2; i < 6; ++i) c.scalar(i);
  require(compatible(boxes.dim(3), 4), "boxes must have 4 columns, not ", boxes.dim(3));
  require(compatible(boxes.dim(0), scores.dim(0)),
          "boxes and scores must have same batch size: ", boxes, " and ", scores);
  require(compatible(boxes.dim(1), scores.dim(1)), "scores has incompatible shape ", scores,
          " for boxes of shape ", boxes);
  const std::int64_t batch = merge_dim(boxes.dim(0), scores.dim(0)), classes = scores.dim(2);
  require(boxes.dim(2) == 1 || compatible(boxes.dim(2), classes),
          "third dimension of boxes must be either 1 or num classes, not ", boxes.dim(2));
  std::int64_t per_class, total, count = kUnknownDim;
  if (c.int_value(2, &per_class) && c.int_value(3, &total)) {
    require(per_class > 0, "max_size_per_class must be positive, not ", per_class);
    require(total > 0, "max_total_size must be > 0, not ", total);
    // Both are int32 and as good as any number of classes, so the product fits where it is less.
    if (!c.flag("pad_per_class"))
      count = total;
    else if (classes >= 0)
      count = classes > total / per_class ? total : per_class * classes;
  }
  return {{batch, count, 4}, {batch, count}, {batch, count}, {batch}};
}

}  // namespace

extern constexpr OpDecl kNonMaxSuppression{
    .name = "NonMaxSuppression",
    .doc =
        "The boxes of the highest scores, without those that overlap one with a higher score by "
        "more than `iou_threshold`.",
    .inputs = {"boxes: float", "scores: float", "max_output_size: int32"},
    .outputs = {"selected_indices: int32"},
    .attrs = {"iou_threshold: float = 0.5"},
    .traits = kPure | kDataDependentShape,
    .shape = selection,
    .grad = not_differentiable,
};
static_assert(well_formed(kNonMaxSuppression));

extern constexpr OpDecl kNonMaxSuppressionV2{
    .name = "NonMaxSuppressionV2",
    .doc = "NonMaxSuppression with the threshold as an input.",
    .inputs = {"boxes: T", "scores: T", "max_output_size: int32", "iou_threshold: T_threshold"},
    .outputs = {"selected_indices: int32"},
    .attrs = {"T: {half, float} = DT_FLOAT", "T_threshold: {half, float} = DT_FLOAT"},
    .traits = kPure | kDataDependentShape,
    .shape = selection,
    .grad = not_differentiable,
};
static_assert(well_formed(kNonMaxSuppressionV2));

extern constexpr OpDecl kNonMaxSuppressionV3{
    .name = "NonMaxSuppressionV3",
    .doc = "NonMaxSuppressionV2 among boxes that score more than `score_threshold`.",
    .inputs = {"boxes: T", "scores: T", "max_output_size: int32", "iou_threshold: T_threshold",
               "score_threshold: T_threshold"},
    .outputs = {"selected_indices: int32"},
    .attrs = {"T: {half, float} = DT_FLOAT", "T_threshold: {half, float} = DT_FLOAT"},
    .traits = kPure | kDataDependentShape,
    .shape = selection,
    .grad = no_gradient,
};
static_assert(well_formed(kNonMaxSuppressionV3));

extern constexpr OpDecl kNonMaxSuppressionV4{
    .name = "NonMaxSuppressionV4",
    .doc = "NonMaxSuppressionV3 that can fill up its result with zeros, and counts what is valid.",
    .inputs = {"boxes: T", "scores: T", "max_output_size: int32", "iou_threshold: T_threshold",
               "score_threshold: T_threshold"},
    .outputs = {"selected_indices: int32", "valid_outputs: int32"},
    .attrs = {"T: {half, float} = DT_FLOAT", "T_threshold: {half, float} = DT_FLOAT",
              "pad_to_max_output_size: bool = false"},
    .traits = kPure | kDataDependentShape,
    .shape = padded_selection,
    .grad = no_gradient,
};
static_assert(well_formed(kNonMaxSuppressionV4));

extern constexpr OpDecl kNonMaxSuppressionV5{
    .name = "NonMaxSuppressionV5",
    .doc =
        "NonMaxSuppressionV4 where, with a positive `soft_nms_sigma`, overlapping boxes lose score "
        "instead of being left out.",
    .inputs = {"boxes: T", "scores: T", "max_output_size: int32", "iou_threshold: T",
               "score_threshold: T", "soft_nms_sigma: T"},
    .outputs = {"selected_indices: int32", "selected_scores: T", "valid_outputs: int32"},
    .attrs = {"T: {half, float} = DT_FLOAT", "pad_to_max_output_size: bool = false"},
    .traits = kPure | kDataDependentShape,
    .shape = scored_selection,
    .grad = no_gradient,
};
static_assert(well_formed(kNonMaxSuppressionV5));

extern constexpr OpDecl kNonMaxSuppressionWithOverlaps{
    .name = "NonMaxSuppressionWithOverlaps",
    .doc = "NonMaxSuppressionV3 for things whose overlaps are given.",
    .inputs = {"overlaps: float", "scores: float", "max_output_size: int32",
               "overlap_threshold: float", "score_threshold: float"},
    .outputs = {"selected_indices: int32"},
    .traits = kPure | kDataDependentShape,
    .shape = selection_of_overlaps,
    .grad = not_differentiable,
};
static_assert(well_formed(kNonMaxSuppressionWithOverlaps));

extern constexpr OpDecl kCombinedNonMaxSuppression{
    .name = "CombinedNonMaxSuppression",
    .doc =
        "Non-maximum suppression for each class of each image; then the best of all classes, "
        "filled "
        "up with zeros.",
    .inputs = {"boxes: float", "scores: float", "max_output_size_per_class: int32",
               "max_total_size: int32", "iou_threshold: float", "score_threshold: float"},
    .outputs = {"nmsed_boxes: float", "nmsed_scores: float", "nmsed_classes: float",
                "valid_detections: int32"},
    .attrs = {"pad_per_class: bool = false", "clip_boxes: bool = true"},
    .traits = kPure,
    .shape = combined_selection,
    .grad = not_differentiable,
};
static_assert(well_formed(kCombinedNonMaxSuppression));

}  // namespace rill
