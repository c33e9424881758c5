#pragma once

#include "rill/api/keras/keras_layer.h"

namespace rill::keras::layers {

using rill::layers::CallArguments;
using rill::layers::LayerOptions;
using rill::layers::Weight;

// Each is described by TensorFlow's class of the same name.

class ActivationLayer : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override {
    return s.activation ? (*s.activation)(x) : x;
  }
};
class ReshapeLayer : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  Output call(Output x, const CallArguments&) override;
  PartialShape compute_output_shape(const PartialShape& input) const override;
};
class PermuteLayer : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  Output call(Output x, const CallArguments&) override;
  PartialShape compute_output_shape(const PartialShape& input) const override;
};
class RepeatVectorLayer : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  Output call(Output x, const CallArguments&) override { return backend::repeat(x, s.n); }
  PartialShape compute_output_shape(const PartialShape& input) const override {
    need_rank(input, 2);
    return {input.dim(0), s.n, input.dim(1)};
  }
};
class Masking : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override;
  std::vector<Output> compute_masks(const std::vector<Output>& inputs,
                                    const std::vector<Output>& masks) override;
};
class ActivityRegularization : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override { return x; }
};
// Drops whole channels.
class SpatialDropout : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments& arguments) override;
};
class GaussianNoise : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments& arguments) override;
};
class GaussianDropout : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments& arguments) override;
};
class AlphaDropout : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments& arguments) override;
};

class LeakyReLU : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override {
    return activations::relu(x, {.alpha = s.alpha});
  }
};
class PReLU : public SameShape {
 public:
  using SameShape::SameShape;
  void build(const PartialShape& input) override;
  Output call(Output x, const CallArguments&) override;
  Weight alpha;
};
class ELU : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override { return activations::elu(x, s.alpha); }
};
class ThresholdedReLU : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override;
};
class Softmax : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override { return activations::softmax(x, s.axis); }
};
class ReLU : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override {
    return activations::relu(
        x, {.alpha = s.negative_slope, .max_value = s.max_value, .threshold = s.threshold});
  }
};
class LayerNormalizationLayer : public SameShape {
 public:
  using SameShape::SameShape;
  void build(const PartialShape& input) override;
  Output call(Output x, const CallArguments&) override;
  Weight gamma, beta;

 private:
  std::vector<std::int64_t> axes_in(int rank) const;
};

class EmbeddingLayer : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  void build(const PartialShape& input) override;
  Output call(Output x, const CallArguments&) override;
  PartialShape compute_output_shape(const PartialShape& input) const override;
  std::vector<Output> compute_masks(const std::vector<Output>& inputs,
                                    const std::vector<Output>& masks) override;
  Weight embeddings;
};

// --- of space ------------------------------------------------------------------------------------

class ZeroPadding : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  Output call(Output x, const CallArguments&) override {
    return backend::spatial_padding(x, s.margins, s.data_format);
  }
  PartialShape compute_output_shape(const PartialShape& input) const override;
};
class Cropping : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  Output call(Output x, const CallArguments&) override {
    return backend::spatial_cropping(x, s.margins, s.data_format);
  }
  PartialShape compute_output_shape(const PartialShape& input) const override;
};
class UpSampling : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  Output call(Output x, const CallArguments&) override {
    return backend::upsample(x, s.size, s.data_format, s.interpolation);
  }
  PartialShape compute_output_shape(const PartialShape& input) const override;
};
// The mean, or the largest, of each channel.
class GlobalAveragePooling : public KerasLayer {
 public:
  GlobalAveragePooling(std::string class_name, LayerOptions options);
  Output call(Output x, const CallArguments& arguments) override;
  PartialShape compute_output_shape(const PartialShape& input) const override;
  std::vector<Output> compute_masks(const std::vector<Output>&,
                                    const std::vector<Output>&) override {
    return {};
  }
};
class GlobalMaxPooling : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  Output call(Output x, const CallArguments&) override;
  PartialShape compute_output_shape(const PartialShape& input) const override;
};
class DepthwiseConv2DLayer : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  void build(const PartialShape& input) override;
  Output call(Output x, const CallArguments&) override;
  Weight depthwise_kernel, bias;
};
class LocallyConnected : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  void build(const PartialShape& input) override;
  Output call(Output x, const CallArguments&) override;
  Weight kernel, bias;

 private:
  std::vector<std::int64_t> output_size_;
};

// --- of several inputs ---------------------------------------------------------------------------

class Merge : public KerasLayer {
 public:
  Merge(std::string class_name, LayerOptions options);
  std::vector<Output> call_all(const std::vector<Output>& inputs, const CallArguments&) override;
  std::vector<Output> compute_masks(const std::vector<Output>& inputs,
                                    const std::vector<Output>& masks) override;

 protected:
  virtual Output merged(const std::vector<Output>& inputs) = 0;
  virtual bool broadcasts() const { return true; }
};
class Add : public Merge {
 public:
  using Merge::Merge;

 protected:
  Output merged(const std::vector<Output>& inputs) override;
};
class Subtract : public Merge {
 public:
  using Merge::Merge;

 protected:
  Output merged(const std::vector<Output>& inputs) override;
};
class Multiply : public Merge {
 public:
  using Merge::Merge;

 protected:
  Output merged(const std::vector<Output>& inputs) override;
};
class Average : public Merge {
 public:
  using Merge::Merge;

 protected:
  Output merged(const std::vector<Output>& inputs) override;
};
class Maximum : public Merge {
 public:
  using Merge::Merge;

 protected:
  Output merged(const std::vector<Output>& inputs) override;
};
class Minimum : public Merge {
 public:
  using Merge::Merge;

 protected:
  Output merged(const std::vector<Output>& inputs) override;
};
class Concatenate : public Merge {
 public:
  using Merge::Merge;
  std::vector<Output> compute_masks(const std::vector<Output>& inputs,
                                    const std::vector<Output>& masks) override;

 protected:
  Output merged(const std::vector<Output>& inputs) override;
  bool broadcasts() const override { return false; }
};
class Dot : public Merge {
 public:
  using Merge::Merge;
  std::vector<Output> compute_masks(const std::vector<Output>&,
                                    const std::vector<Output>&) override {
    return {};
  }

 protected:
  Output merged(const std::vector<Output>& inputs) override;
  bool broadcasts() const override { return false; }
};

// What is looked for, where, and what stands there: (query, value, key); masks of query and value.
class Attention : public KerasLayer {
 public:
  Attention(std::string class_name, LayerOptions options);
  void build_all(const std::vector<PartialShape>& inputs) override;
  std::vector<Output> call_all(const std::vector<Output>& inputs,
                               const CallArguments& arguments) override;
  std::vector<Output> compute_masks(const std::vector<Output>& inputs,
                                    const std::vector<Output>& masks) override;
  Weight scale;

 protected:
  virtual Output scores(Output query, Output key);
};
class AdditiveAttention : public Attention {
 public:
  using Attention::Attention;
  void build_all(const std::vector<PartialShape>& inputs) override;

 protected:
  Output scores(Output query, Output key) override;
};

}  // namespace rill::keras::layers
