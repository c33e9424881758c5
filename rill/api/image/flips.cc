#include "rill/api/image/flips.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/image/image_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/random/random_ops.h"

namespace rill::image {
namespace {

using namespace parts;

Output reversed(Output x, std::vector<std::int64_t> axes) {
  return raw::ReverseV2(x, rill::parts::ints(std::move(axes)));
}

// Rows and columns of images change places; they begin at dimension `first`.
Output swapped(Output x, int first) {
  const auto perm = first == 0 ? rill::parts::ints({1, 0, 2}) : rill::parts::ints({0, 2, 1, 3});
  return rill::transpose(x, {.perm = perm});
}

// Mirroring keeps the shape.
Output as_shaped(Output result, Output image) {
  return with_shape(result, image.shape().has_rank() ? image.shape() : PartialShape::of_rank(3));
}

Output flipped(const Input& input, int axis, const char* name, std::source_location at) {
  const Block in("", name, at);
  const Output image = checked_image(as_tensor(input, "image"));
  return by_rank(image, [&](int first) {
    const Output result = reversed(image, {axis + first});
    return first == 0 ? as_shaped(result, image) : result;
  });
}

// One image, mirrored if a random number says so.
Output flip_one(Output image, int axis, const RandomFlipOptions& options, const Block& in) {
  const Output chance = random_uniform({}, {.minval = 0, .maxval = 1.0, .seed = options.seed});
  const Output is_flipped = raw::Less(chance, 0.5);
  const Output result = cond_one(
      is_flipped, [&] { return reversed(image, {axis}); }, [&] { return image; },
      {.name = in.own_name()});
  return as_shaped(result, image);
}

// Each image of a batch as itself times 0 and its mirror image times 1, or the other way round.
Output flip_each(Output images, int axis, const RandomFlipOptions& options) {
  const Output count = rill::parts::item(rill::shape(images), 0);
  const Output chance = random_uniform(rill::parts::list_of({count}),
                                       {.minval = 0, .maxval = 1.0, .seed = options.seed});
  const Output shaped = raw::Reshape(chance, rill::parts::list_of({count, 1, 1, 1}));
  const Output flips = rill::parts::cast_to(raw::Round(shaped), base_type(images.dtype()));
  const Output mirrored = flips * reversed(images, {axis + 1});
  return mirrored + (1 - flips) * images;
}

Output randomly_flipped(const Input& input, int axis, const char* name,
                        const RandomFlipOptions& options, std::source_location at) {
  const Block in("", name, at);
  const Output image = checked_image(as_tensor(input, "image"));
  return by_rank(image, [&](int first) {
    return first == 0 ? flip_one(image, axis, options, in) : flip_each(image, axis, options);
  });
}

// `turns` quarter turns, which are 0 to 3.
Output turned(Output image, Output turns, int first, const Block& in) {
  const int rows = first, columns = first + 1;
  const auto when = [&](int count, std::function<Output()> make) {
    return std::pair<Output, BranchFn>(
        raw::Equal(turns, count), [make = std::move(make)] { return std::vector<Output>{make()}; });
  };
  std::vector<std::pair<Output, BranchFn>> cases;
  cases.push_back(when(1, [=] { return swapped(reversed(image, {columns}), first); }));
  cases.push_back(when(2, [=] { return reversed(image, {rows, columns}); }));
  cases.push_back(when(3, [=] { return reversed(swapped(image, first), {columns}); }));
  const Output result = case_of(cases, [=] { return std::vector<Output>{image}; },
                                {.exclusive = true, .name = in.own_name()})[0];
  PartialShape shape = PartialShape::of_rank(3 + first);
  if (image.shape().has_rank()) {
    if (first == 1) shape = shape.with_dim(0, image.shape()[0]);
    shape = shape.with_dim(first + 2, image.shape()[first + 2]);
  }
  return with_shape(result, shape);
}

}  // namespace

Output flip_left_right(const Input& image, std::source_location at) {
  return flipped(image, 1, "flip_left_right", at);
}

Output flip_up_down(const Input& image, std::source_location at) {
  return flipped(image, 0, "flip_up_down", at);
}

Output random_flip_left_right(const Input& image, const RandomFlipOptions& options,
                              std::source_location at) {
  return randomly_flipped(image, 1, "random_flip_left_right", options, at);
}

Output random_flip_up_down(const Input& image, const RandomFlipOptions& options,
                           std::source_location at) {
  return randomly_flipped(image, 0, "random_flip_up_down", options, at);
}

Output transpose(const Input& input, const TransposeImageOptions& options,
                 std::source_location at) {
  const Block in(options.name, "transpose", at);
  const Output image = checked_image(as_tensor(input, "image"));
  if (!image.shape().has_rank())
    return by_rank(image, [&](int first) { return swapped(image, first); });
  const auto perm =
      image.shape().rank() == 3 ? rill::parts::ints({1, 0, 2}) : rill::parts::ints({0, 2, 1, 3});
  return rill::transpose(image,
                         {.perm = perm, .name = options.name.empty() ? "transpose" : options.name});
}

Output rot90(const Input& input, const Rot90Options& options, std::source_location at) {
  const Block in(options.name, "rot90", at);
  const Output image = checked_image(as_tensor(input, "image"));
  const Output k = as_tensor(options.k, "k", DType::i32);
  require(!k.shape().has_rank() || k.shape().rank() == 0, "Shape ", k.shape(), " must have rank 0");
  const Output turns = rill::parts::modulo(k, 4);
  return by_rank(image, [&](int first) { return turned(image, turns, first, in); });
}

}  // namespace rill::image
