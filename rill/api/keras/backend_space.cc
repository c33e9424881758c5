#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/image.h"
#include "rill/api/gen/math.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/base/error.h"

namespace rill::keras::backend {

using namespace parts;

namespace {

// The first axis of the dimensions in space.
int first_in_space(Output x, std::size_t space, const std::string& data_format) {
  require(x.shape().rank() == static_cast<int>(space) + 2, "expected a tensor of ", space + 2,
          " dimensions, got one of shape ", x.shape());
  return is_channels_first(data_format) ? 2 : 1;
}

}  // namespace

Output spatial_padding(const Input& x_in, const Margins& padding, const std::string& data_format,
                       std::source_location at) {
  const MadeAt place(at);
  const Output x = tensor(x_in);
  const int first = first_in_space(x, padding.size(), data_format);
  std::vector<std::int64_t> rows(2 * x.shape().rank(), 0);
  for (std::size_t i = 0; i < padding.size(); ++i) {
    rows[2 * (first + i)] = padding[i].first;
    rows[2 * (first + i) + 1] = padding[i].second;
  }
  Tensor pairs(DType::i32, Shape({x.shape().rank(), 2}));
  std::copy(rows.begin(), rows.end(), pairs.data<std::int32_t>());
  return raw::Pad(x, pairs);
}

Output spatial_cropping(const Input& x_in, const Margins& cropping, const std::string& data_format,
                        std::source_location at) {
  const MadeAt place(at);
  const Output x = tensor(x_in);
  const int rank = x.shape().rank(), first = first_in_space(x, cropping.size(), data_format);
  std::vector<std::int64_t> begin(rank, 0), end(rank, 0);
  std::int64_t to_the_end = (std::int64_t{1} << rank) - 1;
  for (std::size_t i = 0; i < cropping.size(); ++i) {
    begin[first + i] = cropping[i].first;
    end[first + i] = -cropping[i].second;
    if (cropping[i].second != 0) to_the_end &= ~(std::int64_t{1} << (first + i));
  }
  return strided_slice(x, rill::parts::ints(begin), rill::parts::ints(end),
                       {.end_mask = to_the_end});
}

namespace {

Output resized(Output x, const std::vector<std::int64_t>& factors, bool nearest) {
  const auto scaled = [&](int axis) -> Input {
    const std::int64_t known = x.shape().dim(axis);
    if (known >= 0) return known * factors[axis - 1];
    return rill::parts::times(dim_of(x, axis), factors[axis - 1]);
  };
  const Input size = dims({scaled(1), scaled(2)});
  return nearest ? raw::ResizeNearestNeighbor(x, size, {.half_pixel_centers = true})
                 : raw::ResizeBilinear(x, size, {.half_pixel_centers = true});
}

}  // namespace

Output upsample(const Input& x_in, const std::vector<std::int64_t>& factors,
                const std::string& data_format, const std::string& interpolation,
                std::source_location at) {
  const MadeAt place(at);
  Output x = tensor(x_in);
  require(interpolation == "nearest" || interpolation == "bilinear",
          "interpolation should be one of \"nearest\" or \"bilinear\".");
  const int first = first_in_space(x, factors.size(), data_format);
  if (factors.size() != 2) {
    for (std::size_t i = 0; i < factors.size(); ++i)
      x = repeat_elements(x, factors[i], first + static_cast<int>(i));
    return x;
  }
  if (first == 1) return resized(x, factors, interpolation == "nearest");
  const Output last = permuted(x, {0, 2, 3, 1});
  return permuted(resized(last, factors, interpolation == "nearest"), {0, 3, 1, 2});
}

Output local_conv(const Input& x_in, const Input& kernel_in, const std::vector<std::int64_t>& size,
                  const std::vector<std::int64_t>& strides,
                  const std::vector<std::int64_t>& output_size, const std::string& data_format,
                  std::source_location at) {
  const MadeAt place(at);
  const Output x = tensor(x_in), kernel = tensor(kernel_in);
  const std::size_t space = size.size();
  require(kernel.shape().rank() == 3, "the kernel of local_conv has three dimensions, not shape ",
          kernel.shape());
  require(strides.size() == space && output_size.size() == space,
          "local_conv needs a stride and a size of the output for each of ", space, " dimensions");
  const int first = first_in_space(x, space, data_format), rank = x.shape().rank();
  const std::int64_t depth = kernel.shape().dim(1);
  std::vector<Input> patches;
  std::vector<std::int64_t> at_window(space, 0);
  std::int64_t count = 1;
  for (const std::int64_t n : output_size) count *= n;
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<std::int64_t> begin(rank, 0), end(rank, 0);
    std::int64_t whole = (std::int64_t{1} << rank) - 1;
    for (std::size_t d = 0; d < space; ++d) {
      begin[first + d] = at_window[d] * strides[d];
      end[first + d] = begin[first + d] + size[d];
      whole &= ~(std::int64_t{1} << (first + d));
    }
    const Output patch = strided_slice(x, rill::parts::ints(begin), rill::parts::ints(end),
                                       {.begin_mask = whole, .end_mask = whole});
    patches.push_back(reshape_to(patch, {1, -1, depth}));
    for (std::size_t d = space; d-- > 0;) {
      if (++at_window[d] < output_size[d]) break;
      at_window[d] = 0;
    }
  }
  const Output products = raw::BatchMatMulV2(concat(patches, 0), kernel);
  std::vector<Input> sizes;
  for (const std::int64_t n : output_size) sizes.push_back(n);
  sizes.push_back(dim_of(x, 0));
  sizes.push_back(kernel.shape().dim(2));
  const Output spread = reshape_to(products, sizes);
  std::vector<std::int64_t> order{static_cast<std::int64_t>(space)};
  if (first == 2) order.push_back(static_cast<std::int64_t>(space) + 1);
  for (std::size_t d = 0; d < space; ++d) order.push_back(static_cast<std::int64_t>(d));
  if (first == 1) order.push_back(static_cast<std::int64_t>(space) + 1);
  return permuted(spread, order);
}

}  // namespace rill::keras::backend
