#include "array_functions.h"
#include "call.h"
#include "image_functions.h"
#include "plain_values.h"
#include "raw_ops.h"
#include "rill/api/image/image.h"

namespace rill::python {
namespace {

// The options that all functions of this family have, in whatever struct.
template <class Options>
Options suppression_options(const Call& c) {
  Options options;
  options.score_threshold = c.input("score_threshold", DType::f32);
  options.name = c.name();
  return options;
}

template <class Options>
Options iou_options(const Call& c) {
  auto options = suppression_options<Options>(c);
  options.iou_threshold = c.input("iou_threshold", DType::f32);
  return options;
}

Input boxes(const Call& c) { return c.input("boxes"); }
Input scores(const Call& c) { return c.input("scores"); }
Input most(const Call& c) { return c.input("max_output_size"); }

nb::object padded(const Call& c) {
  auto options = iou_options<image::NonMaxSuppressionPaddedOptions>(c);
  options.pad_to_max_output_size = c.flag("pad_to_max_output_size");
  const auto found = image::non_max_suppression_padded(boxes(c), scores(c), most(c), options);
  return nb::make_tuple(give(found.selected_indices), give(found.valid_outputs));
}

nb::object with_scores(const Call& c) {
  auto options = iou_options<image::NonMaxSuppressionWithScoresOptions>(c);
  options.soft_nms_sigma = c.input("soft_nms_sigma", DType::f32);
  const auto found = image::non_max_suppression_with_scores(boxes(c), scores(c), most(c), options);
  return nb::make_tuple(give(found.selected_indices), give(found.selected_scores));
}

nb::object overlaps(const Call& c) {
  auto options = suppression_options<image::NonMaxSuppressionOverlapsOptions>(c);
  options.overlap_threshold = c.input("overlap_threshold", DType::f32);
  return give(
      image::non_max_suppression_overlaps(c.input("overlaps"), scores(c), most(c), options));
}

nb::object combined(const Call& c) {
  auto options = iou_options<image::CombinedNonMaxSuppressionOptions>(c);
  options.pad_per_class = c.flag("pad_per_class");
  options.clip_boxes = c.flag("clip_boxes");
  const auto found =
      image::combined_non_max_suppression(boxes(c), scores(c), c.input("max_output_size_per_class"),
                                          c.input("max_total_size"), options);
  return op_result(*found.nmsed_boxes.node);
}

std::vector<float> floats(nb::handle list) {
  std::vector<float> numbers;
  for (nb::handle item : list) numbers.push_back(plain_value<float>(item));
  return numbers;
}

nb::object distorted(const Call& c) {
  image::SampleDistortedBoundingBoxOptions options;
  options.seed = c.optional_integer("seed").value_or(0);
  options.seed2 = c.optional_integer("seed2").value_or(0);
  options.min_object_covered = c.input("min_object_covered", DType::f32);
  if (c.has("aspect_ratio_range")) options.aspect_ratio_range = floats(c["aspect_ratio_range"]);
  if (c.has("area_range")) options.area_range = floats(c["area_range"]);
  options.max_attempts = c.optional_integer("max_attempts").value_or(options.max_attempts);
  options.use_image_if_no_bounding_boxes = c.flag("use_image_if_no_bounding_boxes");
  options.name = c.name();
  const auto found = image::sample_distorted_bounding_box(c.input("image_size"),
                                                          c.input("bounding_boxes"), options);
  return op_result(*found.begin.node);
}

nb::object crop_and_resize(const Call& c) {
  return give(image::crop_and_resize(
      c.input("image"), boxes(c), input_from(either(c, "box_indices", "box_ind"), "box_ind"),
      c.input("crop_size"),
      {.method = c.text("method"),
       .extrapolation_value = static_cast<float>(c.number("extrapolation_value")),
       .name = c.name()}));
}

nb::object decode_image(const Call& c) {
  return give(image::decode_image(c.input("contents"),
                                  {.channels = c.optional_integer("channels").value_or(0),
                                   .dtype = c.dtype("dtype"),
                                   .name = c.name(),
                                   .expand_animations = c.flag("expand_animations")}));
}

constexpr Function kFunctions[] = {
    {"image.non_max_suppression(boxes, scores, max_output_size, iou_threshold=0.5, "
     "score_threshold=float('-inf'), name=None)",
     [](const Call& c) {
       return give(image::non_max_suppression(boxes(c), scores(c), most(c),
                                              iou_options<image::NonMaxSuppressionOptions>(c)));
     },
     "The best boxes that do not overlap much."},
    {"image.non_max_suppression_padded(boxes, scores, max_output_size, iou_threshold=0.5, "
     "score_threshold=float('-inf'), pad_to_max_output_size=False, name=None)",
     padded, "The best boxes that do not overlap much, and how many there are."},
    {"image.non_max_suppression_with_scores(boxes, scores, max_output_size, iou_threshold=0.5, "
     "score_threshold=float('-inf'), soft_nms_sigma=0.0, name=None)",
     with_scores, "The best boxes that do not overlap much, and their scores."},
    {"image.non_max_suppression_overlaps(overlaps, scores, max_output_size, "
     "overlap_threshold=0.5, score_threshold=float('-inf'), name=None)",
     overlaps, "The best boxes that do not overlap much, given how much each pair does."},
    {"image.combined_non_max_suppression(boxes, scores, max_output_size_per_class, "
     "max_total_size, iou_threshold=0.5, score_threshold=float('-inf'), pad_per_class=False, "
     "clip_boxes=True, name=None)",
     combined, "The best boxes of each image, class by class."},
    {"image.sample_distorted_bounding_box(image_size, bounding_boxes, seed=None, seed2=None, "
     "min_object_covered=0.1, aspect_ratio_range=None, area_range=None, max_attempts=None, "
     "use_image_if_no_bounding_boxes=None, name=None)",
     distorted, "A random part of an image that contains enough of one of the boxes."},
    {"image.draw_bounding_boxes(images, boxes, name=None, colors=None)",
     [](const Call& c) {
       return give(image::draw_bounding_boxes(
           c.input("images"), boxes(c),
           {.colors = c.optional_input("colors", DType::f32), .name = c.name()}));
     },
     "Images with boxes drawn into them."},
    {"image.crop_and_resize(image, boxes, box_ind=None, crop_size=None, method='bilinear', "
     "extrapolation_value=0, name=None, box_indices=None)",
     crop_and_resize, "Boxes of images, all brought to one size."},
    {"io.is_jpeg(contents, name=None)",
     [](const Call& c) { return give(image::is_jpeg(c.input("contents"), {.name = c.name()})); },
     "Whether a file's bytes begin as JPEG does."},
    {"io.decode_image(contents, channels=None, dtype=tf.uint8, name=None, "
     "expand_animations=True)",
     decode_image, "The picture of a JPEG, PNG, GIF or BMP file."},
};

}  // namespace

void bind_box_functions() { add_functions(kFunctions); }

}  // namespace rill::python
