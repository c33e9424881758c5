#pragma once

#include <string>

#include "rill/api/layers/layer_parts.h"

namespace rill::layers {

// "same" pads so that the output has length / stride elements, rounded up; what is padded counts
// neither for the maximum nor in the mean.
struct PoolingOptions {
  std::string padding = "valid";  // or "same"
  std::string data_format = "channels_last";
  DType dtype = DType::invalid;
  std::string name{};
};

// The largest element, or the mean, of each window over one, two or three dimensions of space; no
// variables. Sizes and strides are numbers for all dimensions or lists with one for each.
//
//   Output half = layers::max_pooling2d(image, 2, 2);
//
// Constructors throw InvalidArgument for sizes below 1, negative strides, unknown paddings or
// formats; the call for inputs that do not have rank + 2 dimensions.
class Pooling : public Layer {
 public:
  enum class Kind { kMax, kAverage };

  Pooling(Kind kind, int rank, const nn::Sizes& sizes, const nn::Sizes& steps,
          const PoolingOptions& options, LayerUse use, std::string class_name);
  Pooling(Kind kind, int rank, std::string class_name, LayerOptions options);

  Output call(Output x, const CallArguments& arguments) override;
  PartialShape compute_output_shape(const PartialShape& input) const override;

  Kind kind;
  int rank;
  std::vector<std::int64_t> pool_size, strides;
  PoolingOptions options;

 private:
  Output pooled(Output x, std::vector<std::int64_t> sizes, std::vector<std::int64_t> steps,
                bool channels_first) const;
};

template <Pooling::Kind kKind, int kRank>
class PoolingOf : public Pooling {
 public:
  PoolingOf(const nn::Sizes& sizes, const nn::Sizes& steps, const PoolingOptions& given = {},
            LayerUse use = {})
      : Pooling(kKind, kRank, sizes, steps, given, use,
                (kKind == Kind::kMax ? "MaxPooling" : "AveragePooling") + std::to_string(kRank) +
                    "D") {}
  PoolingOf(std::string class_name, LayerOptions base)
      : Pooling(kKind, kRank, std::move(class_name), std::move(base)) {}
};
using MaxPooling1D = PoolingOf<Pooling::Kind::kMax, 1>;
using MaxPooling2D = PoolingOf<Pooling::Kind::kMax, 2>;
using MaxPooling3D = PoolingOf<Pooling::Kind::kMax, 3>;
using AveragePooling1D = PoolingOf<Pooling::Kind::kAverage, 1>;
using AveragePooling2D = PoolingOf<Pooling::Kind::kAverage, 2>;
using AveragePooling3D = PoolingOf<Pooling::Kind::kAverage, 3>;

// Makes a layer for one call, which the functions below do.
template <class PoolingLayer>
Output pool_once(Output inputs, const nn::Sizes& pool_size, const nn::Sizes& strides,
                 const PoolingOptions& options, std::source_location at) {
  return PoolingLayer(pool_size, strides, options, {.one_call = true})(inputs, {}, at);
}
inline Output max_pooling1d(Output inputs, const nn::Sizes& pool_size, const nn::Sizes& strides,
                            const PoolingOptions& options = {},
                            std::source_location at = std::source_location::current()) {
  return pool_once<MaxPooling1D>(inputs, pool_size, strides, options, at);
}
inline Output max_pooling2d(Output inputs, const nn::Sizes& pool_size, const nn::Sizes& strides,
                            const PoolingOptions& options = {},
                            std::source_location at = std::source_location::current()) {
  return pool_once<MaxPooling2D>(inputs, pool_size, strides, options, at);
}
inline Output max_pooling3d(Output inputs, const nn::Sizes& pool_size, const nn::Sizes& strides,
                            const PoolingOptions& options = {},
                            std::source_location at = std::source_location::current()) {
  return pool_once<MaxPooling3D>(inputs, pool_size, strides, options, at);
}
inline Output average_pooling1d(Output inputs, const nn::Sizes& pool_size, const nn::Sizes& strides,
                                const PoolingOptions& options = {},
                                std::source_location at = std::source_location::current()) {
  return pool_once<AveragePooling1D>(inputs, pool_size, strides, options, at);
}
inline Output average_pooling2d(Output inputs, const nn::Sizes& pool_size, const nn::Sizes& strides,
                                const PoolingOptions& options = {},
                                std::source_location at = std::source_location::current()) {
  return pool_once<AveragePooling2D>(inputs, pool_size, strides, options, at);
}
inline Output average_pooling3d(Output inputs, const nn::Sizes& pool_size, const nn::Sizes& strides,
                                const PoolingOptions& options = {},
                                std::source_location at = std::source_location::current()) {
  return pool_once<AveragePooling3D>(inputs, pool_size, strides, options, at);
}

}  // namespace rill::layers
