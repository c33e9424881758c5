#include "rill/api/image/transforms.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/op_call.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"

namespace rill::contrib {
namespace image {
namespace {

using parts::item;
using parts::range_of;

constexpr TypeSet kImageTypes =
    DType::u8 | DType::i32 | DType::i64 | DType::f16 | DType::f32 | DType::f64;

// Images as a batch, and back.
struct Batched {
  explicit Batched(Output given) : rank(given.shape().rank()) {
    require_type(kImageTypes.contains(math_parts::type_of(given)), "Invalid dtype ",
                 numpy_name(math_parts::type_of(given)), ".");
    require_type(rank >= 0, "image_or_images rank must be statically known");
    require_type(rank >= 2 && rank <= 4, "Images should have rank between 2 and 4.");
    images = given;
    if (rank == 2) images = slice(given, {NewAxis{}, SliceRange{}, SliceRange{}, NewAxis{}});
    if (rank == 3) images = slice(given, {NewAxis{}, SliceRange{}, SliceRange{}, SliceRange{}});
  }
  Output undo(Output result) const {
    if (rank == 2) return slice(result, {0, SliceRange{}, SliceRange{}, 0});
    if (rank == 3) return slice(result, {0, SliceRange{}, SliceRange{}, SliceRange{}});
    return result;
  }
  int rank;
  Output images;
};

// A list of transforms, also of a single one.
Output listed(Output transforms, std::int64_t count, const char* what) {
  const PartialShape& shape = transforms.shape();
  require_type(shape.has_rank(), what, " rank must be statically known");
  require_type(shape.rank() == 1 || shape.rank() == 2, what,
               " should have rank 1 or 2, but got rank ", shape.rank());
  require(shape[shape.rank() - 1] < 0 || shape[shape.rank() - 1] == count, what, " should have ",
          count, " numbers each, not ", shape[shape.rank() - 1]);
  return shape.rank() == 1 ? slice(transforms, {NewAxis{}, SliceRange{}}) : transforms;
}

Output column(Output vector) { return slice(vector, {SliceRange{}, NewAxis{}}); }

// `columns` zeros for each of the rows of x.
Output zeros_beside(Output x, int columns) {
  const Output rows = item(shape(x), 0);
  return zeros(parts::list_of({rows, columns}), {.dtype = DType::f32});
}
Output ones_beside(Output x) {
  const Output rows = item(shape(x), 0);
  return ones(parts::list_of({rows, 1}), {.dtype = DType::f32});
}

}  // namespace

Output transform(const Input& given, const Input& transforms, const TransformOptions& options,
                 std::source_location at) {
  const Block in(options.name, "transform", at);
  const Batched batch(as_tensor(given, "images"));
  const Output all =
      listed(as_tensor(transforms, "transforms", DType::f32), 8, "transform_or_transforms");
  const Output size = options.output_shape
                          ? as_tensor(*options.output_shape, "output_shape", DType::i32)
                          : range_of(shape(batch.images), 1, 3);
  return batch.undo(current_scope()
                        .add("ImageProjectiveTransformV2", {batch.images, all, size},
                             {{"interpolation", options.interpolation}})
                        .output());
}

Output angles_to_projective_transforms(const Input& angles, const Input& image_height,
                                       const Input& image_width, const TransformsOptions& options,
                                       std::source_location at) {
  const Block in(options.name, "angles_to_projective_transforms", at);
  Output turns = as_tensor(angles, "angles", DType::f32);
  require_type(turns.shape().has_rank() && turns.shape().rank() <= 1,
               "Angles should have rank 0 or 1, but got shape ", turns.shape());
  if (turns.shape().rank() == 0) turns = slice(turns, {NewAxis{}});
  const Output height = as_tensor(image_height, "image_height", DType::f32) - 1.0;
  const Output width = as_tensor(image_width, "image_width", DType::f32) - 1.0;
  const Output cosine = raw::Cos(turns), sine = raw::Sin(turns);
  // The middle stays where it is.
  const Output moved_x = cosine * width - sine * height;
  const Output moved_y = sine * width + cosine * height;
  const Output x = (width - moved_x) / 2.0, y = (height - moved_y) / 2.0;
  const Output minus_sine = raw::Neg(sine);
  std::vector<Input> columns;
  for (const Output& part : {cosine, minus_sine, x, sine, cosine, y})
    columns.emplace_back(column(part));
  columns.emplace_back(zeros_beside(turns, 2));
  return concat(columns, 1);
}

Output translations_to_projective_transforms(const Input& translations,
                                             const TransformsOptions& options,
                                             std::source_location at) {
  const Block in(options.name, "translations_to_projective_transforms", at);
  const Output moves =
      listed(as_tensor(translations, "translations", DType::f32), 2, "translations");
  const auto by = [&](int i) { return raw::Neg(column(slice(moves, {SliceRange{}, Input(i)}))); };
  const Output one = ones_beside(moves), zero = zeros_beside(moves, 1);
  const Output dx = by(0), dy = by(1);
  return concat({one, zero, dx, zero, one, dy, zeros_beside(moves, 2)}, 1);
}

Output rotate(const Input& given, const Input& angles, const RotateOptions& options,
              std::source_location at) {
  const Block in(options.name, "rotate", at);
  const Batched batch(as_tensor(given, "images"));
  const auto side = [&](int axis) {
    return slice(cast(item(shape(batch.images), axis), DType::f32), {NewAxis{}});
  };
  const Output height = side(1), width = side(2);
  const Output transforms = angles_to_projective_transforms(angles, height, width);
  return batch.undo(transform(batch.images, transforms, {.interpolation = options.interpolation}));
}

Output translate(const Input& images, const Input& translations, const RotateOptions& options,
                 std::source_location at) {
  const Block in(options.name, "translate", at);
  const Output transforms = translations_to_projective_transforms(translations);
  return transform(images, transforms, {.interpolation = options.interpolation});
}

Output flat_transforms_to_matrices(const Input& transforms, const TransformsOptions& options,
                                   std::source_location at) {
  const Block in(options.name, "flat_transforms_to_matrices", at);
  const Output all = listed(as_tensor(transforms, "transforms", DType::f32), 8, "transforms");
  const Output complete = concat({all, ones_beside(all)}, 1);
  return raw::Reshape(complete, parts::ints({-1, 3, 3}));
}

Output matrices_to_flat_transforms(const Input& transform_matrices,
                                   const TransformsOptions& options, std::source_location at) {
  const Block in(options.name, "matrices_to_flat_transforms", at);
  const Output matrices = as_tensor(transform_matrices, "matrices", DType::f32);
  require(matrices.shape().is_compatible({-1, 3, 3}), "Matrices should be [N, 3, 3], not ",
          matrices.shape());
  const Output flat = raw::Reshape(matrices, parts::ints({-1, 9}));
  const Output last = slice(flat, {SliceRange{}, SliceRange{.start = 8, .stop = 9}});
  return slice(flat / last, {SliceRange{}, SliceRange{.stop = 8}});
}

Output compose_transforms(const Inputs& transforms, const TransformsOptions& options,
                          std::source_location at) {
  require(!transforms.empty(), "transforms cannot be empty");
  const Block in(options.name, "compose_transforms", at);
  Output composed = flat_transforms_to_matrices(transforms[0]);
  for (std::size_t i = 1; i < transforms.size(); ++i)
    composed = matmul(composed, flat_transforms_to_matrices(transforms[i]));
  return matrices_to_flat_transforms(composed);
}

BipartiteMatch bipartite_match(const Input& distance_mat, const Input& num_valid_rows,
                               const BipartiteMatchOptions& options, std::source_location at) {
  Node& node = OpCall("BipartiteMatch")
                   .in(as_tensor(distance_mat, "distance_mat", DType::f32))
                   .in(as_tensor(num_valid_rows, "num_valid_rows", DType::f32))
                   .attr("top_k", options.top_k)
                   .add(options.name, at);
  return {node.output(0), node.output(1)};
}

}  // namespace image

namespace resampler {

Output resampler(const Input& data, const Input& warp, const ResamplerOptions& options,
                 std::source_location at) {
  const Block in(options.name, "resampler", at);
  const Output images = as_tensor(data, "data");
  const Output places = as_tensor(warp, "warp", math_parts::type_of(images));
  return current_scope().add("Resampler", {images, places}).output();
}

}  // namespace resampler
}  // namespace rill::contrib
