#pragma once

#include "call.h"

namespace rill::python {

// tf.math, tf.bitwise and what of tf belongs to them, except what is one op (plain_function.h).
void add_math_functions();
void add_reduce_functions();
void add_product_functions();

// For functions of one, or two, tensors and a name.
template <auto F>
nb::object unary(const Call& call) {
  return give(F(call.input(call.parameter(0)), {.name = call.name()}, {}));
}
template <auto F>
nb::object binary(const Call& call) {
  const Input x = call.input(call.parameter(0));
  return give(F(x, call.operand(call.parameter(1)), {.name = call.name()}, {}));
}

}  // namespace rill::python
