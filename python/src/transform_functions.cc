#include "call.h"
#include "image_functions.h"
#include "rill/api/image/transforms.h"

namespace rill::python {
namespace {

contrib::image::RotateOptions rotate_options(const Call& c) {
  return {.interpolation = c.text("interpolation"), .name = c.name()};
}

constexpr Function kFunctions[] = {
    {"contrib.image.transform(images, transforms, interpolation='NEAREST', output_shape=None, "
     "name=None)",
     [](const Call& c) {
       return give(
           contrib::image::transform(c.input("images"), c.input("transforms", DType::f32),
                                     {.interpolation = c.text("interpolation"),
                                      .output_shape = c.optional_input("output_shape", DType::i32),
                                      .name = c.name()}));
     },
     "Images seen through projective transforms."},
    {"contrib.image.rotate(images, angles, interpolation='NEAREST', name=None)",
     [](const Call& c) {
       return give(contrib::image::rotate(c.input("images"), c.input("angles", DType::f32),
                                          rotate_options(c)));
     },
     "Images turned around their middle."},
    {"contrib.image.translate(images, translations, interpolation='NEAREST', name=None)",
     [](const Call& c) {
       return give(contrib::image::translate(c.input("images"), c.input("translations", DType::f32),
                                             rotate_options(c)));
     },
     "Images moved aside."},
    {"contrib.image.angles_to_projective_transforms(angles, image_height, image_width, name=None)",
     [](const Call& c) {
       return give(contrib::image::angles_to_projective_transforms(
           c.input("angles", DType::f32), c.input("image_height", DType::f32),
           c.input("image_width", DType::f32), {.name = c.name()}));
     },
     "The transforms that turn images around their middle."},
    {"contrib.image.translations_to_projective_transforms(translations, name=None)",
     [](const Call& c) {
       return give(contrib::image::translations_to_projective_transforms(
           c.input("translations", DType::f32), {.name = c.name()}));
     },
     "The transforms that move images aside."},
    {"contrib.image.compose_transforms_of(transforms, name=None)",
     [](const Call& c) {
       return give(contrib::image::compose_transforms(c.inputs("transforms", DType::f32),
                                                      {.name = c.name()}));
     },
     "The transform that is several, the last one first."},
    {"contrib.image.flat_transforms_to_matrices(transforms, name=None)",
     [](const Call& c) {
       return give(contrib::image::flat_transforms_to_matrices(c.input("transforms", DType::f32),
                                                               {.name = c.name()}));
     },
     "The matrices of projective transforms."},
    {"contrib.image.matrices_to_flat_transforms(transform_matrices, name=None)",
     [](const Call& c) {
       return give(contrib::image::matrices_to_flat_transforms(
           c.input("transform_matrices", DType::f32), {.name = c.name()}));
     },
     "The projective transforms of matrices."},
    {"contrib.image.dense_image_warp(image, flow, name='dense_image_warp')",
     [](const Call& c) {
       return give(
           contrib::image::dense_image_warp(c.input("image"), c.input("flow"), {.name = c.name()}));
     },
     "Images whose pixels are moved, each by a vector of its own."},
    {"contrib.image.bipartite_match(distance_mat, num_valid_rows, top_k=-1, "
     "name='bipartite_match')",
     [](const Call& c) -> nb::object {
       const auto made = contrib::image::bipartite_match(
           c.input("distance_mat", DType::f32), c.input("num_valid_rows", DType::f32),
           {.top_k = c.integer("top_k"), .name = c.name()});
       return nb::make_tuple(give(made.row_to_col_match_indices),
                             give(made.col_to_row_match_indices));
     },
     "Pairs of rows and columns of a matrix of distances, the nearest first."},
    {"contrib.resampler.resampler(data, warp, name='resampler')",
     [](const Call& c) {
       return give(
           contrib::resampler::resampler(c.input("data"), c.input("warp"), {.name = c.name()}));
     },
     "The values of images at places between their pixels."},
};

}  // namespace

void bind_transform_functions() { add_functions(kFunctions); }

}  // namespace rill::python
