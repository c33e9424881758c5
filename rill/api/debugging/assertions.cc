#include "rill/api/debugging/assertions.h"

#include <limits>

#include "rill/api/core/control_flow.h"
#include "rill/api/core/texts.h"
#include "rill/api/math/reduce.h"
#include "rill/graph/tape.h"

namespace rill::debugging {
namespace {

struct Comparison {
  const char* op;      // "Less"
  const char* symbol;  // "<"
  const char* scope;   // "assert_less"
};
constexpr Comparison kEqual{"Equal", "==", "assert_equal"};
constexpr Comparison kNotEqual{"NotEqual", "!=", "assert_none_equal"};
constexpr Comparison kLess{"Less", "<", "assert_less"};
constexpr Comparison kLessEqual{"LessEqual", "<=", "assert_less_equal"};
constexpr Comparison kGreater{"Greater", ">", "assert_greater"};
constexpr Comparison kGreaterEqual{"GreaterEqual", ">=", "assert_greater_equal"};

bool holds_for_all(const Comparison& comparison, const Tensor& x, const Tensor& y) {
  const WithoutTapes unseen;
  Scope scope(*eager_graph());
  const Output a = scope.constant(x), b = scope.constant(y);
  const Output compared = scope.add(comparison.op, {a, b}).output();
  const Tensor& holds = compared.value();
  for (std::int64_t i = 0; i < holds.element_count(); ++i)
    if (!holds.data<bool>()[i]) return false;
  return true;
}

// What a failed check shows of an item: its value where that is known.
std::string shown(const Input& item) {
  if (item.is_value()) return value_text(item.value(DType::invalid));
  const Tensor* value = item.is_output() ? constant_value(item.output()) : nullptr;
  if (value != nullptr) return value_text(*value);
  return item.is_output() ? item.output().name() : "?";
}

void check_known(const Comparison& comparison, Output x, Output y, const Inputs& data) {
  const Tensor* known_x = constant_value(x);
  const Tensor* known_y = constant_value(y);
  if (known_x == nullptr || known_y == nullptr) return;
  if (holds_for_all(comparison, *known_x, *known_y)) return;
  std::vector<std::string> lines;
  for (const Input& item : data) lines.push_back(shown(item));
  throw FailedAssertion(Code::kInvalidArgument, join(lines, "\n"));
}

Node& compare(const Comparison& comparison, const Input& x, const Input& y,
              const AssertionOptions& options, std::source_location at) {
  const Block in(options.name, comparison.scope, at);
  const Output a = as_tensor(x, "x");
  const Output b = as_tensor(y, "y");
  std::vector<Input> data = options.data.value_or(std::vector<Input>{
      str_cat("Condition x ", comparison.symbol, " y did not hold element-wise:"),
      str_cat("x (", a, ") = "), a, str_cat("y (", b, ") = "), b});
  if (!options.message.empty()) data.insert(data.begin(), options.message);
  const Output condition = math::reduce_all(current_scope().add(comparison.op, {a, b}).output());
  check_known(comparison, a, b, data);
  return add_assert(current_scope(), condition, data, options.summarize.value_or(3));
}

// `swapped`: zero stands on the left of the comparison.
Node& against_zero(const char* scope, const char* condition, bool swapped,
                   const Comparison& comparison, const Input& x, const AssertionOptions& options,
                   std::source_location at) {
  const Block in(options.name, scope, at);
  const Output a = as_tensor(x, "x");
  AssertionOptions inner{.data = options.data, .summarize = options.summarize};
  if (!inner.data) {
    inner.data = std::vector<Input>{message_prefix(options.message)};
    const std::string text = str_cat("Condition x ", condition, " 0 did not hold element-wise:");
    const std::string operand = str_cat("x (", a, ") = ");
    // TensorFlow runs these two together for one of the four.
    if (std::string_view(condition) == "<=") {
      inner.data->emplace_back(text + operand);
    } else {
      inner.data->emplace_back(text);
      inner.data->emplace_back(operand);
    }
    inner.data->emplace_back(a);
  }
  const Output zero = current_scope().constant(Tensor::zeros(base_type(a.dtype()), {}));
  return swapped ? compare(comparison, zero, a, inner, at)
                 : compare(comparison, a, zero, inner, at);
}

// Ten times the distance from 1 to the next number.
double default_tolerance(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return 10 * 0x1p-10;
    case DType::bf16:
      return 10 * 0x1p-7;
    case DType::f32:
    case DType::c64:
      return 10 * double{std::numeric_limits<float>::epsilon()};
    case DType::f64:
    case DType::c128:
      return 10 * std::numeric_limits<double>::epsilon();
    default:
      raise(Code::kInvalidArgument, "data type ", dtype, " not inexact");
  }
}

}  // namespace

std::string message_prefix(const std::string& message) {
  return message.empty() ? "" : message + ".  ";
}

Node& assert_equal(const Input& x, const Input& y, const AssertionOptions& options,
                   std::source_location at) {
  {
    const Block in(options.name, "assert_equal", at);
    if (x.is_output() && y.is_output() && x.output() == y.output())
      return current_scope().add("NoOp", {});
  }
  return compare(kEqual, x, y, options, at);
}

Node& assert_none_equal(const Input& x, const Input& y, const AssertionOptions& options,
                        std::source_location at) {
  return compare(kNotEqual, x, y, options, at);
}

Node& assert_less(const Input& x, const Input& y, const AssertionOptions& options,
                  std::source_location at) {
  return compare(kLess, x, y, options, at);
}

Node& assert_less_equal(const Input& x, const Input& y, const AssertionOptions& options,
                        std::source_location at) {
  return compare(kLessEqual, x, y, options, at);
}

Node& assert_greater(const Input& x, const Input& y, const AssertionOptions& options,
                     std::source_location at) {
  return compare(kGreater, x, y, options, at);
}

Node& assert_greater_equal(const Input& x, const Input& y, const AssertionOptions& options,
                           std::source_location at) {
  return compare(kGreaterEqual, x, y, options, at);
}

Node& assert_negative(const Input& x, const AssertionOptions& options, std::source_location at) {
  return against_zero("assert_negative", "<", false, kLess, x, options, at);
}

Node& assert_positive(const Input& x, const AssertionOptions& options, std::source_location at) {
  return against_zero("assert_positive", ">", true, kLess, x, options, at);
}

Node& assert_non_negative(const Input& x, const AssertionOptions& options,
                          std::source_location at) {
  return against_zero("assert_non_negative", ">=", true, kLessEqual, x, options, at);
}

Node& assert_non_positive(const Input& x, const AssertionOptions& options,
                          std::source_location at) {
  return against_zero("assert_non_positive", "<=", false, kLessEqual, x, options, at);
}

Node& assert_near(const Input& x, const Input& y, const AssertNearOptions& options,
                  std::source_location at) {
  const Block in(options.name, "assert_near", at);
  const Output a = as_tensor(x, "x");
  const DType dtype = base_type(a.dtype());
  const Output b = as_tensor(y, "y", dtype);
  const auto tolerance = [&](const OptionalInput& given, const char* name) {
    return given ? as_tensor(*given, name, dtype)
                 : as_tensor(default_tolerance(dtype), name, dtype);
  };
  const Output rtol = tolerance(options.rtol, "rtol");
  const Output atol = tolerance(options.atol, "atol");
  std::vector<Input> data = options.data.value_or(
      std::vector<Input>{message_prefix(options.message),
                         str_cat("x and y not equal to tolerance rtol = ", tensor_text(rtol),
                                 ", atol = ", tensor_text(atol)),
                         str_cat("x (", a, ") = "), a, str_cat("y (", b, ") = "), b});
  Scope& scope = current_scope();
  const Output size = scope.add("Abs", {b}).output();
  const Output relative = scope.add("Mul", {rtol, size}, {}, "mul").output();
  const Output tolerated = scope.add("AddV2", {atol, relative}, {}, "add").output();
  const Output apart = scope.add("Sub", {a, b}, {}, "sub").output();
  const Output distance = scope.add("Abs", {apart}).output();
  const Output condition = math::reduce_all(scope.add("Less", {distance, tolerated}).output());
  return add_assert(scope, condition, data, options.summarize.value_or(3));
}

}  // namespace rill::debugging
