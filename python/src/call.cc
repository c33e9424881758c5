#include "call.h"

#include <nanobind/stl/string.h>

#include <algorithm>

#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "origin.h"
#include "package.h"
#include "plain_values.h"
#include "rill/api/core/default_graph.h"
#include "rill/graph/executed_node.h"
#include "rill/graph/traced_functions.h"
#include "shapes.h"
#include "truth.h"

namespace rill::python {

nb::handle Call::operator[](std::string_view name) const {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (names_[i] == name) return values_[i];
  throw_python(PyExc_SystemError, str_cat("the signature has no parameter ", name));
}

bool Call::knows(std::string_view name) const {
  return std::ranges::find(names_, name) != names_.end();
}

Input Call::input(std::string_view name, DType dtype) const {
  const nb::handle value = (*this)[name];
  if (value.is_none()) value_error("None values not supported.");
  return input_of(value, dtype, "", std::string(name));
}

OptionalInput Call::optional_input(std::string_view name, DType dtype) const {
  if (!has(name)) return {};
  return input(name, dtype);
}

Input Call::operand(std::string_view name) const {
  const nb::handle value = (*this)[name];
  if (value.is_none()) value_error("None values not supported.");
  return operand_of(value, name);
}

std::string_view Call::given(std::string_view name, std::string_view old_name) const {
  if (!has(old_name)) return name;
  if (has(name)) value_error("Cannot specify both '", old_name, "' and '", name, "'.");
  return old_name;
}

std::vector<Input> Call::inputs(std::string_view name, DType dtype) const {
  const nb::handle list = (*this)[name];
  if (!PyList_Check(list.ptr()) && !PyTuple_Check(list.ptr()))
    type_error("Expected list for '", name, "' argument, not ", repr_of(list), ".");
  std::vector<Input> items;
  for (nb::handle item : list) items.push_back(input_of(item, dtype, "", std::string(name)));
  return items;
}

DType Call::dtype(std::string_view name, DType if_none) const {
  return has(name) ? base_type(as_dtype((*this)[name])) : if_none;
}

PartialShape Call::shape(std::string_view name) const { return as_shape((*this)[name]); }

std::string Call::text(std::string_view name) const {
  const nb::handle value = (*this)[name];
  return value.is_none() ? "" : text_of(value, std::string(name).c_str());
}

bool Call::flag(std::string_view name) const { return truth_of((*this)[name]); }

std::int64_t Call::integer(std::string_view name) const {
  return integer_of((*this)[name], std::string(name).c_str());
}

namespace {

// Seeds may be as long as Python's integers are: only the rest modulo 2^31 - 1 counts.
std::int64_t rest_of_seed(nb::handle seed) {
  const nb::object limit = nb::int_(0x7fffffff);
  const nb::object rest = nb::steal(PyNumber_Remainder(seed.ptr(), limit.ptr()));
  if (!rest.is_valid()) throw nb::python_error();
  return integer_of(rest, "seed");
}

}  // namespace

std::optional<std::int64_t> Call::optional_integer(std::string_view name) const {
  if (!has(name)) return {};
  const nb::handle value = (*this)[name];
  if (name.ends_with("seed") && PyLong_Check(value.ptr())) return rest_of_seed(value);
  return integer(name);
}

std::vector<std::int64_t> Call::integers(std::string_view name) const {
  const nb::handle value = (*this)[name];
  if (PySequence_Check(value.ptr()) == 0 && PyNumber_Check(value.ptr()) != 0)
    return {integer(name)};
  std::vector<std::int64_t> numbers;
  for (nb::handle item : value) numbers.push_back(integer_of(item, std::string(name).c_str()));
  return numbers;
}

double Call::number(std::string_view name) const {
  return number_of((*this)[name], std::string(name).c_str());
}

namespace {

GraphObject& owner_of(const Node& node) {
  if (GraphObject* known = known_graph(node.graph())) return *known;
  if (node.is_executed()) return eager_graph_object();
  nb::object made = wrap(default_graph());  // made by C++: the default graph of the process
  if (graph_object(made).graph.get() != &node.graph())
    throw_python(PyExc_RuntimeError, "The graph of this object no longer exists.");
  return graph_object(made);
}

}  // namespace

nb::object graph_of(const Node& node) { return nb::borrow(owner_of(node).self); }

nb::object give(Output output) {
  if (output.node == nullptr)
    throw_python(PyExc_RuntimeError, "what was asked for has no tensor here");
  return wrap(owner_of(*output.node), output);
}

nb::object give(Node& operation) { return wrap(owner_of(operation), operation); }

nb::object give(const std::vector<Output>& outputs) {
  nb::list list;
  for (const Output& output : outputs) list.append(give(output));
  return list;
}

nb::object give(const Gradient& gradient) {
  if (gradient.empty()) return nb::none();
  if (!gradient.is_slices()) return give(gradient.dense());
  const IndexedSlices& slices = gradient.slices();
  return package::indexed_slices(
      give(slices.values), give(slices.indices),
      slices.dense_shape.node ? give(slices.dense_shape) : nb::object(nb::none()));
}

struct InCallersPlace::State {
  State(nb::object graph, OriginRef origin)
      : held(std::move(graph)), as_default(graph_object(held).graph), made_at(std::move(origin)) {}
  nb::object held;
  AsDefault as_default;
  MadeAt made_at;
};

namespace {

bool is_symbolic(nb::handle value) {
  return Py_TYPE(value.ptr()) != eager_tensor_type && is_tensor(value) &&
         !tensor_object(value).output.node->is_executed();
}

// What is done with a tensor of a graph is added to that graph, in eager execution, too.
bool has_symbolic(nb::handle value) {
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) return is_symbolic(value);
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value.ptr()); ++i)
    if (is_symbolic(PySequence_Fast_GET_ITEM(value.ptr(), i))) return true;
  return false;
}

}  // namespace

InCallersPlace::InCallersPlace(std::span<PyObject* const> arguments) {
  if (executing_eagerly() &&
      std::ranges::none_of(arguments, [](PyObject* value) { return has_symbolic(value); }))
    return;
  GraphChoice choice;
  for (PyObject* argument : arguments) choice.see(argument);
  if (executing_eagerly() && is_traced(*choice.graph().graph))
    type_error("a tensor of a function that was built is out of scope and cannot be used here. ",
               "Use return values, explicit Python locals or TensorFlow collections to access it.");
  state_ = std::make_unique<State>(nb::borrow(choice.graph().self), capture_origin());
}

// Where everything has a holder by now, what was made on the way can go.
InCallersPlace::~InCallersPlace() {
  if (state_ == nullptr && executing_eagerly()) forget_recent_nodes();
}

}  // namespace rill::python
