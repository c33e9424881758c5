#include "errors.h"
#include "math_functions.h"
#include "plain_values.h"
#include "rill/api/math/einsum.h"
#include "rill/api/math/matrices.h"
#include "rill/api/math/products.h"

namespace rill::python {
namespace {

MatmulOptions matmul_options(const Call& call) {
  return {.transpose_a = call.flag("transpose_a"),
          .transpose_b = call.flag("transpose_b"),
          .adjoint_a = call.flag("adjoint_a"),
          .adjoint_b = call.flag("adjoint_b"),
          .a_is_sparse = call.flag("a_is_sparse"),
          .b_is_sparse = call.flag("b_is_sparse"),
          .name = call.name()};
}

// One list of dimensions, or a single dimension.
std::vector<std::int64_t> dimensions(nb::handle value) {
  if (PyNumber_Check(value.ptr()) != 0 && !nb::hasattr(value, "__len__"))
    return {integer_of(value, "axes")};
  std::vector<std::int64_t> list;
  for (nb::handle item : value) list.push_back(integer_of(item));
  return list;
}

TensordotAxes tensordot_axes(const Call& call) {
  const nb::handle axes = call["axes"];
  if (PyIndex_Check(axes.ptr()) && !nb::hasattr(axes, "__len__")) {
    const std::int64_t count = call.integer("axes");
    if (count < 0) value_error("`axes` must be at least 0. Received: ", count, ".");
    return TensordotAxes(static_cast<int>(std::min<std::int64_t>(count, 255)));
  }
  if (is_tensor(axes)) return TensordotAxes(tensor_object(axes).output);
  if (!nb::hasattr(axes, "__len__") || nb::len(axes) != 2)
    value_error("`axes` must be an integer or have length 2. Received ", repr_of(axes), ".");
  return TensordotAxes(dimensions(axes[0]), dimensions(axes[1]));
}

// How sums are ordered is no matter of the caller's here; the arguments that say so are accepted.
nb::object einsum_of(const Call& call) {
  std::string name;
  for (const auto& [key, value] : nb::borrow<nb::dict>(call["kwargs"])) {
    const std::string argument = str_of(key);
    if (argument == "name")
      name = value.is_none() ? "" : str_of(value);
    else if (argument != "optimize" && argument != "greedy")
      type_error("Invalid keyword arguments for einsum: ", argument,
                 ". Valid arguments: name, optimize, greedy.");
  }
  return give(einsum(call.text("equation"), call.inputs("inputs"), {.name = name}, {}));
}

constexpr Function kFunctions[] = {
    {"linalg.matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, "
     "a_is_sparse=False, b_is_sparse=False, name=None)",
     [](const Call& call) {
       return give(matmul(call.input("a"), call.input("b"), matmul_options(call), {}));
     },
     "The product of matrices."},
    {"linalg.matvec(a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, "
     "b_is_sparse=False, name=None)",
     [](const Call& call) {
       return give(linalg::matvec(call.input("a"), call.input("b"),
                                  {.transpose_a = call.flag("transpose_a"),
                                   .adjoint_a = call.flag("adjoint_a"),
                                   .a_is_sparse = call.flag("a_is_sparse"),
                                   .b_is_sparse = call.flag("b_is_sparse"),
                                   .name = call.name()},
                                  {}));
     },
     "The product of a matrix and a vector."},
    {"linalg.adjoint(matrix, name=None)", unary<linalg::adjoint>,
     "The conjugates of matrices, transposed."},
    {"eye(num_rows, num_columns=None, batch_shape=None, dtype=tf.float32, name=None)",
     [](const Call& call) {
       return give(eye(call.input("num_rows"),
                       {.num_columns = call.optional_input("num_columns"),
                        .batch_shape = call.optional_input("batch_shape"),
                        .dtype = call.dtype("dtype", DType::f32),
                        .name = call.name()},
                       {}));
     },
     "Matrices with ones on their main diagonals."},
    {"tensordot(a, b, axes, name=None)",
     [](const Call& call) {
       return give(tensordot(call.input("a"), call.input("b"), tensordot_axes(call),
                             {.name = call.name()}, {}));
     },
     "The product of tensors, summed over pairs of dimensions."},
    {"einsum(equation, *inputs, **kwargs)", einsum_of,
     "Products of tensors in Einstein's notation."},
};

}  // namespace

void add_product_functions() { add_functions(kFunctions); }

}  // namespace rill::python
