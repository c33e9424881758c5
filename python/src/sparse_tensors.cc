#include "sparse_tensors.h"

#include "errors.h"
#include "inputs.h"
#include "package.h"
#include "rill/api/sparse/sparse_operators.h"
#include "shapes.h"

namespace rill::python {
namespace {

Output part(nb::handle tensor, const char* name) {
  return tensor_object(nb::object(tensor.attr(name))).output;
}

// Values may be anything that becomes a tensor.
SparseTensor from_parts(nb::handle indices, nb::handle values, nb::handle dense_shape) {
  const auto input = [](nb::handle value, DType dtype, const char* name) {
    return input_of(value, dtype, "", name);
  };
  return SparseTensor(input(indices, DType::i64, "indices"),
                      input(values, DType::invalid, "values"),
                      input(dense_shape, DType::i64, "dense_shape"));
}

const Function kFunctions[] = {
    {"sparse_tensor_parts(indices, values, dense_shape)",
     [](const Call& call) -> nb::object {
       const SparseTensor made = from_parts(call["indices"], call["values"], call["dense_shape"]);
       return nb::make_tuple(give(made.indices), give(made.values), give(made.dense_shape));
     }},
    {"sparse_times_dense(sparse, dense)",
     [](const Call& call) {
       const SparseTensor sparse = sparse_of(call["sparse"]);
       return give(sparse * call.input("dense", sparse.dtype()));
     }},
    {"sparse_by_dense(sparse, dense)",
     [](const Call& call) {
       const SparseTensor sparse = sparse_of(call["sparse"]);
       return give(sparse / call.input("dense", sparse.dtype()));
     }},
};

}  // namespace

bool is_sparse(nb::handle value) {
  return nb::isinstance(value, package::sparse_tensor.get()) ||
         nb::isinstance(value, package::sparse_tensor_value.get());
}

SparseTensor sparse_of(nb::handle value) {
  if (nb::isinstance(value, package::sparse_tensor_value.get()))
    return from_parts(nb::object(value[0]), nb::object(value[1]), nb::object(value[2]));
  if (!nb::isinstance(value, package::sparse_tensor.get()))
    type_error("Input must be a SparseTensor.");
  SparseTensor tensor;
  tensor.indices = part(value, "indices");
  tensor.values = part(value, "values");
  tensor.dense_shape = part(value, "dense_shape");
  tensor.hint = as_shape(nb::object(value.attr("_hint")));
  return tensor;
}

std::vector<SparseTensor> sparse_list_of(nb::handle values) {
  if (!PyList_Check(values.ptr()) && !PyTuple_Check(values.ptr()))
    type_error("Inputs must be a list");
  std::vector<SparseTensor> tensors;
  for (nb::handle value : values) tensors.push_back(sparse_of(value));
  return tensors;
}

nb::object give(const SparseTensor& tensor) {
  return package::sparse_tensor.get().attr("_of")(give(tensor.indices), give(tensor.values),
                                                  give(tensor.dense_shape),
                                                  shape_object(tensor.hint));
}

nb::object give(const std::vector<SparseTensor>& tensors) {
  nb::list list;
  for (const SparseTensor& tensor : tensors) list.append(give(tensor));
  return list;
}

void bind_sparse_tensors(nb::module_& m) {
  add_functions(kFunctions);
  m.def(
      "constant_shape_value",
      [](nb::handle tensor) {
        return building(
            [&] { return shape_object(constant_shape_value(tensor_object(tensor).output)); });
      },
      nb::arg("tensor"));
}

}  // namespace rill::python
