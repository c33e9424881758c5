#pragma once

#include <optional>
#include <string>

#include "rill/api/layers/layer_parts.h"

namespace rill::layers {

struct DenseOptions {
  Activation activation{};
  bool use_bias = true;
  Initializer kernel_initializer{}, bias_initializer{};  // none: Glorot's, zeros
  Regularizer kernel_regularizer{}, bias_regularizer{};
  Activation activity_regularizer{};  // a loss of the output
  ConstraintFunction kernel_constraint{}, bias_constraint{};
  bool trainable = true;
  DType dtype = DType::invalid;  // invalid: the input's
  std::string name{};
  Reuse reuse = Reuse::kUnset;
};

// activation(x * kernel + bias), along the last dimension: [..., n] becomes [..., units].
//
//   layers::Dense hidden(64, {.activation = nn::relu});
//   Output y = hidden(x);
//
// Inputs have two dimensions or more, the last of which is known and always the same; else the call
// throws InvalidArgument. So does a dtype that is no floating-point or complex type; the
// constructor throws it for negative units.
class Dense : public Layer {
 public:
  explicit Dense(std::int64_t units, const DenseOptions& options = {}, LayerUse use = {});
  Dense(std::string class_name, LayerOptions options);  // units and options are filled in later

  void build(const PartialShape& input) override;
  Output call(Output x, const CallArguments& arguments) override;
  PartialShape compute_output_shape(const PartialShape& input) const override;
  void check_settings() const override;

  std::int64_t units = 0;
  DenseOptions options;
  Weight kernel, bias;  // no bias where there is none
};
// Makes a layer for one call; `name` and `reuse` are those of its variable scope.
Output dense(Output inputs, std::int64_t units, const DenseOptions& options = {},
             std::source_location at = std::source_location::current());

struct DropoutOptions {
  Input rate = 0.5;                                         // the share that becomes 0
  std::optional<std::vector<OptionalInput>> noise_shape{};  // none: the input's size
  std::optional<std::int64_t> seed{};
  Input training = false;  // of the function; layers are told with each call
  DType dtype = DType::invalid;
  std::string name{};
};

// While training, elements become 0 at random with probability `rate`; the others are divided by 1
// - rate, so that the expected sum is the same. Not training, x. noise_shape has 1 where elements
// share their fate; an absent entry is the input's size.
//
// The call's `training` decides, false by default; where it is a tensor both forms are in the
// graph. The constructor throws InvalidArgument for a known rate outside of [0, 1].
class Dropout : public Layer {
 public:
  explicit Dropout(const DropoutOptions& options = {}, LayerUse use = {});
  Dropout(std::string class_name, LayerOptions options);

  Output call(Output x, const CallArguments& arguments) override;
  PartialShape compute_output_shape(const PartialShape& input) const override { return input; }
  void check_settings() const override;

  DropoutOptions options;

 private:
  Output dropped(Output x) const;
};
Output dropout(Output inputs, const DropoutOptions& options = {},
               std::source_location at = std::source_location::current());

struct FlattenOptions {
  std::string data_format = "channels_last";
  DType dtype = DType::invalid;
  std::string name{};
};

// All dimensions but the first as one: [n, a, b] becomes [n, a * b], and [n] becomes [n, 1]. With
// "channels_first" the channels go to the end first, so that both formats give the same order.
class Flatten : public Layer {
 public:
  explicit Flatten(const FlattenOptions& options = {}, LayerUse use = {});
  Flatten(std::string class_name, LayerOptions options);

  Output call(Output x, const CallArguments& arguments) override;
  PartialShape compute_output_shape(const PartialShape& input) const override;

  FlattenOptions options;
};
Output flatten(Output inputs, const FlattenOptions& options = {},
               std::source_location at = std::source_location::current());

}  // namespace rill::layers
