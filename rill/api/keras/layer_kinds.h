#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/keras/layers.h"
#include "rill/api/keras/network.h"
#include "rill/api/keras/recurrent_layers.h"
#include "rill/api/layers/layers.h"

// The other layers of tf.keras: those of layers.h are met more often. The settings that only one
// layer has stand before the arguments that they share.
namespace rill::keras::layers {
inline LayerRef Add(const LayerArguments& arguments = {}) { return make("Add", {}, arguments); }
inline LayerRef Subtract(const LayerArguments& arguments = {}) {
  return make("Subtract", {}, arguments);
}
inline LayerRef Multiply(const LayerArguments& arguments = {}) {
  return make("Multiply", {}, arguments);
}
inline LayerRef Average(const LayerArguments& arguments = {}) {
  return make("Average", {}, arguments);
}
inline LayerRef Maximum(const LayerArguments& arguments = {}) {
  return make("Maximum", {}, arguments);
}
inline LayerRef Minimum(const LayerArguments& arguments = {}) {
  return make("Minimum", {}, arguments);
}
inline LayerRef Attention(const LayerArguments& arguments = {}) {
  return make("Attention", {}, arguments);
}
inline LayerRef AdditiveAttention(const LayerArguments& arguments = {}) {
  return make("AdditiveAttention", {}, arguments);
}
inline LayerRef GlobalAveragePooling1D(const LayerArguments& arguments = {}) {
  return make("GlobalAveragePooling1D", {}, arguments);
}
inline LayerRef GlobalAveragePooling3D(const LayerArguments& arguments = {}) {
  return make("GlobalAveragePooling3D", {}, arguments);
}
inline LayerRef GlobalMaxPooling1D(const LayerArguments& arguments = {}) {
  return make("GlobalMaxPooling1D", {}, arguments);
}
inline LayerRef GlobalMaxPooling3D(const LayerArguments& arguments = {}) {
  return make("GlobalMaxPooling3D", {}, arguments);
}
inline LayerRef Concatenate(int axis = -1, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.axis = axis;
  return make("Concatenate", s, arguments);
}
// axes: one for both inputs, or one for each. normalize: the cosine.
inline LayerRef Dot(std::vector<std::int64_t> axes, bool normalize = false,
                    const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.axes = std::move(axes);
  s.normalize = normalize;
  return make("Dot", s, arguments);
}
inline LayerRef Masking(double mask_value = 0.0, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.mask_value = mask_value;
  return make("Masking", s, arguments);
}
// The input; its size becomes a loss.
LayerRef ActivityRegularization(double l1 = 0.0, double l2 = 0.0, LayerArguments arguments = {});
inline LayerRef SpatialDropout1D(double rate, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.rate = rate;
  return make("SpatialDropout1D", s, arguments);
}
inline LayerRef SpatialDropout2D(double rate, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.rate = rate;
  return make("SpatialDropout2D", s, arguments);
}
inline LayerRef SpatialDropout3D(double rate, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.rate = rate;
  return make("SpatialDropout3D", s, arguments);
}
inline LayerRef GaussianDropout(double rate, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.rate = rate;
  return make("GaussianDropout", s, arguments);
}
inline LayerRef AlphaDropout(double rate, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.rate = rate;
  return make("AlphaDropout", s, arguments);
}
inline LayerRef GaussianNoise(double stddev, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.stddev = stddev;
  return make("GaussianNoise", s, arguments);
}
inline LayerRef LeakyReLU(double alpha = 0.3, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.alpha = alpha;
  return make("LeakyReLU", s, arguments);
}
inline LayerRef ELU(double alpha = 1.0, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.alpha = alpha;
  return make("ELU", s, arguments);
}
inline LayerRef ThresholdedReLU(double theta = 1.0, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.theta = theta;
  return make("ThresholdedReLU", s, arguments);
}
inline LayerRef Softmax(int axis = -1, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.axis = axis;
  return make("Softmax", s, arguments);
}
struct ReLUOptions {
  std::optional<double> max_value{};
  double negative_slope = 0, threshold = 0;
};
inline LayerRef ReLU(const ReLUOptions& options = {}, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.max_value = options.max_value;
  s.negative_slope = options.negative_slope;
  s.threshold = options.threshold;
  return make("ReLU", s, arguments);
}
struct PReLUOptions {
  Initializer alpha_initializer{};  // none: zeros
  Regularizer alpha_regularizer{};
  std::vector<std::int64_t> shared_axes{};
};
inline LayerRef PReLU(const PReLUOptions& options = {}, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.alpha_weight = {.initializer = options.alpha_initializer,
                    .regularizer = options.alpha_regularizer,
                    .constraint = {}};
  s.shared_axes = options.shared_axes;
  return make("PReLU", s, arguments);
}
inline LayerRef ZeroPadding1D(backend::Margins padding, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.margins = std::move(padding);
  return make("ZeroPadding1D", s, arguments);
}
inline LayerRef ZeroPadding3D(backend::Margins padding, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.margins = std::move(padding);
  return make("ZeroPadding3D", s, arguments);
}
inline LayerRef Cropping1D(backend::Margins cropping, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.margins = std::move(cropping);
  return make("Cropping1D", s, arguments);
}
inline LayerRef Cropping3D(backend::Margins cropping, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.margins = std::move(cropping);
  return make("Cropping3D", s, arguments);
}
inline LayerRef UpSampling1D(std::int64_t size = 2, const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.size = {size};
  return make("UpSampling1D", s, arguments);
}
inline LayerRef UpSampling3D(std::vector<std::int64_t> size = {2, 2, 2},
                             const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.size = std::move(size);
  return make("UpSampling3D", s, arguments);
}
inline LayerRef LocallyConnected1D(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                                   const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.filters = filters;
  s.kernel_size = std::move(kernel_size);
  return make("LocallyConnected1D", s, arguments);
}
inline LayerRef LocallyConnected2D(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                                   const LayerArguments& arguments = {}) {
  LayerSettings s;
  s.filters = filters;
  s.kernel_size = std::move(kernel_size);
  return make("LocallyConnected2D", s, arguments);
}
LayerRef MaxPooling3D(std::vector<std::int64_t> size = {2, 2, 2},
                      const LayerArguments& arguments = {});
LayerRef AveragePooling3D(std::vector<std::int64_t> size = {2, 2, 2},
                          const LayerArguments& arguments = {});
LayerRef Conv2DTranspose(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                         const LayerArguments& arguments = {});
LayerRef Conv3DTranspose(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                         const LayerArguments& arguments = {});
LayerRef SeparableConv1D(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                         const LayerArguments& arguments = {});
LayerRef SeparableConv2D(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                         const LayerArguments& arguments = {});
// Convolutions in place of an LSTM's products: (examples, steps, rows, columns, channels).
LayerRef ConvLSTM2D(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                    const LayerArguments& arguments = {});
// Cells step by step: what RNN() takes. Their weights are those of the layer.
using CellRef = std::shared_ptr<Cell>;
CellRef make_cell(const std::string& class_name, std::int64_t units,
                  const LayerArguments& arguments = {});
// Any cell, stepping through the second dimension of its input.
LayerRef RNN(const CellRef& cell, const LayerArguments& arguments = {});
// cuDNN's forms, which are computed like the plain ones here.
inline LayerRef CuDNNLSTM(std::int64_t units, const LayerArguments& arguments = {}) {
  return LSTM(units, arguments);
}
LayerRef CuDNNGRU(std::int64_t units, LayerArguments arguments = {});
// The layer that `make_layer` makes, once forwards and once backwards: it is called twice, and told
// which way.
struct BidirectionalOptions {
  std::string merge_mode = "concat";
  std::string name{};
};
LayerRef Bidirectional(const std::function<LayerRef(const LayerArguments&)>& make_layer,
                       LayerArguments arguments = {}, const BidirectionalOptions& options = {});
inline LayerRef Convolution1D(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                              const LayerArguments& arguments = {}) {
  return Conv1D(filters, std::move(kernel_size), arguments);
}
inline LayerRef Convolution2D(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                              const LayerArguments& arguments = {}) {
  return Conv2D(filters, std::move(kernel_size), arguments);
}
inline LayerRef Convolution3D(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                              const LayerArguments& arguments = {}) {
  return Conv3D(filters, std::move(kernel_size), arguments);
}
inline LayerRef Convolution2DTranspose(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                                       const LayerArguments& arguments = {}) {
  return Conv2DTranspose(filters, std::move(kernel_size), arguments);
}
inline LayerRef Convolution3DTranspose(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                                       const LayerArguments& arguments = {}) {
  return Conv3DTranspose(filters, std::move(kernel_size), arguments);
}
inline LayerRef SeparableConvolution1D(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                                       const LayerArguments& arguments = {}) {
  return SeparableConv1D(filters, std::move(kernel_size), arguments);
}
inline LayerRef SeparableConvolution2D(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                                       const LayerArguments& arguments = {}) {
  return SeparableConv2D(filters, std::move(kernel_size), arguments);
}
inline LayerRef MaxPool1D(std::vector<std::int64_t> size = {2},
                          const LayerArguments& arguments = {}) {
  return MaxPooling1D(std::move(size), arguments);
}
inline LayerRef GlobalMaxPool1D(const LayerArguments& arguments = {}) {
  return GlobalMaxPooling1D(arguments);
}
inline LayerRef MaxPool2D(std::vector<std::int64_t> size = {2, 2},
                          const LayerArguments& arguments = {}) {
  return MaxPooling2D(std::move(size), arguments);
}
inline LayerRef GlobalMaxPool2D(const LayerArguments& arguments = {}) {
  return GlobalMaxPooling2D(arguments);
}
inline LayerRef MaxPool3D(std::vector<std::int64_t> size = {2, 2, 2},
                          const LayerArguments& arguments = {}) {
  return MaxPooling3D(std::move(size), arguments);
}
inline LayerRef GlobalMaxPool3D(const LayerArguments& arguments = {}) {
  return GlobalMaxPooling3D(arguments);
}
inline LayerRef AvgPool1D(std::vector<std::int64_t> size = {2},
                          const LayerArguments& arguments = {}) {
  return AveragePooling1D(std::move(size), arguments);
}
inline LayerRef GlobalAvgPool1D(const LayerArguments& arguments = {}) {
  return GlobalAveragePooling1D(arguments);
}
inline LayerRef AvgPool2D(std::vector<std::int64_t> size = {2, 2},
                          const LayerArguments& arguments = {}) {
  return AveragePooling2D(std::move(size), arguments);
}
inline LayerRef GlobalAvgPool2D(const LayerArguments& arguments = {}) {
  return GlobalAveragePooling2D(arguments);
}
inline LayerRef AvgPool3D(std::vector<std::int64_t> size = {2, 2, 2},
                          const LayerArguments& arguments = {}) {
  return AveragePooling3D(std::move(size), arguments);
}
inline LayerRef GlobalAvgPool3D(const LayerArguments& arguments = {}) {
  return GlobalAveragePooling3D(arguments);
}
// Make a layer for one call.
inline Output subtract(const std::vector<Output>& inputs) { return Subtract()(inputs); }
inline Output average(const std::vector<Output>& inputs) { return Average()(inputs); }
inline Output maximum(const std::vector<Output>& inputs) { return Maximum()(inputs); }
inline Output minimum(const std::vector<Output>& inputs) { return Minimum()(inputs); }
inline Output dot(const std::vector<Output>& inputs, std::vector<std::int64_t> axes,
                  bool normalize = false) {
  return Dot(std::move(axes), normalize)(inputs);
}
using ::rill::keras::InputLayer;
using ::rill::layers::InputSpec;
using ::rill::layers::Layer;
// The layer of a class, by name.
inline LayerRef deserialize(const std::string& class_name, const LayerSettings& settings = {},
                            const LayerArguments& arguments = {}) {
  return make(class_name, settings, arguments);
}
}  // namespace rill::keras::layers
