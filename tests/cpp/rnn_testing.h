#pragma once

// What the tests of recurrent networks share.
#include "rill/rill.h"

namespace rill {

// Every variable starts with this value.
inline VariableScopeOptions constant_start(double value) {
  VariableScopeOptions options;
  options.initializer = constant_initializer(value);
  return options;
}

// Three steps of two examples with one feature.
inline Output some_input() {
  return constant(Input(Tensor::of<float>({2, 3, 1}, {1, 2, 3, 4, 5, 6})));
}

}  // namespace rill
