// The transpose of atrous_conv2d, whose sizes may be known only when the graph runs.
#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/nn/conv_transpose.h"
#include "rill/graph/whole_number.h"

namespace rill::nn {
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
    return raw::FloorDiv(tensor_, whole_number(divisor), {.name = "floordiv"});
  }
  Number rest(std::int64_t divisor) const {
    if (known()) return value_ % divisor;
    return parts::modulo(tensor_, whole_number(divisor));
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
      known_ = math_parts::known_integers(shape, "output_shape");
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
        filter, 2, math_parts::known_integers(output_shape, "output_shape").at(3));
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
