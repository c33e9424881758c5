// Convolutions with other weights at each place, in three forms: products with patches of the
// input, with one masked matrix, or with one sparse matrix.
#include <algorithm>

#include "rill/api/array/shapes.h"
#include "rill/api/gen/sparse.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/keras/plain_layers.h"
#include "rill/api/layers/layer_parts.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"
#include "rill/base/error.h"

namespace rill::keras::layers {
namespace {

using Numbers = std::vector<std::int64_t>;

std::int64_t product_of(const Numbers& sizes) {
  std::int64_t all = 1;
  for (const std::int64_t size : sizes) all = parts::product(all, size);
  return all;
}

PartialShape shape_of(const Numbers& sizes) {
  return PartialShape(std::span<const std::int64_t>(sizes));
}

// The sizes of space with those of channels where the data format has them.
Numbers with_channels(Numbers space, std::int64_t channels, bool channels_first) {
  space.insert(channels_first ? space.begin() : space.end(), channels);
  return space;
}

}  // namespace

std::int64_t LocallyConnected::step(std::size_t i) const {
  return s.strides.empty() ? 1 : s.strides.at(i);
}

PartialShape LocallyConnected::compute_output_shape(const PartialShape& input) const {
  const std::size_t space = s.kernel_size.size();
  need_rank(input, static_cast<int>(space) + 2);
  PartialShape result = input.with_dim(channels_first() ? 1 : input.rank() - 1, s.filters);
  for (std::size_t i = 0; i < space; ++i) {
    const int at = (channels_first() ? 2 : 1) + static_cast<int>(i);
    if (input[at] == kUnknownDim) continue;
    const std::int64_t length =
        rill::layers::window_output_length(input[at], s.kernel_size[i], s.padding, step(i));
    result = result.with_dim(at, std::max<std::int64_t>(length, 0));
  }
  return result;
}

void LocallyConnected::build(const PartialShape& input) {
  const PartialShape output = compute_output_shape(input);
  require(s.implementation >= 1 && s.implementation <= 3,
          "Unrecognized implementation mode: ", s.implementation, ".");
  require(s.implementation != 1 || s.padding == "valid", "Invalid border mode for ", class_name(),
          " (only \"valid\" is supported if implementation is 1): ", s.padding);
  channels_ = input.dim(channels_first() ? 1 : input.rank() - 1);
  input_size_.clear();
  output_size_.clear();
  for (std::size_t i = 0; i < s.kernel_size.size(); ++i) {
    const int at = (channels_first() ? 2 : 1) + static_cast<int>(i);
    input_size_.push_back(input.dim(at));
    output_size_.push_back(output.dim(at));
  }
  require(channels_ >= 0 && std::ranges::find(input_size_, kUnknownDim) == input_size_.end(),
          "The spatial dimensions of the inputs to a ", class_name(),
          " layer should be fully-defined, but layer received ", input);
  add_kernel();
  if (s.use_bias)
    bias = add("bias", shape_of(with_channels(output_size_, s.filters, false)), s.bias,
               zeros_initializer());
}

void LocallyConnected::add_kernel() {
  if (s.implementation == 1) {
    const std::int64_t depth = parts::product(channels_, product_of(s.kernel_size));
    kernel = add("kernel", {product_of(output_size_), depth, s.filters}, s.kernel);
  } else if (s.implementation == 2) {
    make_mask();
    Numbers sizes = with_channels(input_size_, channels_, channels_first());
    const Numbers last = with_channels(output_size_, s.filters, channels_first());
    sizes.insert(sizes.end(), last.begin(), last.end());
    kernel = add("kernel", shape_of(sizes), s.kernel);
  } else {
    make_indices();
    kernel = add("kernel", {places_.dim(0)}, s.kernel);
  }
}

// Calls visit(place in the output, place in the input) for those that a window connects.
template <class Visit>
void LocallyConnected::each_connection(Visit visit) const {
  const std::size_t space = input_size_.size();
  struct Range {
    std::int64_t begin, end, at;
  };
  std::vector<Range> ranges(space);
  for (std::int64_t out = 0, count = product_of(output_size_); out < count; ++out) {
    bool is_empty = false;
    for (std::size_t i = space, rest = static_cast<std::size_t>(out); i-- > 0;) {
      const auto size = static_cast<std::size_t>(output_size_[i]);
      const std::int64_t left = s.kernel_size[i] / 2;
      const std::int64_t center =
          static_cast<std::int64_t>(rest % size) * step(i) + (s.padding == "valid" ? left : 0);
      rest /= size;
      const std::int64_t begin = std::max<std::int64_t>(0, center - left);
      ranges[i] = {begin, std::min(input_size_[i], center + s.kernel_size[i] - left), begin};
      is_empty |= begin >= ranges[i].end;
    }
    for (bool more = !is_empty; more;) {
      std::int64_t in = 0;
      for (std::size_t i = 0; i < space; ++i) in = in * input_size_[i] + ranges[i].at;
      visit(out, in);
      more = false;
      for (std::size_t i = space; i-- > 0 && !more;) {
        more = ++ranges[i].at < ranges[i].end;
        if (!more) ranges[i].at = ranges[i].begin;
      }
    }
  }
}

void LocallyConnected::make_mask() {
  Numbers sizes = with_channels(input_size_, 1, channels_first());
  const Numbers last = with_channels(output_size_, 1, channels_first());
  sizes.insert(sizes.end(), last.begin(), last.end());
  places_ = Tensor::zeros(DType::f32, Shape(std::span<const std::int64_t>(sizes)));
  const std::int64_t width = product_of(output_size_);
  float* const mask = places_.data<float>();
  each_connection([&](std::int64_t out, std::int64_t in) { mask[in * width + out] = 1; });
}

void LocallyConnected::make_indices() {
  const std::int64_t outs = product_of(output_size_), ins = product_of(input_size_);
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  each_connection([&](std::int64_t out, std::int64_t in) {
    for (std::int64_t f = 0; f < s.filters; ++f)
      for (std::int64_t c = 0; c < channels_; ++c)
        all.emplace_back(channels_first() ? f * outs + out : out * s.filters + f,
                         channels_first() ? c * ins + in : in * channels_ + c);
  });
  std::ranges::sort(all);
  places_ = Tensor(DType::i64, {static_cast<std::int64_t>(all.size()), 2});
  std::int64_t* next = places_.data<std::int64_t>();
  for (const auto& [row, column] : all) {
    *next++ = row;
    *next++ = column;
  }
}

Output LocallyConnected::of_matrix(Output x) {
  const std::int64_t height = parts::product(product_of(input_size_), channels_),
                     width = parts::product(product_of(output_size_), s.filters);
  const auto sized = [](std::int64_t size) { return Input(static_cast<int>(size)); };
  require(std::max(height, width) <= INT32_MAX, class_name(), " is too large");
  const Output flat = parts::reshape_to(x, {sized(-1), sized(height)});
  Output y;
  if (s.implementation == 2) {
    const Output matrix = as_tensor(kernel) * rill::cast(Input(places_), dtype());
    y = matmul(flat, parts::reshape_to(matrix, {sized(height), sized(width)}));
  } else {
    y = rill::transpose(raw::SparseTensorDenseMatMul(
        places_, kernel, Tensor::vector<std::int64_t>({width, height}), flat, {.adjoint_b = true}));
  }
  std::vector<Input> sizes{sized(-1)};
  for (const std::int64_t size : with_channels(output_size_, s.filters, channels_first()))
    sizes.push_back(sized(size));
  return parts::reshape_to(y, sizes);
}

Output LocallyConnected::call(Output x, const CallArguments&) {
  Numbers steps;
  for (std::size_t i = 0; i < s.kernel_size.size(); ++i) steps.push_back(step(i));
  Output y = s.implementation == 1
                 ? backend::local_conv(x, kernel, s.kernel_size, steps, output_size_, s.data_format)
                 : of_matrix(x);
  if (bias) y = backend::bias_add(y, bias, s.data_format);
  return s.activation ? (*s.activation)(y) : y;
}

}  // namespace rill::keras::layers
