#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <source_location>
#include <type_traits>
#include <utility>

#include "rill/graph/scope.h"

namespace rill::layers {

// A function of a tensor: a lambda, or a function of tf.nn by its name. Empty, or nullptr, leaves
// the tensor as it is.
//
//   layers::dense(x, 10, {.activation = nn::relu});
//   layers::dense(x, 10, {.activation = [](Output y) { return y * sigmoid(y); }});
class Activation {
 public:
  Activation() = default;  // none
  Activation(std::nullptr_t) {}
  template <class F>
  requires std::is_invocable_r_v<Output, F, Output> Activation(F function)
      : apply_(std::move(function)) {}
  // nn::relu and its like, whose options stay at their defaults.
  template <class Options>
  Activation(Output (*function)(const Input&, const Options&, std::source_location))
      : apply_([function](Output x) {
          return function(x, Options(), std::source_location::current());
        }) {}

  explicit operator bool() const { return bool(apply_); }
  Output operator()(Output x) const { return apply_ ? apply_(x) : x; }
  const std::function<Output(Output)>& function() const { return apply_; }
  std::shared_ptr<void> foreign;  // the object of another language that this stands for

 private:
  std::function<Output(Output)> apply_;
};

}  // namespace rill::layers
