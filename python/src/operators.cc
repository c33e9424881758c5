#include "operators.h"

#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "numpy.h"
#include "origin.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/slicing.h"

namespace rill::python {
namespace {

// Where the nodes of one operator go.
struct Place {
  GraphObject& graph;
  Scope scope;
};

Place place_of(const TensorObject& tensor) {
  return {*tensor.graph, scope_of(tensor.graph->graph).from(capture_origin())};
}

// The scope of an operator made of several nodes; its last node takes the scope's own name.
Scope inner_scope(const Place& place, std::string_view name) { return place.scope.named(name); }
std::string own_name(const Scope& inner) { return inner.name() + "/"; }

DType base_of(nb::handle tensor) { return base_type(tensor_object(tensor).output.dtype()); }

// The right operand takes the left one's type where it can; where not, the op says what is wrong.
Input right_operand(nb::handle value, DType dtype) {
  if (value.is_none()) value_error("None values not supported.");
  const Input input = input_of(value, dtype, "", "y");
  if (!input.is_value()) return input;
  return Input(Input::MakeValue([held = nb::borrow(value), dtype](DType) {
    try {
      return tensor_from_value(held, dtype);
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_TypeError)) throw;
      return tensor_from_value(held, DType::invalid);
    }
  }));
}

Input left_operand(nb::handle value, DType dtype) {
  if (value.is_none()) value_error("None values not supported.");
  const Input input = input_of(value, dtype, "", "x");
  if (!input.is_value()) return input;
  return Input(Input::MakeValue(
      [held = nb::borrow(value), dtype](DType) { return tensor_from_value(held, dtype); }));
}

struct Operands {
  Input x, y;
};

// `self` is the right operand of a reflected operator.
Operands operands(nb::handle self, nb::handle other, bool reflected) {
  GraphChoice choice;
  choice.see(self);
  choice.see(other);
  const Input own(tensor_object(self).output);
  if (reflected) return {left_operand(other, base_of(self)), own};
  return {own, right_operand(other, base_of(self))};
}

nb::object output_of(GraphObject& graph, Node& node) { return wrap(graph, node.output()); }

nb::object binary(nb::handle self, nb::handle other, bool reflected, std::string_view op,
                  std::string_view name) {
  Place place = place_of(tensor_object(self));
  auto [x, y] = operands(self, other, reflected);
  return building([&] { return output_of(place.graph, place.scope.add(op, {x, y}, {}, name)); });
}

nb::object unary(nb::handle self, std::string_view op, std::string_view name) {
  Place place = place_of(tensor_object(self));
  return building([&] {
    return output_of(place.graph, place.scope.add(op, {tensor_object(self).output}, {}, name));
  });
}

// The type in which integers are divided; other types divide in their own.
DType division_type(DType dtype) {
  switch (dtype) {
    case DType::u8:
    case DType::i8:
    case DType::u16:
    case DType::i16:
      return DType::f32;
    case DType::i32:
    case DType::i64:
    case DType::u32:
    case DType::u64:
      return DType::f64;
    default:
      return DType::invalid;
  }
}

nb::object true_divide(nb::handle self, nb::handle other, bool reflected) {
  Place place = place_of(tensor_object(self));
  const auto given = operands(self, other, reflected);
  return building([&] {
    Scope inner = inner_scope(place, "truediv");
    Output x = given.x.as_output(inner, "x", DType::invalid);
    Output y = given.y.as_output(inner, "y", DType::invalid);
    const DType dtype = base_type(x.dtype());
    if (dtype != base_type(y.dtype()))
      type_error("`x` and `y` must have the same dtype, got tf.", numpy_style_name(dtype),
                 " != tf.", numpy_style_name(base_type(y.dtype())), ".");
    if (const DType wide = division_type(dtype); wide != DType::invalid) {
      x = inner.add("Cast", {x}, {{"DstT", wide}}).output();
      y = inner.add("Cast", {y}, {{"DstT", wide}}).output();
    }
    return output_of(place.graph, inner.add("RealDiv", {x, y}, {}, own_name(inner)));
  });
}

nb::object logical_xor(nb::handle self, nb::handle other, bool reflected) {
  Place place = place_of(tensor_object(self));
  auto [x, y] = operands(self, other, reflected);
  return building([&] {
    Scope inner = inner_scope(place, "xor");
    const Output either = inner.add("LogicalOr", {x, y}).output();
    const Output both = inner.add("LogicalAnd", {x, y}).output();
    const Output not_both = inner.add("LogicalNot", {both}).output();
    return output_of(place.graph, inner.add("LogicalAnd", {either, not_both}, {}, own_name(inner)));
  });
}

nb::object bitwise(nb::handle self, nb::handle other, bool reflected, std::string_view op,
                   std::string_view name) {
  Place place = place_of(tensor_object(self));
  auto [x, y] = operands(self, other, reflected);
  return building([&] {
    Scope inner = inner_scope(place, name);
    return output_of(place.graph, inner.add(op, {x, y}));
  });
}

nb::object and_or_xor(nb::handle self, nb::handle other, bool reflected, char which) {
  const bool is_bool = base_of(self) == DType::boolean;
  if (which == '^')
    return is_bool ? logical_xor(self, other, reflected)
                   : bitwise(self, other, reflected, "BitwiseXor", "xor");
  const bool is_and = which == '&';
  const char* name = is_and ? "and" : "or";
  if (is_bool) return binary(self, other, reflected, is_and ? "LogicalAnd" : "LogicalOr", name);
  return bitwise(self, other, reflected, is_and ? "BitwiseAnd" : "BitwiseOr", name);
}

// Strings have the older op only.
nb::object add(nb::handle self, nb::handle other, bool reflected) {
  return binary(self, other, reflected, base_of(self) == DType::string ? "Add" : "AddV2", "add");
}

Node& add_matmul(Scope& inner, Output a, Output b, bool transpose_a, bool transpose_b) {
  const std::string name = own_name(inner);
  if (a.shape().rank() == 2 && b.shape().rank() == 2)
    return inner.add("MatMul", {a, b}, {{"transpose_a", transpose_a}, {"transpose_b", transpose_b}},
                     name);
  return inner.add("BatchMatMulV2", {a, b}, {{"adj_x", transpose_a}, {"adj_y", transpose_b}}, name);
}

nb::object matmul_operator(nb::handle self, nb::handle other, bool reflected) {
  Place place = place_of(tensor_object(self));
  const auto given = operands(self, other, reflected);
  return building([&] {
    Scope inner = inner_scope(place, "matmul");
    const Output a = given.x.as_output(inner, "x", DType::invalid);
    const Output b = given.y.as_output(inner, "b", DType::invalid);
    return output_of(place.graph, add_matmul(inner, a, b, false, false));
  });
}

// --- indexing ----------------------------------------------------------------------------------

Input index_input(nb::handle value) {
  const bool is_number = PyIndex_Check(value.ptr()) && !PyBool_Check(value.ptr());
  if (!is_tensor(value) && !is_number)
    type_error(
        "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
        "tf.int32/tf.int64 tensors are valid indices, got ",
        repr_of(value));
  return input_of(value, DType::invalid, "", "index");
}

SlicePart slice_part(nb::handle part) {
  if (part.is_none()) return NewAxis{};
  if (part.ptr() == Py_Ellipsis) return Ellipsis{};
  if (!PySlice_Check(part.ptr())) return index_input(part);
  SliceRange range;
  const auto bound = [&](const char* name, std::optional<Input>& to) {
    nb::object value = part.attr(name);
    if (!value.is_none()) to = index_input(value);
  };
  bound("start", range.start);
  bound("stop", range.stop);
  bound("step", range.step);
  return range;
}

nb::object get_item(nb::handle self, nb::handle key) {
  Place place = place_of(tensor_object(self));
  std::vector<SlicePart> parts;
  if (PyTuple_Check(key.ptr()) || PyList_Check(key.ptr())) {
    for (nb::handle part : key) parts.push_back(slice_part(part));
  } else {
    parts.push_back(slice_part(key));
  }
  return building(
      [&] { return wrap(place.graph, slice(place.scope, tensor_object(self).output, parts)); });
}

using Binary = nb::object (*)(nb::handle, nb::handle, bool);

void bind_both(nb::class_<TensorObject>& c, const std::string& name, Binary f) {
  c.def(("__" + name + "__").c_str(), [f](nb::handle x, nb::handle y) { return f(x, y, false); },
        nb::arg().none());
  c.def(("__r" + name + "__").c_str(), [f](nb::handle x, nb::handle y) { return f(x, y, true); },
        nb::arg().none());
}

// One op, one name: `make<"Sub", "sub">`.
struct Simple {
  const char *python, *op, *name;
};
constexpr Simple kSimple[] = {{"sub", "Sub", "sub"},
                              {"mul", "Mul", "mul"},
                              {"floordiv", "FloorDiv", "floordiv"},
                              {"mod", "FloorMod", "mod"},
                              {"pow", "Pow", "pow"}};
constexpr Simple kComparisons[] = {{"__lt__", "Less", "Less"},
                                   {"__le__", "LessEqual", "LessEqual"},
                                   {"__gt__", "Greater", "Greater"},
                                   {"__ge__", "GreaterEqual", "GreaterEqual"}};

void bind_simple(nb::class_<TensorObject>& c) {
  for (const Simple& s : kSimple) {
    const std::string name = s.python;
    c.def(("__" + name + "__").c_str(),
          [s](nb::handle x, nb::handle y) { return binary(x, y, false, s.op, s.name); },
          nb::arg().none());
    c.def(("__r" + name + "__").c_str(),
          [s](nb::handle x, nb::handle y) { return binary(x, y, true, s.op, s.name); },
          nb::arg().none());
  }
  for (const Simple& s : kComparisons)
    c.def(
        s.python, [s](nb::handle x, nb::handle y) { return binary(x, y, false, s.op, s.name); },
        nb::arg().none());
}

}  // namespace

nb::object matmul(nb::handle a, nb::handle b, bool transpose_a, bool transpose_b,
                  const std::string& name) {
  GraphChoice choice;
  choice.see(a);
  choice.see(b);
  Place place{choice.graph(), scope_of(choice.graph().graph).from(capture_origin())};
  return building([&] {
    Scope inner = inner_scope(place, name.empty() ? "MatMul" : name);
    const auto tensor = [&](nb::handle value, DType dtype, const char* arg) {
      return input_of(value, dtype, "MatMul", arg).as_output(inner, arg, DType::invalid);
    };
    const Output left = tensor(a, DType::invalid, "a");
    const Output right = tensor(b, base_type(left.dtype()), "b");
    return output_of(place.graph, add_matmul(inner, left, right, transpose_a, transpose_b));
  });
}

void bind_operators(nb::class_<TensorObject>& c) {
  bind_simple(c);
  bind_both(c, "add", add);
  bind_both(c, "truediv", true_divide);
  bind_both(c, "matmul", matmul_operator);
  bind_both(c, "and", [](nb::handle x, nb::handle y, bool r) { return and_or_xor(x, y, r, '&'); });
  bind_both(c, "or", [](nb::handle x, nb::handle y, bool r) { return and_or_xor(x, y, r, '|'); });
  bind_both(c, "xor", [](nb::handle x, nb::handle y, bool r) { return and_or_xor(x, y, r, '^'); });
  c.def("__getitem__", get_item, nb::arg().none());
  c.def("__neg__", [](nb::handle x) { return unary(x, "Neg", "Neg"); });
  c.def("__abs__", [](nb::handle x) {
    return unary(x, kComplexTypes.contains(base_of(x)) ? "ComplexAbs" : "Abs", "Abs");
  });
  c.def("__invert__", [](nb::handle x) {
    const bool is_bool = base_of(x) == DType::boolean;
    return unary(x, is_bool ? "LogicalNot" : "Invert", is_bool ? "LogicalNot" : "Invert");
  });
}

}  // namespace rill::python
