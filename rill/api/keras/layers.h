#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/api/keras/network.h"
#include "rill/api/keras/regularizers.h"

namespace rill::keras {

// A layer as programs hold it: cheap to copy, called like a function. Copies share the layer and
// its weights.
//
//   Output h = layers::Dense(32, {.activation = "relu"})(x);
struct LayerRef {
  LayerRef() = default;
  template <class L>
  LayerRef(std::shared_ptr<L> layer) : layer(std::move(layer)) {}

  Output operator()(Output x, const layers::CallArguments& arguments = {},
                    std::source_location at = std::source_location::current()) const {
    return (*layer)(x, arguments, at);
  }
  Output operator()(const std::vector<Output>& inputs, const layers::CallArguments& arguments = {},
                    std::source_location at = std::source_location::current()) const {
    return (*layer)(inputs, arguments, at).at(0);
  }
  rill::layers::Layer* operator->() const { return layer.get(); }

  std::shared_ptr<rill::layers::Layer> layer = {};
  std::optional<PartialShape> input_shape = {};  // of one example, where it is the first of a model
};

// What programs say of a layer: names and meanings are TensorFlow's, and each layer reads what
// concerns it. Other fields are ignored, not refused.
struct LayerArguments {
  std::optional<Activation> activation = {}, recurrent_activation = {};
  bool use_bias = true;
  Initializer kernel_initializer = {}, recurrent_initializer = {},
              bias_initializer = {};  // none: the layer's own
  Regularizer kernel_regularizer = {}, bias_regularizer = {};
  std::function<Output(Output)> activity_regularizer = {};
  std::function<Output(Output)> kernel_constraint = {}, bias_constraint = {};
  std::vector<std::int64_t> strides = {};  // ones; of pooling: the size of the window
  std::string padding = "valid";           // "same", "causal"
  std::string data_format = {};            // backend::image_data_format()
  std::vector<std::int64_t> dilation_rate = {};
  std::int64_t depth_multiplier = 1;
  double dropout = 0, recurrent_dropout = 0;
  bool return_sequences = false, return_state = false, go_backwards = false, unroll = false;
  bool reset_after = false, unit_forget_bias = true;
  bool mask_zero = false;
  std::optional<std::int64_t> seed = {};
  double momentum = 0.99, epsilon = 1e-3;
  std::optional<PartialShape> input_shape = {};
  bool trainable = true;
  DType dtype = DType::invalid;
  std::string name = {};
};

namespace layers {

// Each makes a new layer with weights of its own, which the first call creates. The functions throw
// InvalidArgument for settings that no layer can have; shapes are checked by the call.
LayerRef Dense(std::int64_t units, const LayerArguments& arguments = {});
LayerRef Activation(const keras::Activation& activation, const LayerArguments& arguments = {});
LayerRef Dropout(double rate, const LayerArguments& arguments = {});
LayerRef Flatten(const LayerArguments& arguments = {});
// Shapes and dimensions are those of one example: dims count from 1. One size may be -1.
LayerRef Reshape(std::vector<std::int64_t> target_shape, const LayerArguments& arguments = {});
LayerRef Permute(std::vector<std::int64_t> dims, const LayerArguments& arguments = {});
LayerRef RepeatVector(std::int64_t n, const LayerArguments& arguments = {});
// The function must not use variables: the layer would not know them.
LayerRef Lambda(std::function<Output(Output)> function, const LayerArguments& arguments = {});
LayerRef BatchNormalization(const LayerArguments& arguments = {});
LayerRef LayerNormalization(const LayerArguments& arguments = {});
// Ids in [0, input_dim) become rows; others fail the step. With mask_zero, 0 means no step.
LayerRef Embedding(std::int64_t input_dim, std::int64_t output_dim,
                   const LayerArguments& arguments = {});

LayerRef Conv1D(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                const LayerArguments& arguments = {});
LayerRef Conv2D(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                const LayerArguments& arguments = {});
LayerRef Conv3D(std::int64_t filters, std::vector<std::int64_t> kernel_size,
                const LayerArguments& arguments = {});
LayerRef DepthwiseConv2D(std::vector<std::int64_t> kernel_size,
                         const LayerArguments& arguments = {});
// Without strides windows lie side by side.
LayerRef MaxPooling1D(std::vector<std::int64_t> size = {2}, const LayerArguments& arguments = {});
LayerRef MaxPooling2D(std::vector<std::int64_t> size = {2, 2},
                      const LayerArguments& arguments = {});
LayerRef AveragePooling1D(std::vector<std::int64_t> size = {2},
                          const LayerArguments& arguments = {});
LayerRef AveragePooling2D(std::vector<std::int64_t> size = {2, 2},
                          const LayerArguments& arguments = {});
LayerRef GlobalAveragePooling2D(const LayerArguments& arguments = {});
LayerRef GlobalMaxPooling2D(const LayerArguments& arguments = {});
LayerRef ZeroPadding2D(backend::Margins padding, const LayerArguments& arguments = {});
LayerRef Cropping2D(backend::Margins cropping, const LayerArguments& arguments = {});
LayerRef UpSampling2D(std::vector<std::int64_t> size = {2, 2},
                      const LayerArguments& arguments = {});

// [examples, steps, values] becomes [examples, units], or with return_sequences [examples, steps,
// units].
LayerRef SimpleRNN(std::int64_t units, const LayerArguments& arguments = {});
LayerRef GRU(std::int64_t units, const LayerArguments& arguments = {});
LayerRef LSTM(std::int64_t units, const LayerArguments& arguments = {});
// The layer applied to each step of [examples, steps, ...], with the same weights.
LayerRef TimeDistributed(const LayerRef& layer, const LayerArguments& arguments = {});

// "Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum", "LeakyReLU", ...: any layer that
// plain_layers.h has, by its class's name. Throws InvalidArgument when there is none.
LayerRef make(const std::string& class_name, const LayerSettings& settings = {},
              const LayerArguments& arguments = {});
// Make a layer for one call.
Output add(const std::vector<Output>& inputs);
Output multiply(const std::vector<Output>& inputs);
Output concatenate(const std::vector<Output>& inputs, int axis = -1);

}  // namespace layers
}  // namespace rill::keras
