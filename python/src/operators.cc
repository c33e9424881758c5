#include "operators.h"

#include <array>

#include "call.h"
#include "errors.h"
#include "inputs.h"
#include "origin.h"
#include "rill/api/array/picking.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/quick_slice.h"
#include "rill/api/core/slicing.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/operators.h"
#include "rill/graph/executed_node.h"

namespace rill::python {
namespace {

using Operator = Output (*)(const Input&, const Input&, std::source_location);

// The same operand; `refused` becomes true when it turns out that no tensor can be made of it.
Input watched(Input operand, bool& refused) {
  if (operand.is_output()) return operand;
  const auto watch = [&refused](auto convert) {
    try {
      return convert();
    } catch (nb::python_error& error) {
      refused = error.matches(PyExc_TypeError) || error.matches(PyExc_ValueError);
      throw;
    }
  };
  if (operand.is_value())
    return Input(Input::MakeValue(
        [=](DType wanted) { return watch([&] { return operand.value(wanted); }); }));
  return Input(Input::MakeOutput([=](Scope& scope, std::string_view name, DType wanted) {
    return watch([&] { return operand.as_output(scope, name, wanted); });
  }));
}

bool becomes_tensor(nb::handle operand) {
  try {
    const Input input = operand_of(operand, "y");
    if (input.is_value()) input.value(DType::invalid);
    return true;
  } catch (nb::python_error&) {
    return false;
  }
}

// A value on the left of a tensor takes its type; one on the right where it can. What cannot become
// a tensor computes for itself if its class has the method `reflected_name`.
nb::object apply_operator(Operator f, nb::handle self, nb::handle other, bool reflected,
                          const std::string& reflected_name) {
  if (other.is_none()) value_error("None values not supported.");
  PyObject* both[] = {self.ptr(), other.ptr()};
  const InCallersPlace place(both);
  const Input own(tensor_object(self).output);
  bool refused = false;
  try {
    return building([&] {
      if (reflected) return give(f(input_of(other, DType::invalid, "", "x"), own, {}));
      return give(f(own, watched(operand_of(other, "y"), refused), {}));
    });
  } catch (nb::python_error& error) {
    // The type of the left operand may have been refused before the right one was looked at.
    if (!refused && error.matches(PyExc_TypeError)) refused = !becomes_tensor(other);
    if (!refused || reflected_name.empty() ||
        !nb::hasattr(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(other.ptr()))),
                     reflected_name.c_str()))
      throw;
  }
  return nb::borrow(Py_NotImplemented);
}

nb::object apply_operator(Output (*f)(const Input&, std::source_location), nb::handle self) {
  PyObject* one[] = {self.ptr()};
  const InCallersPlace place(one);
  return building([&] { return give(f(tensor_object(self).output, {})); });
}

// --- indexing ----------------------------------------------------------------------------------

// An array of NumPy can be an index by its type, and is one without dimensions only.
bool is_index(nb::handle value) {
  if (is_tensor(value)) {
    const Output& output = tensor_object(value).output;
    const DType type = base_type(output.dtype());
    const bool is_vector = output.shape().has_rank() && output.shape().rank() == 1;
    return (type == DType::i32 || type == DType::i64) && !is_vector;
  }
  if (!PyIndex_Check(value.ptr()) || PyBool_Check(value.ptr())) return false;
  return nb::len(nb::getattr(value, "shape", nb::tuple())) == 0;
}

Input index_input(nb::handle value) {
  if (!is_index(value))
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
  const auto bound = [&](const char* name, OptionalInput& to) {
    nb::object value = part.attr(name);
    if (!value.is_none()) to = index_input(value);
  };
  bound("start", range.start);
  bound("stop", range.stop);
  bound("step", range.step);
  return range;
}

bool is_mask(nb::handle key) {
  if (PyBool_Check(key.ptr())) return true;
  if (is_tensor(key)) return base_type(tensor_object(key).output.dtype()) == DType::boolean;
  const nb::object dtype = nb::getattr(key, "dtype", nb::none());
  return str_of(nb::getattr(dtype, "kind", nb::str(""))) == "b";
}

// A number that is one of Python's own, and small.
bool plain_number(PyObject* value, std::int64_t& number) {
  if (!PyLong_CheckExact(value)) return false;
  int overflow = 0;
  number = PyLong_AsLongLongAndOverflow(value, &overflow);
  return overflow == 0;
}

bool plain_part(PyObject* part, PlainPart& plain) {
  using Kind = PlainPart::Kind;
  if (PySlice_Check(part)) {
    const auto* range = reinterpret_cast<PySliceObject*>(part);
    std::int64_t step = 1;
    plain.kind = Kind::kRange;
    plain.has_start = range->start != Py_None;
    plain.has_stop = range->stop != Py_None;
    return (range->step == Py_None || plain_number(range->step, step)) && step == 1 &&
           (!plain.has_start || plain_number(range->start, plain.start)) &&
           (!plain.has_stop || plain_number(range->stop, plain.stop));
  }
  if (plain_number(part, plain.start)) return true;
  plain.kind = part == Py_None ? Kind::kNewAxis : Kind::kEllipsis;
  return part == Py_None || part == Py_Ellipsis;
}

// The item where the key is of plain numbers and the tensor has a value; else an empty Output.
Output plain_item(nb::handle self, nb::handle key) {
  if (Py_TYPE(self.ptr()) != eager_tensor_type) return {};
  std::array<PlainPart, 8> parts;
  if (!PyTuple_CheckExact(key.ptr()))
    return plain_part(key.ptr(), parts[0]) ? block_of(tensor_object(self).output, {parts.data(), 1})
                                           : Output();
  const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(key.ptr()));
  if (count > parts.size()) return {};
  for (std::size_t i = 0; i < count; ++i)
    if (!plain_part(PyTuple_GET_ITEM(key.ptr(), static_cast<Py_ssize_t>(i)), parts[i])) return {};
  return block_of(tensor_object(self).output, {parts.data(), count});
}

nb::object tensor_item(nb::handle self, nb::handle key) {
  if (const Output item = plain_item(self, key); item.node) {
    nb::object made = wrap(eager_graph_object(), item);
    forget_recent_nodes();
    return made;
  }
  if (is_mask(key)) {
    PyObject* both[] = {self.ptr(), key.ptr()};
    const InCallersPlace place(both);
    return building([&] {
      return give(boolean_mask(tensor_object(self).output,
                               input_of(key, DType::invalid, "boolean_mask", "mask")));
    });
  }
  GraphChoice choice;
  choice.see(self);
  GraphObject& graph = choice.graph();
  const Scope scope = scope_of(graph.graph).from(capture_origin());
  const std::vector<SlicePart> parts = slice_keys(key);
  return building([&] { return wrap(graph, slice(scope, tensor_object(self).output, parts)); });
}

struct Named {
  const char* name;
  Operator f;
};
// Those with a reflected form, and those without.
constexpr Named kArithmetic[] = {{"add", operators::add},           {"sub", operators::sub},
                                 {"mul", operators::mul},           {"truediv", operators::truediv},
                                 {"floordiv", operators::floordiv}, {"mod", operators::mod},
                                 {"pow", operators::pow},           {"matmul", operators::matmul},
                                 {"and", operators::logical_and},   {"or", operators::logical_or},
                                 {"xor", operators::logical_xor}};
constexpr Named kComparisons[] = {{"lt", operators::less},
                                  {"le", operators::less_equal},
                                  {"gt", operators::greater},
                                  {"ge", operators::greater_equal}};

void bind_operator(nb::class_<TensorObject>& c, const std::string& method, Operator f,
                   bool reflected, const std::string& reflected_name) {
  c.def(
      method.c_str(),
      [f, reflected, reflected_name](nb::handle x, nb::handle y) -> nb::object {
        // What is made of several tensors has operators of its own.
        if (is_composite(y)) return nb::borrow(Py_NotImplemented);
        return apply_operator(f, x, y, reflected, reflected_name);
      },
      nb::arg().none());
}

}  // namespace

std::vector<SlicePart> slice_keys(nb::handle key) {
  std::vector<SlicePart> parts;
  if (PyTuple_Check(key.ptr()) || PyList_Check(key.ptr())) {
    for (nb::handle part : key) parts.push_back(slice_part(part));
  } else {
    parts.push_back(slice_part(key));
  }
  return parts;
}

void bind_operators(nb::class_<TensorObject>& c) {
  for (const Named& n : kArithmetic) {
    const std::string reflected = str_cat("__r", n.name, "__");
    bind_operator(c, str_cat("__", n.name, "__"), n.f, false, reflected);
    bind_operator(c, reflected, n.f, true, "");
  }
  for (const Named& n : kComparisons) bind_operator(c, str_cat("__", n.name, "__"), n.f, false, "");
  c.def("__getitem__", tensor_item, nb::arg().none());
  c.def("__neg__", [](nb::handle x) { return apply_operator(operators::negative, x); });
  c.def("__invert__", [](nb::handle x) { return apply_operator(operators::invert, x); });
  c.def("__abs__", [](nb::handle x) {
    return apply_operator(
        [](const Input& v, std::source_location at) { return rill::abs(v, {}, at); }, x);
  });
}

}  // namespace rill::python
