#pragma once

#include <concepts>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill {

// What stands on one side of an operator, with the line of the program it stands in, which an error
// names.
//
//   Output y = 2 * x + b;  // Mul and AddV2, named "mul" and "add"
struct Operand {
  template <class T>
  requires std::constructible_from<Input, T> Operand(
      const T& value, std::source_location at = std::source_location::current())
      : input(value), at(at) {}

  Input input;
  std::source_location at = {};
};

// The operators of Python's tensors, under the names that TensorFlow gives their nodes. A number
// takes the type of the tensor beside it. What C++ has no operator for is a function: floordiv,
// pow, matmul. Throw InvalidArgument when types do not fit together.
namespace operators {
Output add(const Input& x, const Input& y, std::source_location at);
Output sub(const Input& x, const Input& y, std::source_location at);
Output mul(const Input& x, const Input& y, std::source_location at);
// Integers become floats first. floordiv and mod round towards minus infinity, as Python's do.
Output truediv(const Input& x, const Input& y, std::source_location at);
Output floordiv(const Input& x, const Input& y, std::source_location at);
Output mod(const Input& x, const Input& y, std::source_location at);
Output pow(const Input& x, const Input& y, std::source_location at);
Output matmul(const Input& x, const Input& y, std::source_location at);
Output logical_and(const Input& x, const Input& y, std::source_location at);  // & of bits, too
Output logical_or(const Input& x, const Input& y, std::source_location at);
Output logical_xor(const Input& x, const Input& y, std::source_location at);
// Elementwise; there is no operator== for values, as it compares what tensors are.
Output less(const Input& x, const Input& y, std::source_location at);
Output less_equal(const Input& x, const Input& y, std::source_location at);
Output greater(const Input& x, const Input& y, std::source_location at);
Output greater_equal(const Input& x, const Input& y, std::source_location at);
// LogicalAnd, LogicalOr, LogicalNot, said to be made where `x` was.
Output both(const Output& x, const Output& y);
Output either(const Output& x, const Output& y);
Output not_(const Output& x);
Output negative(const Input& x, std::source_location at);
Output invert(const Input& x, std::source_location at);
}  // namespace operators

inline Output operator+(const Operand& x, const Operand& y) {
  return operators::add(x.input, y.input, x.at);
}
inline Output operator-(const Operand& x, const Operand& y) {
  return operators::sub(x.input, y.input, x.at);
}
inline Output operator*(const Operand& x, const Operand& y) {
  return operators::mul(x.input, y.input, x.at);
}
inline Output operator/(const Operand& x, const Operand& y) {
  return operators::truediv(x.input, y.input, x.at);
}
inline Output operator%(const Operand& x, const Operand& y) {
  return operators::mod(x.input, y.input, x.at);
}
inline Output operator&(const Operand& x, const Operand& y) {
  return operators::logical_and(x.input, y.input, x.at);
}
inline Output operator|(const Operand& x, const Operand& y) {
  return operators::logical_or(x.input, y.input, x.at);
}
inline Output operator^(const Operand& x, const Operand& y) {
  return operators::logical_xor(x.input, y.input, x.at);
}
inline Output operator<(const Operand& x, const Operand& y) {
  return operators::less(x.input, y.input, x.at);
}
inline Output operator<=(const Operand& x, const Operand& y) {
  return operators::less_equal(x.input, y.input, x.at);
}
inline Output operator>(const Operand& x, const Operand& y) {
  return operators::greater(x.input, y.input, x.at);
}
inline Output operator>=(const Operand& x, const Operand& y) {
  return operators::greater_equal(x.input, y.input, x.at);
}
// Of truth values, as new tensors; both sides are computed in any case.
template <std::same_as<Output> X, std::same_as<Output> Y>
Output operator&&(const X& x, const Y& y) {
  return operators::both(x, y);
}
template <std::same_as<Output> X, std::same_as<Output> Y>
Output operator||(const X& x, const Y& y) {
  return operators::either(x, y);
}
template <std::same_as<Output> X>
Output operator!(const X& x) {
  return operators::not_(x);
}
inline Output operator-(const Operand& x) { return operators::negative(x.input, x.at); }
inline Output operator~(const Operand& x) { return operators::invert(x.input, x.at); }

}  // namespace rill
