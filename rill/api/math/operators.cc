#include "rill/api/math/operators.h"

#include "rill/api/core/default_graph.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/products.h"
#include "rill/base/error_place.h"

namespace rill::operators {
namespace {

using namespace math_parts;

struct Operands {
  Output x, y;
};

// A value takes the type of the tensor beside it, whichever side that is on.
Operands operands(const Input& x, const Input& y, std::string_view y_name = "y") {
  const bool reflected = !x.is_output() && y.is_output();
  const DType wanted = reflected ? type_of(y.output()) : DType::invalid;
  const Output left = x.as_output(current_scope(), "x", wanted);
  return {left, like(y, y_name, left)};
}

// What is computed at once has no name, and needs no scope for it.
Output binary_eagerly(std::string_view op, const Input& x, const Input& y,
                      const std::source_location& at) {
  Scope& scope = current_scope();
  const ErrorPlace place(scope.has_origin() ? nullptr : &at);
  const auto [left, right] = operands(x, y);
  std::vector<InputArg> inputs;
  inputs.reserve(2);
  inputs.emplace_back(left);
  inputs.emplace_back(right);
  return scope.add(op, std::move(inputs)).output();
}

Output binary(std::string_view op, std::string_view name, const Input& x, const Input& y,
              std::source_location at) {
  if (executing_eagerly()) return binary_eagerly(op, x, y, at);
  const Block in("", name, at);
  const auto [left, right] = operands(x, y);
  return current_scope().add(op, {left, right}, {}, in.own_name()).output();
}

bool is_bool(const Input& x, const Input& y) {
  const Input& known = x.is_output() ? x : y;
  return known.is_output() && type_of(known.output()) == DType::boolean;
}

// Of bits the node stands inside the operator's scope.
Output bitwise(std::string_view op, std::string_view name, const Input& x, const Input& y,
               std::source_location at) {
  const Block in("", name, at);
  if (x.is_output()) return current_scope().add(op, {x, y}).output();
  const auto [left, right] = operands(x, y);
  return current_scope().add(op, {left, right}).output();
}

}  // namespace

Output add(const Input& x, const Input& y, std::source_location at) {
  const Input& known = x.is_output() ? x : y;
  if (executing_eagerly() && known.is_output() && type_of(known.output()) != DType::string)
    return binary_eagerly("AddV2", x, y, at);
  const Block in("", "add", at);
  const auto [left, right] = operands(x, y);
  // Strings have the older op only.
  const char* op = type_of(left) == DType::string ? "Add" : "AddV2";
  return current_scope().add(op, {left, right}, {}, in.own_name()).output();
}

Output sub(const Input& x, const Input& y, std::source_location at) {
  return binary("Sub", "sub", x, y, at);
}
Output mul(const Input& x, const Input& y, std::source_location at) {
  return binary("Mul", "mul", x, y, at);
}
Output floordiv(const Input& x, const Input& y, std::source_location at) {
  return binary("FloorDiv", "floordiv", x, y, at);
}
Output mod(const Input& x, const Input& y, std::source_location at) {
  return binary("FloorMod", "mod", x, y, at);
}
Output pow(const Input& x, const Input& y, std::source_location at) {
  return binary("Pow", "pow", x, y, at);
}

Output truediv(const Input& x, const Input& y, std::source_location at) {
  const Block in("", "truediv", at);
  const auto [left, right] = operands(x, y);
  return rill::truediv(left, right, {.name = in.own_name()}, at);
}

Output matmul(const Input& x, const Input& y, std::source_location at) {
  const Block in("", "matmul", at);
  const auto [left, right] = operands(x, y, "b");
  return rill::matmul(left, right, {.name = in.own_name()}, at);
}

Output logical_and(const Input& x, const Input& y, std::source_location at) {
  return is_bool(x, y) ? binary("LogicalAnd", "and", x, y, at)
                       : bitwise("BitwiseAnd", "and", x, y, at);
}

Output logical_or(const Input& x, const Input& y, std::source_location at) {
  return is_bool(x, y) ? binary("LogicalOr", "or", x, y, at) : bitwise("BitwiseOr", "or", x, y, at);
}

namespace {

Scope beside(const Output& x) {
  require(x.node != nullptr, "an operand is an empty tensor");
  const Scope& scope = current_scope();
  return scope.has_origin() ? scope : scope.from(x.node->origin());
}

}  // namespace

Output both(const Output& x, const Output& y) {
  return beside(x).add("LogicalAnd", {x, y}).output();
}

Output either(const Output& x, const Output& y) {
  return beside(x).add("LogicalOr", {x, y}).output();
}

Output not_(const Output& x) { return beside(x).add("LogicalNot", {x}).output(); }

Output logical_xor(const Input& x, const Input& y, std::source_location at) {
  if (!is_bool(x, y)) return bitwise("BitwiseXor", "xor", x, y, at);
  const Block in("", "xor", at);
  if (x.is_output()) return rill::logical_xor(x, y, {.name = in.own_name()}, at);
  const auto [left, right] = operands(x, y);
  return rill::logical_xor(left, right, {.name = in.own_name()}, at);
}

Output less(const Input& x, const Input& y, std::source_location at) {
  return binary("Less", "Less", x, y, at);
}
Output less_equal(const Input& x, const Input& y, std::source_location at) {
  return binary("LessEqual", "LessEqual", x, y, at);
}
Output greater(const Input& x, const Input& y, std::source_location at) {
  return binary("Greater", "Greater", x, y, at);
}
Output greater_equal(const Input& x, const Input& y, std::source_location at) {
  return binary("GreaterEqual", "GreaterEqual", x, y, at);
}

Output negative(const Input& x, std::source_location at) { return raw::Neg(x, {}, at); }

Output invert(const Input& x, std::source_location at) {
  if (is_bool(x, x)) return raw::LogicalNot(x, {}, at);
  return raw::Invert(x, {}, at);
}

}  // namespace rill::operators
