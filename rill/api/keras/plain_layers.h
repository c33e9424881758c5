#pragma once

#include "rill/api/keras/keras_layer.h"

namespace rill::keras::layers {

using rill::layers::CallArguments;
using rill::layers::LayerOptions;
using rill::layers::Weight;

// The layers of tf.keras that read LayerSettings; layers::make() and Python make them by name.
// The main settings of each stand in brackets. Throw InvalidArgument from the call where shapes
// do not fit. Layers that drop or add noise do so while training alone.

// [activation]
class ActivationLayer : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override {
    return s.activation ? (*s.activation)(x) : x;
  }
};
// [target_shape] of one example; one size may be -1. Throws where the number of elements would
// change.
class ReshapeLayer : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  Output call(Output x, const CallArguments&) override;
  PartialShape compute_output_shape(const PartialShape& input) const override;
};
// [dims], counted from 1: the examples stay first.
class PermuteLayer : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  Output call(Output x, const CallArguments&) override;
  PartialShape compute_output_shape(const PartialShape& input) const override;
};
// [n] (examples, k) becomes (examples, n, k).
class RepeatVectorLayer : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  Output call(Output x, const CallArguments&) override { return backend::repeat(x, s.n); }
  PartialShape compute_output_shape(const PartialShape& input) const override {
    need_rank(input, 2);
    return {input.dim(0), s.n, input.dim(1)};
  }
};
// [mask_value] Steps whose values are all that one are masked, and set to 0.
class Masking : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override;
  std::vector<Output> compute_masks(const std::vector<Output>& inputs,
                                    const std::vector<Output>& masks) override;
};
// [l1, l2] The input; its size becomes a loss, by the layer's activity regularizer.
class ActivityRegularization : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override { return x; }
};
// [rate] Drops whole channels, where neighbours along space are too alike for dropout of elements.
class SpatialDropout : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments& arguments) override;
};
// [stddev] x + noise of mean 0.
class GaussianNoise : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments& arguments) override;
};
// [rate] x times noise of mean 1 and stddev sqrt(rate / (1 - rate)).
class GaussianDropout : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments& arguments) override;
};
// [rate, noise_shape, seed] Dropout for selu: what is dropped becomes selu's lower bound, and a
// line through all values keeps mean and variance.
class AlphaDropout : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments& arguments) override;
};

// [alpha] alpha * x below 0.
class LeakyReLU : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override {
    return activations::relu(x, {.alpha = s.alpha});
  }
};
// [shared_axes, alpha_weight] alpha * x below 0, alpha learnt for each element or shared along
// axes.
class PReLU : public SameShape {
 public:
  using SameShape::SameShape;
  void build(const PartialShape& input) override;
  Output call(Output x, const CallArguments&) override;
  Weight alpha;
};
// [alpha]
class ELU : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override { return activations::elu(x, s.alpha); }
};
// [theta] x above theta, else 0.
class ThresholdedReLU : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override;
};
// [axis]
class Softmax : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override { return activations::softmax(x, s.axis); }
};
// [max_value, negative_slope, threshold]
class ReLU : public SameShape {
 public:
  using SameShape::SameShape;
  Output call(Output x, const CallArguments&) override {
    return activations::relu(
        x, {.alpha = s.negative_slope, .max_value = s.max_value, .threshold = s.threshold});
  }
};
// [axes, epsilon, center, scale, beta, gamma] Each example by its own mean and variance along axes.
class LayerNormalizationLayer : public SameShape {
 public:
  using SameShape::SameShape;
  void build(const PartialShape& input) override;
  Output call(Output x, const CallArguments&) override;
  Weight gamma, beta;

 private:
  std::vector<std::int64_t> axes_in(int rank) const;
};

// [input_dim, output_dim, embeddings, mask_zero] Rows of a table, by ids. With mask_zero the id 0
// is masked.
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

// [margins, data_format]
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
// [size, data_format, interpolation]
class UpSampling : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  Output call(Output x, const CallArguments&) override {
    return backend::upsample(x, s.size, s.data_format, s.interpolation);
  }
  PartialShape compute_output_shape(const PartialShape& input) const override;
};
// [data_format] The mean, or the largest, of each channel over all of space. Of sequences, the mean
// leaves out masked steps.
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
// [kernel_size, strides, padding, depth_multiplier, activation, use_bias, depthwise, bias] Each
// channel by itself. The number of channels must be known.
class DepthwiseConv2DLayer : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  void build(const PartialShape& input) override;
  Output call(Output x, const CallArguments&) override;
  PartialShape compute_output_shape(const PartialShape& input) const override;
  Weight depthwise_kernel, bias;
};
// [filters, kernel_size, strides, padding, implementation, activation, use_bias, kernel, bias] A
// convolution whose kernel is another one at each place. The size of space must be known. The
// implementation says what the kernel is: 1, one of [places, patch, filters], for "valid" padding
// only; 2, one of all inputs by all outputs, most of which a mask keeps out; 3, a vector of those
// elements of that matrix that count.
class LocallyConnected : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  void build(const PartialShape& input) override;
  Output call(Output x, const CallArguments&) override;
  PartialShape compute_output_shape(const PartialShape& input) const override;
  Weight kernel, bias;

 private:
  std::int64_t step(std::size_t i) const;
  void add_kernel();
  void make_mask();
  void make_indices();
  template <class Visit>
  void each_connection(Visit visit) const;
  Output of_matrix(Output x);

  std::int64_t channels_ = 0;
  std::vector<std::int64_t> input_size_, output_size_;
  Tensor places_;  // the mask, or the indices of the kernel's elements
};

// --- of several inputs ---------------------------------------------------------------------------

// Layers of two inputs or more, InvalidArgument for fewer. Where broadcasts() says so, inputs of
// lower rank get dimensions behind the first. An output is masked where any input is.
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
// Exactly two inputs.
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
// [axis]
class Concatenate : public Merge {
 public:
  using Merge::Merge;
  std::vector<Output> compute_masks(const std::vector<Output>& inputs,
                                    const std::vector<Output>& masks) override;

 protected:
  Output merged(const std::vector<Output>& inputs) override;
  bool broadcasts() const override { return false; }
};
// [axes, normalize] Of exactly two inputs, for each example; normalised it is the cosine.
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

// What is looked for, where, and what stands there: (query, value, key); key is value where it is
// not given. softmax(scores(query, key)) value. [use_scale]: a learnt factor of the scores. Masks
// are those of query and value: masked values get no weight, masked queries give 0.
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
// Scores are sum(scale * tanh(query + key)) instead of products.
class AdditiveAttention : public Attention {
 public:
  using Attention::Attention;
  void build_all(const std::vector<PartialShape>& inputs) override;

 protected:
  Output scores(Output query, Output key) override;
};

}  // namespace rill::keras::layers
