#include "rill/api/distributions/checks.h"

#include <cstdlib>
#include <limits>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/texts.h"
#include "rill/api/debugging/rank_assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/softmax.h"
#include "rill/base/md5.h"

namespace rill::distributions {

using namespace formula;

namespace {

using namespace debugging;
using math_parts::type_of;

bool is_integer(DType dtype) { return kIntTypes.contains(dtype); }

// Up to where a type counts without gaps.
std::int64_t largest_integer(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return 1 << 11;
    case DType::f32:
      return 1 << 24;
    case DType::f64:
      return std::int64_t{1} << 53;
    case DType::boolean:
      return 1;
    case DType::i8:
      return std::numeric_limits<std::int8_t>::max();
    case DType::u8:
      return std::numeric_limits<std::uint8_t>::max();
    case DType::i16:
      return std::numeric_limits<std::int16_t>::max();
    case DType::u16:
      return std::numeric_limits<std::uint16_t>::max();
    case DType::i32:
      return std::numeric_limits<std::int32_t>::max();
    case DType::i64:
      return std::numeric_limits<std::int64_t>::max();
    default:
      raise(Code::kInvalidArgument, "Unrecognized dtype: ", dtype);
  }
}

DType integer_of_size(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return DType::i16;
    case DType::f32:
      return DType::i32;
    case DType::f64:
      return DType::i64;
    default:
      raise(Code::kInvalidArgument, "Unrecognized type ", dtype);
  }
}

Node& assert_integer_form(Output x, DType target, const std::string& message) {
  const Block in("", "assert_integer_form", {});
  const DType integer = target == DType::invalid ? integer_of_size(type_of(x)) : target;
  const Output back = cast(cast(x, integer), type_of(x));
  return assert_equal(x, back, {.message = message, .name = "assert_integer_form"});
}

Output with_probs_checked(Output probs, bool classes) {
  const NameScope in("validate_probs");
  const Output one = constant(math_parts::number(type_of(probs), 1.0));
  Nodes checks{&assert_non_negative(probs)};
  if (classes) {
    probs = with_class_count_checked(probs);
    const Output total = sum_over_last(Formula(probs));
    checks.push_back(&assert_near(total, one, {.message = "probs does not sum to 1."}));
  } else {
    checks.push_back(
        &assert_less_equal(probs, one, {.message = "probs has components greater than 1."}));
  }
  return checked(checks, probs);
}

}  // namespace

Output checked(const Nodes& checks, Output x) { return with_dependencies(checks, x); }

LogitsAndProbs logits_and_probs(const OptionalInput& logits, const OptionalInput& probs,
                                bool classes, bool validate) {
  require(logits.has_value() != probs.has_value(), "Must pass probs or logits, but not both.");
  if (logits) {
    Output x = as_tensor(*logits, "logits");
    require_type(kFloatTypes.contains(type_of(x)), "logits must having floating type.");
    if (classes && validate) x = with_class_count_checked(x);
    return {x, classes ? nn::softmax(x, {.name = "probs"})
                       : Output(raw::Sigmoid(x, {.name = "probs"}))};
  }
  Output y = as_tensor(*probs, "probs");
  require_type(kFloatTypes.contains(type_of(y)), "probs must having floating type.");
  if (validate) y = with_probs_checked(y, classes);
  const NameScope in("logits");
  const Formula p = y;
  return {classes ? log(p) : log(p) - log1p(-1.0 * p), y};
}

Output with_class_count_checked(Output x) {
  const Block in("", "embed_check_categorical_event_shape", {});
  const std::int64_t most = largest_integer(type_of(x));
  const PartialShape& shape = x.shape();
  require(!shape.has_rank() || shape.rank() >= 1,
          "A categorical-distribution parameter must have at least 1 dimension.");
  const std::int64_t size = shape.has_rank() ? shape.dim(shape.rank() - 1) : kUnknownDim;
  if (size != kUnknownDim) {
    require(size >= 2, "A categorical-distribution parameter must have at least 2 events.");
    require(size <= most, "Number of classes exceeds `dtype` precision, i.e., ",
            numpy_name(type_of(x)), " implies shape (", size, ") cannot exceed ", most, ".");
    return x;
  }
  const auto count = [&](const char* name) {
    return slice(rill::shape(x, {.name = name}), {Input(-1)});
  };
  const Output event_size = count("x_shape");
  Node& rank = assert_rank_at_least(
      x, 1, {.message = "A categorical-distribution parameter must have at least 1 dimension."});
  Node& least = assert_greater_equal(
      count(""), 2,
      {.message = "A categorical-distribution parameter must have at least 2 events."});
  Node& greatest = assert_less_equal(
      event_size, static_cast<int>(most),
      {.message = str_cat("Number of classes exceeds `dtype` precision, i.e., ",
                          numpy_name(type_of(x)), " dtype cannot exceed ", most, " shape.")});
  return checked({&rank, &least, &greatest}, x);
}

Output with_counts_checked(Output x) {
  const Block in("", "embed_check_nonnegative_integer_form", {});
  Nodes checks{&assert_non_negative(
      x, {.message = str_cat("'", tensor_text(x), "' must be non-negative.")})};
  if (!is_integer(type_of(x)))
    checks.push_back(&assert_integer_form(
        x, DType::invalid,
        str_cat("'", tensor_text(x), "' cannot contain fractional components.")));
  return checked(checks, x);
}

Output with_cast_checked(Output x, DType target) {
  const Block in("", "embed_check_casting_closed", {});
  const DType dtype = type_of(x);
  Nodes checks{&assert_non_negative(x, {.message = "Elements must be non-negative."})};
  if (kFloatTypes.contains(dtype)) {
    checks.push_back(&assert_integer_form(
        x, target, str_cat("Elements must be ", numpy_name(target), "-equivalent.")));
  } else if (largest_integer(dtype) > largest_integer(target)) {
    const std::int64_t most = largest_integer(target);
    checks.push_back(&assert_less_equal(
        x, static_cast<int>(most), {.message = str_cat("Elements cannot exceed ", most, ".")}));
  }
  return checked(checks, x);
}

Output log_combinations(Output n, Output counts) {
  const Block in("", "log_combinations", {});
  const Output orders = lgamma(Formula(n) + 1);
  const Output repeated = lgamma(Formula(counts) + 1);
  return Formula(orders) - reduce_sum(repeated, {.axis = parts::ints({-1})});
}

std::optional<std::int64_t> new_seed(std::optional<std::int64_t> seed, const char* salt) {
  if (!seed) return {};
  const std::string digits = md5_hex(std::to_string(*seed) + salt).substr(0, 8);
  return static_cast<std::int64_t>(std::strtoul(digits.c_str(), nullptr, 16) & 0x7fffffff);
}

ShapeInput vector_of(const Input& n) { return parts::list_of({n}); }

Output shape_with(const Input& n, Output batch_shape, const Inputs& more) {
  std::vector<Input> all{vector_of(n), batch_shape};
  if (!more.empty()) all.push_back(parts::list_of(more));
  return concat(all, 0);
}

PartialShape last_dim(const PartialShape& shape) {
  if (!shape.has_rank()) return {};
  require(shape.rank() >= 1, "Shape () must have rank at least 1");
  return PartialShape{shape.dim(shape.rank() - 1)};
}

PartialShape all_but_last(const PartialShape& shape) {
  if (!shape.has_rank()) return {};
  require(shape.rank() >= 1, "Shape () must have rank at least 1");
  return PartialShape(shape.dims().first(static_cast<std::size_t>(shape.rank() - 1)));
}

Formula with_new_axis(const Formula& x) {
  return Formula([=] { return slice(Output(x), {Ellipsis{}, NewAxis{}}); });
}

Output filled(Output shape, DType dtype, double value, const char* name) {
  return raw::Fill(shape, Input(math_parts::number(dtype, value)), {.name = name});
}

}  // namespace rill::distributions
