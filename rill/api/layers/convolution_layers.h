#pragma once

#include <string>

#include "rill/api/layers/layer_parts.h"

namespace rill::layers {

// Convolutions over one, two or three dimensions of space. Inputs are [batch, space..., channels],
// or [batch, channels, space...] with "channels_first".
//
//   layers::Conv2D conv(32, 3, {.padding = "same", .activation = nn::relu});
//   Output a = conv(image), b = conv(other_image);   // the same kernel
//   Output c = layers::conv2d(image, 32, {5, 3});    // a layer for this call
//
// A size is a number for all dimensions or a list with one for each. Constructors throw
// InvalidArgument for other counts, sizes below 1, filters below 1, unknown paddings or formats,
// and strides together with dilation. The first call throws it when the number of channels is
// unknown.

// "valid" takes windows inside of the input only; "same" pads with zeros so that the output has
// length / stride elements, rounded up; "causal" pads in front alone, so that no element sees later
// ones.
struct ConvOptions {
  nn::Sizes strides = 1;
  std::string padding = "valid";  // or "same"; over one dimension "causal", too
  std::string data_format = "channels_last";
  nn::Sizes dilation_rate = 1;
  Activation activation{};
  bool use_bias = true;
  Initializer kernel_initializer{}, bias_initializer{};  // none: Glorot's, zeros
  Regularizer kernel_regularizer{}, bias_regularizer{};
  Activation activity_regularizer{};
  ConstraintFunction kernel_constraint{}, bias_constraint{};
  bool trainable = true;
  DType dtype = DType::invalid;
  std::string name{};
  Reuse reuse = Reuse::kUnset;
};

// The kernel has the shape [sizes..., channels, filters], the bias [filters].
class Conv : public Layer {
 public:
  Conv(int rank, std::int64_t filter_count, const nn::Sizes& sizes, const ConvOptions& options,
       LayerUse use, std::string class_name);
  // For faces that fill in sizes and options later, before the first call; they call
  // check_settings().
  Conv(int rank, std::string class_name, LayerOptions options);

  void build(const PartialShape& input) override;
  Output call(Output x, const CallArguments& arguments) override;
  PartialShape compute_output_shape(const PartialShape& input) const override;
  void check_settings() const override;

  int rank;
  std::int64_t filters = 0;
  std::vector<std::int64_t> kernel_size, strides, dilation_rate;
  // `options.strides` and `.dilation_rate` are not looked at after the constructor.
  ConvOptions options;  // strides and dilation rate above are these
  Weight kernel, bias;

 protected:
  // For subclasses.
  bool channels_first() const { return options.data_format == "channels_first"; }
  int channel_axis() const { return channels_first() ? -1 - rank : -1; }
  void add_bias();
  Output with_bias(Output y) const;
  // x with dilation * (size - 1) zeros in front, where the padding is "causal".
  Output causally_padded(Output x) const;
  std::string op_padding() const;
  // Sizes of space with 1 for batch and channels, as ops take strides.
  std::vector<std::int64_t> of_all_dimensions(const std::vector<std::int64_t>& sizes) const;
};

// Named "Conv1D" and so on, which is also what names of layers are made of.
template <int kRank>
class ConvOfRank : public Conv {
 public:
  ConvOfRank(std::int64_t filter_count, const nn::Sizes& sizes, const ConvOptions& given = {},
             LayerUse use = {})
      : Conv(kRank, filter_count, sizes, given, use, "Conv" + std::to_string(kRank) + "D") {}
  ConvOfRank(std::string class_name, LayerOptions base)
      : Conv(kRank, std::move(class_name), std::move(base)) {}
};
using Conv1D = ConvOfRank<1>;
using Conv2D = ConvOfRank<2>;
using Conv3D = ConvOfRank<3>;

// Make a layer for one call. Names, variable scopes and `reuse` are those of tf.layers: with a name
// and reuse, later calls share the variables.
Output conv1d(Output inputs, std::int64_t filters, const nn::Sizes& kernel_size,
              const ConvOptions& options = {},
              std::source_location at = std::source_location::current());
Output conv2d(Output inputs, std::int64_t filters, const nn::Sizes& kernel_size,
              const ConvOptions& options = {},
              std::source_location at = std::source_location::current());
Output conv3d(Output inputs, std::int64_t filters, const nn::Sizes& kernel_size,
              const ConvOptions& options = {},
              std::source_location at = std::source_location::current());

// The transposes of convolutions, also called deconvolutions: from the size of what comes out to
// that of what goes in. The length is length * stride with "same", and length * stride + max(size -
// stride, 0) with "valid". The kernel is [sizes..., filters, channels].
class ConvTranspose : public Conv {
 public:
  using Conv::Conv;
  void build(const PartialShape& input) override;
  Output call(Output x, const CallArguments& arguments) override;
  PartialShape compute_output_shape(const PartialShape& input) const override;

  std::vector<std::int64_t> output_padding;  // none: as small as it can be

 private:
  std::int64_t output_length(std::int64_t length, std::size_t dimension) const;
  Output output_length(Output length, std::size_t dimension) const;
  std::int64_t added_length(std::size_t dimension) const;
  Output output_shape(Output x) const;
  Output transposed(Output x) const;
};

template <int kRank>
class ConvTransposeOfRank : public ConvTranspose {
 public:
  ConvTransposeOfRank(std::int64_t filter_count, const nn::Sizes& sizes,
                      const ConvOptions& given = {}, LayerUse use = {})
      : ConvTranspose(kRank, filter_count, sizes, given, use,
                      "Conv" + std::to_string(kRank) + "DTranspose") {}
  ConvTransposeOfRank(std::string class_name, LayerOptions base)
      : ConvTranspose(kRank, std::move(class_name), std::move(base)) {}
};
using Conv2DTranspose = ConvTransposeOfRank<2>;
using Conv3DTranspose = ConvTransposeOfRank<3>;

Output conv2d_transpose(Output inputs, std::int64_t filters, const nn::Sizes& kernel_size,
                        const ConvOptions& options = {},
                        std::source_location at = std::source_location::current());
Output conv3d_transpose(Output inputs, std::int64_t filters, const nn::Sizes& kernel_size,
                        const ConvOptions& options = {},
                        std::source_location at = std::source_location::current());

// As ConvOptions, with a depthwise and a pointwise kernel in place of the one.
struct SeparableConvOptions {
  nn::Sizes strides = 1;
  std::string padding = "valid";
  std::string data_format = "channels_last";
  nn::Sizes dilation_rate = 1;
  std::int64_t depth_multiplier = 1;  // how many channels each one becomes before they are mixed
  Activation activation{};
  bool use_bias = true;
  Initializer depthwise_initializer{}, pointwise_initializer{}, bias_initializer{};
  Regularizer depthwise_regularizer{}, pointwise_regularizer{}, bias_regularizer{};
  Activation activity_regularizer{};
  ConstraintFunction depthwise_constraint{}, pointwise_constraint{}, bias_constraint{};
  bool trainable = true;
  DType dtype = DType::invalid;
  std::string name{};
  Reuse reuse = Reuse::kUnset;
};

// Each channel by itself, with depth_multiplier filters of its own, then a mixing of channels:
// fewer weights than Conv's, sizes * channels * multiplier + channels * multiplier * filters. Over
// sequences it runs as an image of height 1, since the ops know images only.
class SeparableConv : public Conv {
 public:
  SeparableConv(int rank, std::int64_t filter_count, const nn::Sizes& sizes,
                const SeparableConvOptions& options, LayerUse use, std::string class_name);
  using Conv::Conv;

  void build(const PartialShape& input) override;
  Output call(Output x, const CallArguments& arguments) override;

  std::int64_t depth_multiplier = 1;
  WeightSettings depthwise, pointwise;
  Weight depthwise_kernel, pointwise_kernel;

 private:
  Output call_flat(Output x);
};

template <int kRank>
class SeparableConvOfRank : public SeparableConv {
 public:
  SeparableConvOfRank(std::int64_t filter_count, const nn::Sizes& sizes,
                      const SeparableConvOptions& given = {}, LayerUse use = {})
      : SeparableConv(kRank, filter_count, sizes, given, use,
                      "SeparableConv" + std::to_string(kRank) + "D") {}
  SeparableConvOfRank(std::string class_name, LayerOptions base)
      : SeparableConv(kRank, std::move(class_name), std::move(base)) {}
};
using SeparableConv1D = SeparableConvOfRank<1>;
using SeparableConv2D = SeparableConvOfRank<2>;

Output separable_conv1d(Output inputs, std::int64_t filters, const nn::Sizes& kernel_size,
                        const SeparableConvOptions& options = {},
                        std::source_location at = std::source_location::current());
Output separable_conv2d(Output inputs, std::int64_t filters, const nn::Sizes& kernel_size,
                        const SeparableConvOptions& options = {},
                        std::source_location at = std::source_location::current());

}  // namespace rill::layers
