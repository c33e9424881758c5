// What functions of tf.linalg give for linear operators in place of matrices.
#include "dispatch.h"
#include "errors.h"
#include "package.h"
#include "rill/api/math/matrices.h"

namespace rill::python {
namespace {

bool is_linear_operator(nb::handle value) {
  return nb::isinstance(value, package::linear_operator.get());
}

nb::object operator_product(const Call& call) {
  if (call.flag("transpose_a") || call.flag("transpose_b"))
    value_error("Transposing not supported at this time.");
  if (call.flag("a_is_sparse") || call.flag("b_is_sparse"))
    value_error("Sparse methods not supported at this time.");
  const nb::handle a = call["a"], b = call["b"];
  const bool adjoint_a = call.flag("adjoint_a"), adjoint_b = call.flag("adjoint_b");
  if (is_linear_operator(a))
    return a.attr("matmul")(b, nb::arg("adjoint") = adjoint_a, nb::arg("adjoint_arg") = adjoint_b);
  // a b is the adjoint of b* a*.
  const nb::object turned =
      b.attr("matmul")(a, nb::arg("adjoint") = !adjoint_b, nb::arg("adjoint_arg") = !adjoint_a);
  return give(linalg::adjoint(tensor_object(turned).output));
}

nb::object operator_solution(const Call& call) {
  if (!is_linear_operator(call["matrix"]))
    value_error("Passing in `matrix` as a Tensor and `rhs` as a LinearOperator is not supported.");
  return call["matrix"].attr("solve")(call["rhs"], nb::arg("adjoint") = call.flag("adjoint"));
}

nb::object operator_vector_product(const Call& call) {
  if (call.flag("transpose_a")) value_error("Transposing not supported at this time.");
  if (call.flag("a_is_sparse") || call.flag("b_is_sparse"))
    value_error("Sparse methods not supported at this time.");
  return call["a"].attr("matvec")(call["b"], nb::arg("adjoint") = call.flag("adjoint_a"));
}

nb::object operator_inverse(const Call& call) {
  const nb::handle op = call["input"];
  return call.flag("adjoint") ? op.attr("adjoint")().attr("inverse")() : op.attr("inverse")();
}

struct OperatorForm {
  const char *path, *argument, *method;  // a method that takes nothing else
  nb::object (*run)(const Call& call) = nullptr;
};
constexpr OperatorForm kOperatorForms[] = {
    {"linalg.adjoint", "matrix", "adjoint"},
    {"linalg.cholesky", "input", "cholesky"},
    {"linalg.det", "input", "determinant"},
    {"linalg.diag_part", "input", "diag_part"},
    {"linalg.inv", "input", "", operator_inverse},
    {"linalg.logdet", "matrix", "log_abs_determinant"},
    {"linalg.matmul", "a", "", operator_product},
    {"linalg.matvec", "a", "", operator_vector_product},
    {"linalg.solve", "matrix", "", operator_solution},
    {"linalg.trace", "x", "trace"},
};

}  // namespace

nb::object operator_form(std::string_view path, const std::vector<std::string>& names,
                         std::span<PyObject* const> values) {
  if (!path.starts_with("linalg.")) return {};
  for (const OperatorForm& form : kOperatorForms) {
    if (path != form.path) continue;
    const bool takes_two = form.run != nullptr && values.size() > 1;
    if (!is_linear_operator(values[0]) && !(takes_two && is_linear_operator(values[1]))) return {};
    const Call call(names, values);
    return form.run != nullptr ? form.run(call) : call[form.argument].attr(form.method)();
  }
  return {};
}

}  // namespace rill::python
