#pragma once

#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/keras/keras_layer.h"

namespace rill::keras {

// Where tensors enter a model.
class InputLayer : public KerasLayer {
 public:
  InputLayer(std::string class_name, layers::LayerOptions options);
  Output open(Output tensor);  // the tensor is this layer's from now on
};

struct InputOptions {
  std::int64_t batch_size = -1;
  std::string name = {};
  DType dtype = DType::invalid;       // floatx()
  std::optional<Output> tensor = {};  // an existing one instead of a placeholder
};
// A tensor that a model will be fed with; the shape is that of one example, without the batch.
//
//   Output x = keras::input({4});
//   keras::Model model(x, layers::Dense(3)(x));
Output input(const PartialShape& shape, const InputOptions& options = {},
             std::source_location at = std::source_location::current());

// One call of a layer in a network.
struct NetworkCall {
  layers::Layer* layer = nullptr;
  std::size_t call = 0;
  const layers::LayerCall& record() const { return layer->calls().at(call); }
};

// The layers between inputs and outputs, found by going back from the outputs along the calls that
// layers recorded. Only layers make a network: throws InvalidArgument when a tensor on the way was
// made by a plain op, or an output needs an input that is not given. Does not own the layers.
class Network {
 public:
  Network() = default;
  Network(std::vector<Output> inputs, std::vector<Output> outputs);

  const std::vector<Output>& inputs() const { return inputs_; }
  const std::vector<Output>& outputs() const { return outputs_; }
  const std::vector<layers::Layer*>& layers() const {
    return layers_;
  }                                                                 // as TensorFlow orders them
  const std::vector<NetworkCall>& calls() const { return calls_; }  // each after what it needs
  // What the layers make of other inputs.
  std::vector<Output> run(const std::vector<Output>& inputs,
                          const layers::CallArguments& arguments) const;

 private:
  std::vector<Output> inputs_, outputs_;
  std::vector<layers::Layer*> layers_;
  std::vector<NetworkCall> calls_;
};

}  // namespace rill::keras
