#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::keras {

// What a layer does with its result: one of `activations` by name ("relu", "softmax"), or any
// function.
struct Activation {
  Activation() = default;  // none: the result as it is
  Activation(const char* name) : Activation(std::string(name)) {}
  // Also one of keras::utils::get_custom_objects(). Throws InvalidArgument when there is none.
  Activation(const std::string& name);
  Activation(std::function<Output(Output)> function) : apply(std::move(function)) {}

  explicit operator bool() const { return bool(apply); }
  Output operator()(Output x) const { return apply ? apply(x) : x; }

  std::function<Output(Output)> apply = {};
  std::shared_ptr<void> foreign = {};  // the object of another language that it stands for
};

namespace activations {

// The name of one of the functions below; "" for others.
std::string name_of(const std::function<Output(Output)>& activation);

// x above 0, alpha * (exp(x) - 1) below.
Output elu(Output x, double alpha = 1.0, std::source_location at = std::source_location::current());
Output exponential(Output x, std::source_location at = std::source_location::current());
// 0.2 * x + 0.5, brought to [0, 1]: a sigmoid without an exponential.
Output hard_sigmoid(Output x, std::source_location at = std::source_location::current());
Output linear(Output x);
// With the defaults max(x, 0).
struct ReluOptions {
  double alpha = 0.0;  // slope below the threshold
  std::optional<double> max_value = {};
  double threshold = 0.0;  // below it the result is alpha * (x - threshold)
};
Output relu(Output x, const ReluOptions& options = {},
            std::source_location at = std::source_location::current());
// scale * elu(x, alpha), with the two constants that keep mean and variance of layer after layer.
Output selu(Output x, std::source_location at = std::source_location::current());
Output sigmoid(Output x, std::source_location at = std::source_location::current());
// Along one axis; throws InvalidArgument for vectors, which have no examples to keep apart.
Output softmax(Output x, int axis = -1, std::source_location at = std::source_location::current());
Output softplus(Output x, std::source_location at = std::source_location::current());
// x / (|x| + 1).
Output softsign(Output x, std::source_location at = std::source_location::current());
Output tanh(Output x, std::source_location at = std::source_location::current());

}  // namespace activations
}  // namespace rill::keras
