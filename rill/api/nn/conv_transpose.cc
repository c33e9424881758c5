#include "rill/api/nn/conv_transpose.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/ops/array/index_values.h"

namespace rill::nn {
namespace {

std::string format_or(const std::string& given, const char* otherwise) {
  return given.empty() ? otherwise : given;
}

// The numbers of a shape that is given as such.
std::vector<std::int64_t> numbers(const Input& shape) {
  const Tensor value = shape.value(DType::invalid);
  std::vector<std::int64_t> result;
  for (std::int64_t i = 0; i < value.element_count(); ++i) result.push_back(int_at(value, i));
  return result;
}

// shape[:at] + [1] + shape[at:]
Output with_height(const Input& shape, int at) {
  if (shape.is_value()) {
    const auto dims = numbers(shape);
    require(dims.size() >= static_cast<std::size_t>(at), "`output_shape` has only ", dims.size(),
            " elements");
    return concat({parts::ints({dims.begin(), dims.begin() + at}), parts::ints({1}),
                   parts::ints({dims.begin() + at, dims.end()})},
                  0);
  }
  const Output dims = as_tensor(shape);
  const Output before = parts::range_of(dims, {}, at), after = parts::range_of(dims, at, {});
  return concat({before, parts::ints({1}), after}, 0);
}

}  // namespace

Output conv1d_transpose(const Input& input, const Input& filters, const ShapeInput& output_shape,
                        const Sizes& strides, const ConvTransposeOptions& options,
                        std::source_location at) {
  const Block in(options.name, "conv1d_transpose", at);
  const bool first = options.data_format == "NCW";
  require(first || options.data_format.empty() || options.data_format == "NWC",
          "`data_format` must be 'NWC' or 'NCW'. Received: data_format=", options.data_format);
  const int height = first ? 2 : 1;
  const auto sizes = [&](const Sizes& given, const char* what) {
    auto all = given.of_input(1, first, what);
    all.insert(all.begin(), 1);
    return all;
  };
  const auto steps = sizes(strides, "stride"), dilations = sizes(options.dilations, "dilations");
  const Output rows = expand_dims(input, height), filter = expand_dims(filters, 0);
  const Output shape = with_height(output_shape, height);
  const Output result = raw::Conv2DBackpropInput(
      shape, filter, rows, steps, options.padding.kind(),
      {.data_format = first ? "NCHW" : "NHWC", .dilations = dilations, .name = in.own_name()});
  return squeeze(result, {.axis = {height}});
}

Output conv2d_transpose(const Input& value, const Input& filter, const ShapeInput& output_shape,
                        const Sizes& strides, const ConvTransposeOptions& options,
                        std::source_location at) {
  const Block in(options.name, "conv2d_transpose", at);
  const std::string format = format_or(options.data_format, "NHWC");
  const bool first = is_channels_first(format);
  return raw::Conv2DBackpropInput(output_shape, filter, value,
                                  strides.of_input(2, first, "strides"), options.padding.kind(),
                                  {.explicit_paddings = options.padding.around(4),
                                   .data_format = format,
                                   .dilations = options.dilations.of_input(2, first, "dilations"),
                                   .name = in.own_name()});
}

Output conv3d_transpose(const Input& value, const Input& filter, const ShapeInput& output_shape,
                        const Sizes& strides, const ConvTransposeOptions& options,
                        std::source_location at) {
  const Block in(options.name, "conv3d_transpose", at);
  const std::string format = format_or(options.data_format, "NDHWC");
  const bool first = is_channels_first(format);
  return raw::Conv3DBackpropInputV2(output_shape, filter, value,
                                    strides.of_input(3, first, "strides"), options.padding.kind(),
                                    {.data_format = format,
                                     .dilations = options.dilations.of_input(3, first, "dilations"),
                                     .name = in.own_name()});
}

Output conv_transpose(const Input& input, const Input& filters, const ShapeInput& output_shape,
                      const Sizes& strides, const ConvTransposeOptions& options,
                      std::source_location at) {
  const Block in(options.name, "conv_transpose", at);
  std::int64_t count = 0;
  if (output_shape.is_value())
    count = static_cast<std::int64_t>(numbers(output_shape).size());
  else if (output_shape.is_output() && output_shape.output().shape().rank() == 1)
    count = output_shape.output().shape()[0];
  require(count >= 3 && count <= 5, "`output_shape` must be of length 3, 4 or 5. Received length ",
          count, ".");
  ConvTransposeOptions inner = options;
  inner.name = in.own_name();
  constexpr auto kOps = std::array{conv1d_transpose, conv2d_transpose, conv3d_transpose};
  return kOps[static_cast<std::size_t>(count - 3)](input, filters, output_shape, strides, inner,
                                                   at);
}

namespace {

// A number that is known, or is computed by nodes: sums and quotients of a shape's elements.
class Number {
 public:
  Number(std::int64_t value) : value_(value) {}
  Number(Output tensor) : tensor_(tensor) {}

  operator Input() const { return known() ? Input(static_cast<int>(value_)) : Input(tensor_); }

  friend Number operator+(const Number& a, const Number& b) {
    if (a.known() && b.known()) return a.value_ + b.value_;
    return parts::plus(a, b);
  }
  friend Number operator-(const Number& a, const Number& b) {
    if (a.known() && b.known()) return a.value_ - b.value_;
    return parts::minus(a, b);
  }
  friend Number operator*(const Number& a, const Number& b) {
    if (a.known() && b.known()) return a.value_ * b.value_;
    return parts::times(a, b);
  }
  Number over(std::int64_t divisor) const {  // rounded down, of what is not negative
    if (known()) return value_ / divisor;
    return raw::FloorDiv(tensor_, divisor, {.name = "floordiv"});
  }
  Number rest(std::int64_t divisor) const {
    if (known()) return value_ % divisor;
    return parts::modulo(tensor_, divisor);
  }

 private:
  bool known() const { return tensor_.node == nullptr; }
  std::int64_t value_ = 0;
  Output tensor_;
};

struct Around {
  Number before = 0, after = 0;
};

// What windows of `size` elements, `rate` apart, need around an image that keeps its size.
Around same_padding(const Number& size, std::int64_t rate) {
  const Number window = size + (size - 1) * Number(rate - 1);
  const Number extra = window - 1;
  const Number before = extra.over(2);
  return {before, extra - before};
}

// The elements of a shape, each asked for where it is needed.
class Elements {
 public:
  explicit Elements(const Input& shape) {
    if (shape.is_value())
      known_ = numbers(shape);
    else
      tensor_ = as_tensor(shape);
  }
  explicit Elements(Output x) {
    if (x.shape().is_full())
      known_.assign(x.shape().dims().begin(), x.shape().dims().end());
    else
      tensor_ = shape(x);
  }
  Number operator[](std::size_t i) const {
    if (tensor_.node == nullptr) return known_.at(i);
    return parts::item(tensor_, static_cast<std::int64_t>(i));
  }

 private:
  std::vector<std::int64_t> known_;
  Output tensor_;
};

Input pairs(const Number& a, const Number& b, const Number& c, const Number& d) {
  return parts::list_of({parts::list_of({a, b}), parts::list_of({c, d})});
}

// Throws InvalidArgument unless dimension i of `x` can be `size`.
void require_channels(const char* what, Output x, int i, std::int64_t size) {
  const PartialShape shape = x.shape();
  const bool fits =
      !shape.has_rank() || (shape.rank() > i && (shape[i] < 0 || size < 0 || shape[i] == size));
  require(fits, what, " Received: ", shape_text(shape), " and channel count ", size);
}

}  // namespace

Output atrous_conv2d_transpose(const Input& value, const Input& filters,
                               const ShapeInput& output_shape, std::int64_t rate,
                               const Padding& padding, const NameOptions& options,
                               std::source_location at) {
  const Block in(options.name, "atrous_conv2d_transpose", at);
  const Output x = as_tensor(value, "value"), filter = as_tensor(filters, "filters");
  require(x.shape().rank() == 4, "`value` must have rank 4, got ", shape_text(x.shape()));
  require_channels("`value` channel count must be compatible with `filters` input channel count.",
                   filter, 3, x.shape()[3]);
  require(rate >= 1, "`rate` cannot be less than one. Received: rate=", rate);
  if (rate == 1) return conv2d_transpose(x, filter, output_shape, 1, {.padding = padding});
  const Output shape = as_tensor(output_shape, "output_shape");
  require(shape.shape().is_compatible(PartialShape{4}), "`output_shape` must have shape (4,).");
  const Elements sizes =
      output_shape.is_value() ? Elements(Input(output_shape)) : Elements(Input(shape));
  if (output_shape.is_value())
    require_channels(
        "`output_shape` channel count must be compatible with `filters` output channel count.",
        filter, 2, numbers(output_shape)[3]);
  Around rows, columns;
  if (padding.kind() == "SAME") {
    const Elements window(filter);
    const Number height = window[0], width = window[1];
    rows = same_padding(height, rate);
    columns = same_padding(width, rate);
  } else {
    require(padding.kind() == "VALID",
            "`padding` must be either 'VALID' or 'SAME'. Received: padding=", padding.kind());
  }
  const Number height = sizes[1] + rows.before + rows.after;
  const Number width = sizes[2] + columns.before + columns.after;
  const Number below = (Number(rate) - height.rest(rate)).rest(rate);
  const Number right = (Number(rate) - width.rest(rate)).rest(rate);
  const Output moved = space_to_batch(x, pairs(0, below, 0, right), rate);
  const Number batch = Number(rate * rate) * sizes[0];
  const Number inner_height = (height + below).over(rate);
  const Number inner_width = (width + right).over(rate);
  const Input inner = parts::list_of({batch, inner_height, inner_width, sizes[3]});
  const Output result = raw::Conv2DBackpropInput(inner, filter, moved, {1, 1, 1, 1}, "VALID");
  const Number bottom = rows.after + below, end = columns.after + right;
  return batch_to_space(result, pairs(rows.before, bottom, columns.before, end), rate);
}

}  // namespace rill::nn
