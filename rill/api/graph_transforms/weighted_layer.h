#pragma once

#include <optional>
#include <vector>

#include "rill/api/graph_transforms/graph_editor.h"

namespace rill::graph_transforms {

// A convolution or product with constant weights, perhaps with a constant added to it, whose result
// nothing else reads: what a scaling behind it can be made part of.
struct WeightedLayer {
  tensorflow::NodeDef* op = nullptr;        // Conv2D, Conv3D, DepthwiseConv2dNative, MatMul
  tensorflow::NodeDef* addition = nullptr;  // nullptr: nothing is added
  Tensor weights = {};
  std::int64_t channels = 0;      // of the result
  std::vector<double> bias = {};  // one for each channel where something is added
  std::string data_format = {};   // "" for MatMul: channels come last

  // Which dimension of the result, counted from its end, the channels are.
  int channel_axis_from_end() const;
  // The weights with every channel multiplied.
  Tensor scaled_weights(const std::vector<double>& scale) const;
};

// The layer that gives the tensor `input`; nothing when there is none such.
std::optional<WeightedLayer> find_layer(const GraphEditor& editor, const std::string& input);

// A constant as one number for each channel of a layer's result; nothing when it is not that.
std::optional<std::vector<double>> per_channel(const Tensor& value, const WeightedLayer& layer);
// A vector of that many floating-point numbers, of whatever type.
std::optional<std::vector<double>> as_vector(const std::optional<Tensor>& value,
                                             std::int64_t count);
Tensor vector_of(DType dtype, const std::vector<double>& values);

}  // namespace rill::graph_transforms
