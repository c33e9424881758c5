#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/math/operators.h"
#include "rill/base/error.h"

namespace rill::keras::backend {

using namespace parts;

namespace {

using Sizes = std::vector<std::int64_t>;

// How windows of one to three dimensions lie in a tensor. Those of one dimension are made two, of
// which the first has size 1.
struct Lying {
  Lying(int space, const WindowOptions& o, const char* what) : space(space) {
    channels_first = is_channels_first(o.data_format);
    padding = o.padding == "same" ? "SAME" : "VALID";
    require(o.padding == "same" || o.padding == "valid" || (o.padding == "causal" && space == 1),
            "Invalid padding for ", what, ": ", o.padding);
    require(space >= 1 && space <= 3, what, " works in one to three dimensions, not in ", space);
  }

  bool is_flat() const { return space == 1; }
  int first_axis() const { return channels_first ? 2 : 1; }
  // One number for each dimension of the op: 1 for examples and channels.
  Sizes full(const Sizes& given, const char* what) const {
    require(given.empty() || given.size() == 1 || given.size() == static_cast<std::size_t>(space),
            "The `", what, "` argument must be a tuple of ", space, " integers.");
    Sizes inner = given.empty() ? Sizes(space, 1) : given;
    if (inner.size() == 1) inner.resize(space, inner[0]);
    if (is_flat()) inner.insert(inner.begin(), 1);
    inner.insert(channels_first ? inner.begin() : inner.end(), 1);
    inner.insert(inner.begin(), 1);
    return inner;
  }
  std::string format() const {
    if (space == 3) return channels_first ? "NCDHW" : "NDHWC";
    return channels_first ? "NCHW" : "NHWC";
  }
  Output widened(Output x) const { return is_flat() ? expand_dims(x, first_axis()) : x; }
  Output narrowed(Output x) const {
    return is_flat() ? rill::squeeze(x, {.axis = {first_axis()}}) : x;
  }

  int space;
  bool channels_first;
  std::string padding;
};

// Zeros in front, so that no result depends on what comes later.
Output padded_causally(Output x, Output kernel, const WindowOptions& o) {
  const std::int64_t size = kernel.shape().dim(0),
                     dilation = o.dilation.empty() ? 1 : o.dilation[0];
  const Margins margins{{dilation * (size - 1), 0}};
  return spatial_padding(x, margins, o.data_format.empty() ? "channels_last" : o.data_format);
}

Output flat_kernel(const Lying& lie, Output kernel) {
  return lie.is_flat() ? expand_dims(kernel, 0) : kernel;
}

}  // namespace

Output conv(const Input& x_in, const Input& kernel_in, const WindowOptions& o,
            std::source_location at) {
  const MadeAt place(at);
  Output x = tensor(x_in);
  const Output kernel = tensor(kernel_in);
  const Lying lie(kernel.shape().rank() - 2, o, "conv");
  if (o.padding == "causal") x = padded_causally(x, kernel, o);
  const Sizes strides = lie.full(o.strides, "strides"),
              dilation = lie.full(o.dilation, "dilation_rate");
  if (lie.space == 3)
    return raw::Conv3D(x, kernel, strides, lie.padding,
                       {.data_format = lie.format(), .dilations = dilation});
  return lie.narrowed(raw::Conv2D(lie.widened(x), flat_kernel(lie, kernel), strides, lie.padding,
                                  {.data_format = lie.format(), .dilations = dilation}));
}

Output conv_transpose(const Input& x_in, const Input& kernel_in, const Input& output_shape,
                      const WindowOptions& o, std::source_location at) {
  const MadeAt place(at);
  const Output x = tensor(x_in), kernel = tensor(kernel_in);
  const Lying lie(kernel.shape().rank() - 2, o, "conv_transpose");
  require(lie.space >= 2, "conv_transpose works in two or three dimensions");
  const Output sizes = as_tensor(output_shape, "output_shape", DType::i32);
  const Sizes strides = lie.full(o.strides, "strides"),
              dilation = lie.full(o.dilation, "dilation_rate");
  if (lie.space == 3)
    return raw::Conv3DBackpropInputV2(sizes, kernel, x, strides, lie.padding,
                                      {.data_format = lie.format(), .dilations = dilation});
  return raw::Conv2DBackpropInput(sizes, kernel, x, strides, lie.padding,
                                  {.data_format = lie.format(), .dilations = dilation});
}

Output depthwise_conv2d(const Input& x, const Input& kernel, const WindowOptions& o,
                        std::source_location at) {
  const Lying lie(2, o, "depthwise_conv2d");
  return raw::DepthwiseConv2dNative(
      x, kernel, lie.full(o.strides, "strides"), lie.padding,
      {.data_format = lie.format(), .dilations = lie.full(o.dilation, "dilation_rate")}, at);
}

Output separable_conv(const Input& x_in, const Input& depthwise_in, const Input& pointwise_in,
                      const WindowOptions& o, std::source_location at) {
  const MadeAt place(at);
  Output x = tensor(x_in);
  const Output depthwise = tensor(depthwise_in), pointwise = tensor(pointwise_in);
  const Lying lie(depthwise.shape().rank() - 2, o, "separable_conv");
  require(lie.space <= 2, "separable_conv works in one or two dimensions");
  if (o.padding == "causal") x = padded_causally(x, depthwise, o);
  Sizes strides = lie.full(o.strides, "strides");
  const Sizes dilation = lie.full(o.dilation, "dilation_rate");
  if (lie.is_flat()) strides[lie.first_axis()] = strides[lie.first_axis() + 1];  // equal ones only
  const Output depths =
      raw::DepthwiseConv2dNative(lie.widened(x), flat_kernel(lie, depthwise), strides, lie.padding,
                                 {.data_format = lie.format(), .dilations = dilation});
  return lie.narrowed(raw::Conv2D(depths, flat_kernel(lie, pointwise), {1, 1, 1, 1}, "VALID",
                                  {.data_format = lie.format()}));
}

Output pool(const Input& x_in, const std::vector<std::int64_t>& size, const std::string& mode,
            const WindowOptions& o, std::source_location at) {
  const MadeAt place(at);
  const Output x = tensor(x_in);
  require(mode == "max" || mode == "avg", "Invalid pooling mode: ", mode);
  const Lying lie(static_cast<int>(size.size()), o, "pool");
  const Sizes window = lie.full(size, "pool_size"), strides = lie.full(o.strides, "strides");
  if (lie.space == 3)
    return mode == "max"
               ? raw::MaxPool3D(x, window, strides, lie.padding, {.data_format = lie.format()})
               : raw::AvgPool3D(x, window, strides, lie.padding, {.data_format = lie.format()});
  const Output wide = lie.widened(x);
  return lie.narrowed(
      mode == "max"
          ? raw::MaxPool(wide, window, strides, lie.padding, {.data_format = lie.format()})
          : raw::AvgPool(wide, window, strides, lie.padding, {.data_format = lie.format()}));
}

Output bias_add(const Input& x_in, const Input& bias_in, const std::string& data_format,
                std::source_location at) {
  const MadeAt place(at);
  const Output x = tensor(x_in), bias = tensor(bias_in);
  const int rank = x.shape().rank(), bias_rank = bias.shape().rank();
  const bool first = is_channels_first(data_format) && rank > 2;
  if (bias_rank == 1 && (!first || rank == 4))
    return raw::BiasAdd(x, bias, {.data_format = first ? "NCHW" : "NHWC"});
  require(bias_rank == 1 || bias_rank == rank - 1, "Unexpected bias dimensions ", bias_rank,
          ", expect to be 1 or ", rank - 1, " dimensions");
  std::vector<Input> sizes(rank, 1);
  if (bias_rank == 1) {
    sizes[1] = -1;
  } else {
    for (int i = 1; i < rank; ++i) sizes[i] = dim_of(bias, i - 1);
    if (first) {
      sizes[1] = dim_of(bias, bias_rank - 1);
      for (int i = 2; i < rank; ++i) sizes[i] = dim_of(bias, i - 2);
    }
  }
  return x + reshape_to(bias, sizes);
}

}  // namespace rill::keras::backend
