#include "inputs.h"

#include <algorithm>

#include "dtypes.h"
#include "errors.h"
#include "gradient_values.h"
#include "numpy.h"
#include "rill/api/core/default_graph.h"
#include "rill/graph/grad_ctx.h"
#include "rows.h"
#include "variables.h"

namespace rill::python {
namespace {

// TensorFlow names the parameter of an op and quotes the inner complaint.
[[noreturn]] void wrong_value(nb::handle value, DType wanted, std::string_view op_name,
                              std::string_view arg_name, nb::python_error& inner) {
  const bool is_plain = !inner.matches(PyExc_TypeError) || wanted == DType::invalid;
  if (is_plain || op_name.empty()) throw std::move(inner);
  type_error("Expected ", numpy_style_name(wanted), " passed to parameter '", arg_name, "' of op '",
             op_name, "', got ", repr_of(value), " of type '", type_name_of(value),
             "' instead. Error: ", str_of(inner.value()));
}

Tensor convert(nb::handle value, DType wanted, std::string_view op_name,
               std::string_view arg_name) {
  try {
    return tensor_from_value(value, wanted);
  } catch (nb::python_error& error) {
    wrong_value(value, wanted, op_name, arg_name, error);
  }
}

// In a list of one type the first tensor decides it.
DType first_tensor_type(nb::handle list) {
  for (nb::handle item : list)
    if (is_tensor(item)) return base_type(tensor_object(item).output.dtype());
  return DType::invalid;
}

InputArg list_arg(const Op& op, const Arg& arg, nb::handle value) {
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr()))
    type_error("Expected list for '", arg.name, "' argument to '", op.name, "' Op, not ",
               repr_of(value), ".");
  const DType dtype = arg.number_attr.empty() ? DType::invalid : first_tensor_type(value);
  std::vector<Input> items;
  for (nb::handle item : value) items.push_back(input_of(item, dtype, op.name, arg.name));
  return InputArg(std::move(items));
}

// --- lists that hold tensors -------------------------------------------------------------------

DType nested_tensor_type(nb::handle value) {
  if (is_tensor(value)) return base_type(tensor_object(value).output.dtype());
  if (is_variable(value)) return base_type(variable_object(value).variable.dtype());
  if (!is_sequence(value)) return DType::invalid;
  for (nb::handle item : value)
    if (const DType type = nested_tensor_type(item); type != DType::invalid) return type;
  return DType::invalid;
}

// A tensor of another type is cast where the list's type was asked for, and refused where the
// first tensor has decided it.
Output item_of_type(Scope& scope, Output tensor, DType dtype, bool may_cast) {
  if (base_type(tensor.dtype()) == dtype) return tensor;
  if (!may_cast)
    type_error("Cannot convert a list containing a tensor of dtype <dtype: '",
               numpy_style_name(base_type(tensor.dtype())), "'> to <dtype: '",
               numpy_style_name(dtype), "'> (Tensor is: <tf.Tensor '", tensor.name(),
               "' shape=", shape_text(tensor.shape()), " dtype=", numpy_style_name(tensor.dtype()),
               ">)");
  return scope.add("Cast", {tensor}, {{"DstT", dtype}}).output();
}

// TensorFlow opens a scope for every inner list, packed or not; the names tell.
Output pack(Scope& scope, nb::handle list, std::string_view name, DType dtype, bool may_cast) {
  Scope inner = scope.named(name);
  std::vector<Input> items;
  std::vector<std::pair<std::size_t, nb::handle>> values;
  for (nb::handle item : list) {
    const std::string position = std::to_string(items.size());
    if (is_tensor(item)) {
      items.emplace_back(item_of_type(inner, tensor_object(item).output, dtype, may_cast));
    } else if (is_variable(item)) {
      const auto& variable = variable_object(item).variable;
      if (base_type(variable.dtype()) == dtype) {
        items.emplace_back(variable);
      } else {
        items.emplace_back(item_of_type(inner, variable.value(), dtype, may_cast));
      }
    } else if (is_sequence(item) && nested_tensor_type(item) != DType::invalid) {
      items.emplace_back(pack(inner, item, position, dtype, may_cast));
    } else {
      if (is_sequence(item)) inner.named(position);
      values.emplace_back(items.size(), item);
      items.emplace_back(Output());
    }
  }
  for (const auto& [i, item] : values)
    items[i] = inner.constant(tensor_from_value(item, dtype), std::to_string(i));
  return inner.add("Pack", {InputArg(std::move(items))}, {}, inner.name() + "/").output();
}

// --- rows of a tensor, which become one where a tensor is wanted --------------------------------

IndexedSlices slices_of(nb::handle value) {
  const auto part = [&](const char* name) {
    nb::object tensor = value.attr(name);
    return is_tensor(tensor) ? tensor_object(tensor).output : Output();
  };
  return {part("values"), part("indices"), part("dense_shape")};
}

// --- conversions that programs register ----------------------------------------------------------

struct Conversion {
  nb::object type;  // a class or a tuple of classes
  nb::object function;
  int priority;
};

std::vector<Conversion>& conversions() {
  static auto& list = *new std::vector<Conversion>;  // by priority, then by age
  return list;
}

// How early the library's own conversion of a value comes.
int own_priority(nb::handle value) {
  const bool is_common = is_sequence(value) || is_slices(value) ||
                         nb::hasattr(value, "__array__") || PyIndex_Check(value.ptr()) ||
                         PyFloat_Check(value.ptr());
  return is_common ? 100 : 200;
}

// Nodes that Python code makes meanwhile go where the op under construction has its scope.
class ConversionScope {
 public:
  explicit ConversionScope(const Scope& scope) : current_(current_scope()), outer_(current_) {
    current_ = scope;
  }
  ~ConversionScope() { current_ = std::move(outer_); }
  ConversionScope(const ConversionScope&) = delete;
  ConversionScope& operator=(const ConversionScope&) = delete;

 private:
  Scope& current_;
  Scope outer_;
};

std::string describe_conversion(const Conversion& conversion) {
  return str_cat("Conversion function ", repr_of(conversion.function), " for type ",
                 repr_of(conversion.type));
}

// What a registered function makes of a value; nothing where it declines.
Output converted(const Conversion& conversion, nb::handle value, std::string_view name,
                 DType wanted) {
  nb::object dtype = wanted == DType::invalid ? nb::none() : dtype_object(wanted);
  nb::object given = name.empty() ? nb::none() : nb::object(nb::str(name.data(), name.size()));
  nb::object result = conversion.function(value, nb::arg("dtype") = dtype, nb::arg("name") = given,
                                          nb::arg("as_ref") = false);
  if (result.is(nb::handle(Py_NotImplemented))) return {};
  if (!is_tensor(result))
    throw_python(PyExc_RuntimeError, str_cat(describe_conversion(conversion),
                                             " returned non-Tensor: ", repr_of(result)));
  const Output output = tensor_object(result).output;
  if (wanted != DType::invalid && base_type(output.dtype()) != wanted)
    throw_python(PyExc_RuntimeError,
                 str_cat(describe_conversion(conversion),
                         " returned incompatible dtype: requested = ", numpy_style_name(wanted),
                         ", actual = ", numpy_style_name(output.dtype())));
  return output;
}

// The registered functions that come before the library's own conversion of the value.
std::vector<Conversion> conversions_of(nb::handle value) {
  std::vector<Conversion> fitting;
  if (conversions().empty()) return fitting;
  const int limit = own_priority(value);
  for (const Conversion& conversion : conversions())
    if (conversion.priority < limit && nb::isinstance(value, conversion.type))
      fitting.push_back(conversion);
  return fitting;
}

Input by_conversion(std::vector<Conversion> fitting, nb::handle value, DType dtype,
                    std::string_view op_name, std::string_view arg_name) {
  return Input(Input::MakeOutput(
      [=, held = nb::borrow(value), op = std::string(op_name), arg = std::string(arg_name)](
          Scope& scope, std::string_view name, DType hint) {
        const ConversionScope inside(scope);
        const DType wanted = dtype == DType::invalid ? hint : dtype;
        for (const Conversion& conversion : fitting)
          if (const Output output = converted(conversion, held, name, wanted); output.node)
            return output;
        return scope.constant(convert(held, wanted, op, arg), name);
      }));
}

}  // namespace

bool has_conversion(nb::handle value) {
  return !is_tensor(value) && !conversions_of(value).empty();
}

void bind_inputs(nb::module_& m) {
  m.def(
      "register_tensor_conversion_function",
      [](nb::object base_type, nb::object function, int priority) {
        const bool is_class = PyType_Check(base_type.ptr());
        bool fits = is_class || PyTuple_Check(base_type.ptr());
        if (!is_class && fits)
          for (nb::handle item : base_type) fits &= PyType_Check(item.ptr()) != 0;
        if (!fits) type_error("base_type must be a type or a tuple of types.");
        if (!PyCallable_Check(function.ptr())) type_error("conversion_func must be callable.");
        auto& list = conversions();
        const auto later = [&](const Conversion& c) { return c.priority > priority; };
        list.insert(std::find_if(list.begin(), list.end(), later),
                    {std::move(base_type), std::move(function), priority});
      },
      nb::arg("base_type"), nb::arg("conversion_func"), nb::arg("priority") = 100);
}

Input input_of(nb::handle value, DType dtype, std::string_view op_name, std::string_view arg_name) {
  if (is_tensor(value)) return Input(tensor_object(value).output);
  if (is_variable(value)) return Input(variable_object(value).variable);
  if (auto fitting = conversions_of(value); !fitting.empty())
    return by_conversion(std::move(fitting), value, dtype, op_name, arg_name);
  if (is_operation(value))
    type_error("Can't convert Operation '", operation_object(value).node().name(),
               "' to Tensor (target dtype=None, name=", arg_name, ", as_ref=False)");
  if (nb::hasattr(value, "_as_tensor"))
    return Input(tensor_object(nb::object(value.attr("_as_tensor")())).output);
  if (nb::hasattr(value, "_as_graph_element")) {
    nb::object element = value.attr("_as_graph_element")();
    if (is_tensor(element)) return Input(tensor_object(element).output);
  }
  if (is_slices(value)) {
    const IndexedSlices slices = slices_of(value);
    return Input(Input::MakeOutput([slices](Scope& scope, std::string_view name, DType) {
      return densify(scope, slices, name == "packed" ? std::string_view() : name);
    }));
  }
  if (const DType inner = nested_tensor_type(value); inner != DType::invalid)
    return Input(Input::MakeOutput([held = nb::borrow(value), dtype, inner](
                                       Scope& scope, std::string_view name, DType wanted) {
      const DType hint = dtype == DType::invalid ? wanted : dtype;
      const DType type = hint == DType::invalid ? inner : hint;
      return pack(scope, held, name, type, type != inner);
    }));
  return Input(Input::MakeValue([held = nb::borrow(value), dtype, op = std::string(op_name),
                                 arg = std::string(arg_name)](DType wanted) {
    return convert(held, dtype == DType::invalid ? wanted : dtype, op, arg);
  }));
}

std::optional<IndexedSlices> rows_of(nb::handle value) {
  if (!is_slices(value)) return {};
  return slices_of(value);
}

Input operand_of(nb::handle value, std::string_view arg_name) {
  const Input input = input_of(value, DType::invalid, "", arg_name);
  if (input.is_output()) return input;
  // The wanted type is a preference: what cannot take it keeps its own.
  const auto preferring = [](auto convert) {
    return [convert](DType wanted) {
      try {
        return convert(wanted);
      } catch (nb::python_error& error) {
        if (!error.matches(PyExc_TypeError) || wanted == DType::invalid) throw;
      }
      return convert(DType::invalid);
    };
  };
  if (input.is_value())
    return Input(Input::MakeValue(preferring(
        [held = nb::borrow(value)](DType type) { return tensor_from_value(held, type); })));
  return Input(
      Input::MakeOutput([preferring, input](Scope& scope, std::string_view name, DType wanted) {
        return preferring([&](DType type) { return input.as_output(scope, name, type); })(wanted);
      }));
}

InputArg input_arg(const Op& op, const Arg& arg, nb::handle value) {
  if (arg.is_list()) return list_arg(op, arg, value);
  if (arg.is_ref && is_variable(value))
    return InputArg(Input(variable_object(value).variable.handle()));
  return InputArg(input_of(value, DType::invalid, op.name, arg.name));
}

}  // namespace rill::python
