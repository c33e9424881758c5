#pragma once

#include "call.h"
#include "gradient_values.h"
#include "inputs.h"
#include "optimizers.h"
#include "variables.h"

namespace rill::python {

// Names of the methods that Python classes may override.
inline constexpr const char kPrepare[] = "_prepare";
inline constexpr const char kCreateSlots[] = "_create_slots";
inline constexpr const char kApplyDense[] = "_apply_dense";
inline constexpr const char kResourceApplyDense[] = "_resource_apply_dense";
inline constexpr const char kApplySparse[] = "_apply_sparse";
inline constexpr const char kResourceApplySparse[] = "_resource_apply_sparse";
inline constexpr const char kApplyDuplicates[] = "_apply_sparse_duplicate_indices";
inline constexpr const char kResourceApplyDuplicates[] = "_resource_apply_sparse_duplicate_indices";
inline constexpr const char kFinish[] = "_finish";
inline constexpr const char kValidDtypes[] = "_valid_dtypes";
inline constexpr const char kComputeGradients[] = "compute_gradients";
inline constexpr const char kApplyGradients[] = "apply_gradients";

// Variables and tensors of a nested list: what gradients can be taken of.
std::vector<nb::object> differentiable_of(nb::handle list);
nb::list give_all(const std::vector<Variable>& variables);
nb::object call_compute_gradients(const nb::object& method, Output loss,
                                  const train::ComputeGradientsOptions& options);
nb::object call_apply_gradients(const nb::object& method,
                                const std::vector<train::GradientAndVariable>& items,
                                const train::ApplyGradientsOptions& options);
std::vector<DType> dtypes_of(nb::handle set);

// An optimizer `Base` whose virtual functions ask Python first.
template <class Base>
class Overridable final : public Base, public PythonSide {
 public:
  template <class... Args>
  explicit Overridable(PyObject* self, Args&&... args)
      : Base(std::forward<Args>(args)...), PythonSide(self) {}

  void prepare() override {
    const nb::object method = overridden(kPrepare);
    if (!method.is_valid()) return Base::prepare();
    method();
    read_tensors();
  }
  void create_slots(const std::vector<Variable>& var_list) override {
    const nb::object method = overridden(kCreateSlots);
    if (!method.is_valid()) return Base::create_slots(var_list);
    method(give_all(var_list));
  }
  Node& apply_dense(Output grad, const Variable& var) override {
    const nb::object method = overridden(kApplyDense);
    if (!method.is_valid()) return Base::apply_dense(grad, var);
    return node_of(method(give(grad), give(var)));
  }
  Node& resource_apply_dense(Output grad, const Variable& var) override {
    const nb::object method = overridden(kResourceApplyDense);
    if (!method.is_valid()) return Base::resource_apply_dense(grad, var);
    return node_of(method(give(grad), give(var)));
  }
  Node& apply_sparse(const IndexedSlices& grad, const Variable& var) override {
    const nb::object method = overridden(kApplySparse);
    if (!method.is_valid()) return Base::apply_sparse(grad, var);
    return node_of(method(give(Gradient(grad)), give(var)));
  }
  Node& resource_apply_sparse(Output grad, const Variable& var, Output indices) override {
    const nb::object method = overridden(kResourceApplySparse);
    if (!method.is_valid()) return Base::resource_apply_sparse(grad, var, indices);
    return node_of(method(give(grad), give(var), give(indices)));
  }
  Node& apply_sparse_duplicate_indices(const IndexedSlices& grad, const Variable& var) override {
    const nb::object method = overridden(kApplyDuplicates);
    if (!method.is_valid()) return Base::apply_sparse_duplicate_indices(grad, var);
    return node_of(method(give(Gradient(grad)), give(var)));
  }
  Node& resource_apply_sparse_duplicate_indices(Output grad, const Variable& var,
                                                Output indices) override {
    const nb::object method = overridden(kResourceApplyDuplicates);
    if (!method.is_valid())
      return Base::resource_apply_sparse_duplicate_indices(grad, var, indices);
    return node_of(method(give(grad), give(var), give(indices)));
  }
  Node& finish(const std::vector<Node*>& update_ops, const std::string& name_scope) override {
    const nb::object method = overridden(kFinish);
    if (!method.is_valid()) return Base::finish(update_ops, name_scope);
    nb::list ops;
    for (Node* op : update_ops) ops.append(give(*op));
    return node_of(method(ops, nb::str(name_scope.c_str())));
  }
  std::vector<DType> valid_dtypes() const override {
    const nb::object method = const_cast<Overridable*>(this)->overridden(kValidDtypes);
    if (!method.is_valid()) return Base::valid_dtypes();
    return dtypes_of(method());
  }
  std::vector<train::GradientAndVariable> compute_gradients(
      Output loss, const train::ComputeGradientsOptions& options,
      std::source_location at) override {
    const nb::object method = overridden(kComputeGradients);
    if (!method.is_valid()) return Base::compute_gradients(loss, options, at);
    return grads_and_vars_of(call_compute_gradients(method, loss, options));
  }
  Node& apply_gradients(const std::vector<train::GradientAndVariable>& items,
                        const train::ApplyGradientsOptions& options,
                        std::source_location at) override {
    const nb::object method = overridden(kApplyGradients);
    if (!method.is_valid()) return Base::apply_gradients(items, options, at);
    return node_of(call_apply_gradients(method, items, options));
  }
};

}  // namespace rill::python
