#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/layers/activation.h"
#include "rill/api/layers/layer.h"
#include "rill/api/nn/window_sizes.h"

namespace rill::layers {

// What the layers of this folder are made of.

// How a layer is used: by which style, and whether it is made for one call of a function, whose
// name is the variable scope's.
struct LayerUse {
  Style style = Style::kScoped;
  bool one_call = false;
  ScopeChoice scope{};  // opened at once
  bool collects_updates = true;
};

// What the options of every layer say to its base. With `one_call` and a name, the name is that of
// the variable scope and not made unique, so that reuse can find it.
template <class Options>
LayerOptions base_options(const Options& o, LayerUse use) {
  LayerOptions base;
  base.name = o.name;
  base.style = use.style;
  base.dtype = o.dtype;
  if constexpr (requires { o.trainable; }) base.trainable = o.trainable;
  if constexpr (requires { o.activity_regularizer; })
    base.activity_regularizer = o.activity_regularizer.function();
  if constexpr (requires { o.reuse; }) base.reuse = o.reuse;
  if constexpr (requires { o.reuse; })
    if (use.one_call && !o.name.empty()) base.scope = o.name;
  if (use.scope) base.scope = use.scope;
  base.collects_updates = use.collects_updates;
  return base;
}

// What is said of one weight.
struct WeightSettings {
  Initializer initializer{};
  Regularizer regularizer{};
  ConstraintFunction constraint{};
  WeightOptions options(DType dtype) const {
    return {.dtype = dtype,
            .initializer = initializer,
            .regularizer = regularizer,
            .trainable = true,
            .constraint = constraint};
  }
};

// `sizes` for each of `count` dimensions of space. Throws InvalidArgument, naming `what`, when
// there are others, or one is below `least`.
std::vector<std::int64_t> checked_sizes(const nn::Sizes& sizes, std::size_t count,
                                        const std::string& what, std::int64_t least = 1);
// In lower case; throws InvalidArgument when there is no such padding or format.
std::string checked_padding(const std::string& padding);
std::string checked_data_format(const std::string& data_format);
// "NHWC", "NCHW", "NWC", ...: as ops name the layout of `rank` dimensions of space.
std::string op_data_format(bool channels_first, int rank);
std::string upper_case(std::string text);

// How many windows of `size` elements, each `dilation` apart, fit: with "valid" (length - dilation
// * (size - 1)) / stride, else length / stride, both rounded up. -1 for an unknown length. Throws
// InvalidArgument for a stride below 1.
std::int64_t window_output_length(std::int64_t length, std::int64_t size,
                                  const std::string& padding, std::int64_t stride,
                                  std::int64_t dilation = 1);

// The size of dimension `axis` (negative: from the end). Throws InvalidArgument where it is
// unknown, since weights cannot be made then.
std::int64_t known_channels(const PartialShape& shape, int axis);

// Axes or sizes, -1 among them, as ops take them.
Input axes_input(const std::vector<std::int64_t>& axes);
// Moves the channels behind, or in front of, the dimensions of space.
Output channels_to_last(Output x);
Output channels_to_first(Output x);

// Plain variables as such, so that the op reads them itself; parts of one are joined first.
nn::Filter filter_of(const Weight& weight);

}  // namespace rill::layers
