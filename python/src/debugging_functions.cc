#include "debugging_functions.h"

#include "class_call.h"
#include "plain_values.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/debugging/numerics.h"
#include "rill/api/debugging/rank_assertions.h"
#include "rill/api/debugging/shape_assertions.h"
#include "rill/api/debugging/type_checks.h"
#include "rill/api/gen/array.h"

namespace rill::python {
namespace {

template <class Options>
Options assertion_options(const Call& call) {
  Options options;
  if (call.has("data")) options.data = call.inputs("data");
  if (call.has("summarize")) options.summarize = static_cast<int>(call.integer("summarize"));
  options.message = call.text("message");
  options.name = call.name();
  return options;
}

using Comparison = Node& (*)(const Input&, const Input&, const debugging::AssertionOptions&,
                             std::source_location);
template <Comparison compare>
nb::object comparison(const Call& call) {
  return give(compare(call.input("x"), call.input("y"),
                      assertion_options<debugging::AssertionOptions>(call),
                      std::source_location::current()));
}

using SignCheck = Node& (*)(const Input&, const debugging::AssertionOptions&, std::source_location);
template <SignCheck check>
nb::object sign_check(const Call& call) {
  return give(check(call.input("x"), assertion_options<debugging::AssertionOptions>(call),
                    std::source_location::current()));
}

nb::object near(const Call& call) {
  debugging::AssertNearOptions options = assertion_options<debugging::AssertNearOptions>(call);
  options.rtol = call.optional_input("rtol");
  options.atol = call.optional_input("atol");
  return give(debugging::assert_near(call.input("x"), call.input("y"), options));
}

nb::object rank_in(const Call& call) {
  const nb::handle given = call["ranks"];
  std::vector<Input> ranks;
  for (nb::handle rank : given) ranks.push_back(input_of(rank, DType::invalid, "", "rank"));
  return give(debugging::assert_rank_in(call.input("x"), ranks,
                                        assertion_options<debugging::AssertionOptions>(call)));
}

debugging::DimSpec dim_spec(nb::handle dim) {
  if (dim.is_none()) return {};
  if (PyUnicode_Check(dim.ptr())) {
    const std::string text = str_of(dim);
    if (text == ".") return {};
    const bool is_number = text.find_first_not_of("0123456789") == text.npos && !text.empty();
    if (!is_number) return text;
    return static_cast<std::int64_t>(std::stoll(text));
  }
  nb::object number = nb::steal(PyNumber_Index(dim.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  return integer_of(number);
}

bool is_ellipsis(nb::handle dim) {
  return dim.ptr() == Py_Ellipsis ||
         (PyUnicode_Check(dim.ptr()) && (str_of(dim) == "*" || str_of(dim) == "..."));
}

debugging::ShapeSpec shape_spec(nb::handle x, nb::handle dims) {
  debugging::ShapeSpec spec{input_of(x, DType::invalid, "", "x"), {}, false};
  // A single symbol, or one letter for each dimension.
  const bool is_shape = !is_sequence(dims) && nb::hasattr(dims, "as_list");
  nb::object list = is_shape ? nb::object(dims.attr("as_list")()) : nb::borrow(dims);
  if (!nb::hasattr(list, "__iter__")) list = nb::make_tuple(list);
  for (nb::handle dim : list) {
    if (!is_ellipsis(dim)) {
      spec.dims.push_back(dim_spec(dim));
      continue;
    }
    if (!spec.dims.empty() || spec.any_prefix)
      value_error("Found an ellipsis in a shape that is not at its beginning: ", repr_of(dims));
    spec.any_prefix = true;
  }
  return spec;
}

nb::object shapes_of(const Call& call) {
  const nb::handle given = call["shapes"];
  nb::object pairs =
      PyDict_Check(given.ptr()) ? nb::object(given.attr("items")()) : nb::borrow(given);
  std::vector<debugging::ShapeSpec> specs;
  for (nb::handle pair : pairs) specs.push_back(shape_spec(pair[0], pair[1]));
  return give(
      debugging::assert_shapes(specs, assertion_options<debugging::AssertionOptions>(call)));
}

nb::object check_all_finite(const Call& call) {
  if (call.has("t") && call.has("x")) value_error("Cannot specify both 't' and 'x'.");
  if (call.has("msg") && call.has("message"))
    value_error("Cannot specify both 'msg' and 'message'.");
  const char* tensor = call.has("x") ? "x" : "t";
  const char* message = call.has("message") ? "message" : "msg";
  if (!call.has(tensor)) value_error("None values not supported.");
  return give(
      debugging::assert_all_finite(call.input(tensor), call.text(message), {.name = call.name()}));
}

nb::object same_float_dtype(const Call& call) {
  std::vector<Output> tensors;
  if (call.has("tensors"))
    for (nb::handle tensor : call["tensors"])
      if (is_tensor(tensor)) tensors.push_back(tensor_object(tensor).output);
  return dtype_object(debugging::assert_same_float_dtype(tensors, call.dtype("dtype")));
}

constexpr Function kFunctions[] = {
    {"debugging.assert_equal(x, y, data=None, summarize=None, message=None, name=None)",
     comparison<debugging::assert_equal>, "Fails the step unless x == y for all elements."},
    {"debugging.assert_none_equal(x, y, data=None, summarize=None, message=None, name=None)",
     comparison<debugging::assert_none_equal>, "Fails the step unless x != y for all elements."},
    {"debugging.assert_less(x, y, data=None, summarize=None, message=None, name=None)",
     comparison<debugging::assert_less>, "Fails the step unless x < y for all elements."},
    {"debugging.assert_less_equal(x, y, data=None, summarize=None, message=None, name=None)",
     comparison<debugging::assert_less_equal>, "Fails the step unless x <= y for all elements."},
    {"debugging.assert_greater(x, y, data=None, summarize=None, message=None, name=None)",
     comparison<debugging::assert_greater>, "Fails the step unless x > y for all elements."},
    {"debugging.assert_greater_equal(x, y, data=None, summarize=None, message=None, name=None)",
     comparison<debugging::assert_greater_equal>, "Fails the step unless x >= y for all elements."},
    {"debugging.assert_negative(x, data=None, summarize=None, message=None, name=None)",
     sign_check<debugging::assert_negative>, "Fails the step unless all elements are negative."},
    {"debugging.assert_positive(x, data=None, summarize=None, message=None, name=None)",
     sign_check<debugging::assert_positive>, "Fails the step unless all elements are positive."},
    {"debugging.assert_non_negative(x, data=None, summarize=None, message=None, name=None)",
     sign_check<debugging::assert_non_negative>, "Fails the step when an element is negative."},
    {"debugging.assert_non_positive(x, data=None, summarize=None, message=None, name=None)",
     sign_check<debugging::assert_non_positive>, "Fails the step when an element is positive."},
    {"debugging.assert_near(x, y, rtol=None, atol=None, data=None, summarize=None, message=None, "
     "name=None)",
     near, "Fails the step unless x and y are equal up to a tolerance."},
    {"debugging.assert_rank(x, rank, data=None, summarize=None, message=None, name=None)",
     [](const Call& call) {
       return give(debugging::assert_rank(call.input("x"), call.input("rank"),
                                          assertion_options<debugging::AssertionOptions>(call)));
     },
     "Fails unless x has that many dimensions."},
    {"debugging.assert_rank_at_least(x, rank, data=None, summarize=None, message=None, name=None)",
     [](const Call& call) {
       return give(
           debugging::assert_rank_at_least(call.input("x"), call.input("rank"),
                                           assertion_options<debugging::AssertionOptions>(call)));
     },
     "Fails unless x has at least that many dimensions."},
    {"debugging.assert_rank_in(x, ranks, data=None, summarize=None, message=None, name=None)",
     rank_in, "Fails unless x has one of these numbers of dimensions."},
    {"debugging.assert_shapes(shapes, data=None, summarize=None, message=None, name=None)",
     shapes_of, "Fails unless tensors have shapes that agree with each other."},
    {"debugging.assert_scalar(tensor, name=None, message=None)",
     [](const Call& call) {
       return give(debugging::assert_scalar(
           call.input("tensor"), {.name = call.name(), .message = call.text("message")}));
     },
     "The tensor, which must be known to be a scalar."},
    {"debugging.assert_integer(x, message=None, name=None)",
     [](const Call& call) {
       return give(debugging::assert_integer(
           call.input("x"), {.message = call.text("message"), .name = call.name()}));
     },
     "Raises TypeError unless x is of an integer type."},
    {"debugging.assert_type(tensor, tf_type, message=None, name=None)",
     [](const Call& call) {
       return give(debugging::assert_type(call.input("tensor"), call.dtype("tf_type"),
                                          {.message = call.text("message"), .name = call.name()}));
     },
     "Raises TypeError unless the tensor is of that type."},
    {"debugging.assert_same_float_dtype(tensors=None, dtype=None)", same_float_dtype,
     "The one floating-point type of all tensors; raises ValueError when they differ."},
    {"debugging.is_numeric_tensor(tensor)",
     [](const Call& call) -> nb::object {
       const nb::handle tensor = call["tensor"];
       return nb::bool_(is_tensor(tensor) && is_numeric_tensor(tensor_object(tensor).output));
     },
     "Whether this is a tensor of numbers."},
    {"debugging.assert_all_finite(t=None, msg=None, name=None, x=None, message=None)",
     check_all_finite, "The tensor; the step fails where it holds NaN or infinity."},
    {"debugging.check_numerics(tensor, message, name=None)",
     [](const Call& call) {
       return give(debugging::check_numerics(call.input("tensor"), call.text("message"),
                                             {.name = call.name()}));
     },
     "The tensor; the step fails where it holds NaN or infinity."},
    {"ensure_shape(x, shape, name=None)",
     [](const Call& call) {
       return give(raw::EnsureShape(call.input("x"), call.shape("shape"), {.name = call.name()}));
     },
     "The tensor, which must have that shape when it runs."},
    {"add_check_numerics_ops()", [](const Call&) { return give(add_check_numerics_ops()); },
     "One operation that checks all floating-point tensors of the graph."},
    {"math.is_non_decreasing(x, name=None)",
     [](const Call& call) {
       return give(debugging::is_non_decreasing(call.input("x"), {.name = call.name()}));
     },
     "Whether no element is less than the one before it."},
    {"math.is_strictly_increasing(x, name=None)",
     [](const Call& call) {
       return give(debugging::is_strictly_increasing(call.input("x"), {.name = call.name()}));
     },
     "Whether each element is greater than the one before it."},
};

}  // namespace

void bind_debugging(nb::module_&) { add_functions(kFunctions); }

}  // namespace rill::python
