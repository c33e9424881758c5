#include "optimizers.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "dtypes.h"
#include "errors.h"
#include "gradients.h"
#include "optimizer_overrides.h"
#include "plain_values.h"
#include "rill/api/replicas/strategy.h"
#include "rill/api/train/named_optimizers.h"
#include "shapes.h"
#include "variable_scopes.h"

namespace rill::python {
// --- what Python asks C++ ------------------------------------------------------------------------

namespace {

OptimizerObject& initialized_optimizer(OptimizerObject& o) {
  if (o.optimizer == nullptr)
    throw_python(PyExc_RuntimeError, "the optimizer's __init__ has not been called");
  return o;
}

// Runs `build` in the graph of `seen`, where the program stands.
template <class Build>
auto on_optimizer(OptimizerObject& o, nb::handle seen, Build build) {
  PyObject* const arguments[] = {seen.ptr()};
  const InCallersPlace place(arguments);
  return building([&] {
    try {
      return build(*initialized_optimizer(o).optimizer);
    } catch (const Error& error) {  // a function that subclasses must have
      if (error.code() != Code::kUnimplemented) throw;
      throw_python(PyExc_NotImplementedError, error.message());
    }
  });
}

// Runs the optimizer's own form of a function that Python may override.
template <class Build>
auto directly(OptimizerObject& o, const char* name, nb::handle seen, Build build) {
  return on_optimizer(o, seen, [&](train::Optimizer& optimizer) {
    o.side->skip_next(name);
    return build(optimizer);
  });
}

train::GateGradients gate_of(nb::handle value) {
  const long number = PyLong_Check(value.ptr()) ? PyLong_AsLong(value.ptr()) : -1;
  if (number < 0 || number > 2)
    value_error(
        "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, "
        "Optimizer.GATE_GRAPH.  Not ",
        str_of(value));
  return static_cast<train::GateGradients>(number);
}

// The variables live as long as the optimizer knows them.
void keep_optimizer_graph(OptimizerObject& o, nb::handle graph) {
  for (const nb::object& known : o.graphs)
    if (known.is(graph)) return;
  o.graphs.push_back(nb::borrow(graph));
}

// Pairs for a list that has tensors in it, which have gradients but cannot be changed.
nb::object gradients_with_tensors(Output loss, const std::vector<nb::object>& asked,
                                  const train::ComputeGradientsOptions& options) {
  std::vector<Output> targets;
  for (const nb::object& one : asked)
    targets.push_back(is_tensor(one) ? tensor_object(one).output : variable_of(one).handle());
  GradientOptions how{.colocate_with_ops = options.colocate_gradients_with_ops,
                      .gate = options.gate_gradients == train::GateGradients::kOp,
                      .aggregation = options.aggregation_method};
  if (!options.grad_loss.empty()) how.grad_ys = {options.grad_loss};
  const std::vector<Gradient> gradients = rill::gradients({loss}, targets, how);
  nb::list pairs;
  for (std::size_t i = 0; i < asked.size(); ++i)
    pairs.append(nb::make_tuple(give(gradients[i]), asked[i]));
  return pairs;
}

nb::object eager_gradients(OptimizerObject& o, nb::handle loss, nb::handle var_list,
                           nb::handle grad_loss) {
  if (is_tensor(loss) || is_variable(loss) || !PyCallable_Check(loss.ptr()))
    throw_python(PyExc_RuntimeError,
                 "`loss` passed to Optimizer.compute_gradients should be a function when eager "
                 "execution is enabled.");
  return on_optimizer(o, loss, [&](train::Optimizer& optimizer) -> nb::object {
    train::ComputeGradientsOptions options;
    if (!var_list.is_none()) options.var_list = variables_of(var_list);
    options.grad_loss = gradient_of(grad_loss);
    return give(optimizer.compute_gradients(
        std::function<Output()>([&] { return converted_tensor(loss(), "loss"); }), options));
  });
}

nb::object compute_gradients(OptimizerObject& o, nb::handle loss, nb::handle var_list,
                             nb::handle gate_gradients, nb::handle aggregation_method,
                             bool colocate, nb::handle grad_loss) {
  nb::object value = nb::borrow(loss);
  if (executing_eagerly()) return eager_gradients(o, loss, var_list, grad_loss);
  if (!is_tensor(loss) && !is_variable(loss) && PyCallable_Check(loss.ptr())) value = loss();
  train::ComputeGradientsOptions options;
  options.gate_gradients = gate_of(gate_gradients);
  options.aggregation_method = as_aggregation(aggregation_method);
  options.colocate_gradients_with_ops = colocate;
  return on_optimizer(o, value, [&](train::Optimizer& optimizer) -> nb::object {
    std::vector<nb::object> asked;
    if (!var_list.is_none()) asked = differentiable_of(var_list);
    const bool has_tensors =
        std::ranges::any_of(asked, [](const nb::object& one) { return is_tensor(one); });
    if (!var_list.is_none() && !has_tensors) {
      nb::list variables;  // `var_list` may be an iterator, which is read once
      for (const nb::object& one : asked) variables.append(one);
      options.var_list = variables_of(variables);
    }
    options.grad_loss = gradient_of(grad_loss);
    const Output tensor = gradient_of(value).dense();
    nb::object pairs;
    differentiating(graph_object(give(*tensor.node).attr("graph")), [&] {
      if (has_tensors) {
        pairs = gradients_with_tensors(tensor, asked, options);
        return;
      }
      o.side->skip_next(kComputeGradients);
      pairs = give(optimizer.compute_gradients(tensor, options));
    });
    return pairs;
  });
}

nb::object apply_gradients(OptimizerObject& o, nb::handle grads_and_vars, nb::handle global_step,
                           nb::handle name) {
  const nb::tuple list(nb::steal(PySequence_Tuple(grads_and_vars.ptr())));
  if (nb::len(list) == 0) value_error("No variables provided.");
  const nb::object first = list[0][1];
  return directly(o, kApplyGradients, first, [&](train::Optimizer& optimizer) -> nb::object {
    train::ApplyGradientsOptions options;
    if (!global_step.is_none()) options.global_step = variable_of(global_step);
    if (!name.is_none()) options.name = text_of(name, "name");
    keep_optimizer_graph(o, wrap(default_graph()));
    Node& done = optimizer.apply_gradients(grads_and_vars_of(list), options);
    // In a replica: the global step as it is then.
    if (distribute::has_strategy() && done.output_count() == 1) return give(done.output(0));
    return give(done);
  });
}

nb::object minimize(OptimizerObject& o, nb::handle loss, nb::handle global_step,
                    nb::handle var_list, nb::handle gate_gradients, nb::handle aggregation_method,
                    nb::handle colocate, nb::handle name, nb::handle grad_loss) {
  const nb::handle self = initialized_optimizer(o).side->self();
  const nb::object items = self.attr("compute_gradients")(
      loss, nb::arg("var_list") = var_list, nb::arg("gate_gradients") = gate_gradients,
      nb::arg("aggregation_method") = aggregation_method,
      nb::arg("colocate_gradients_with_ops") = colocate, nb::arg("grad_loss") = grad_loss);
  bool any = false;
  nb::list shown;
  for (nb::handle item : items) {
    any |= !nb::object(item[0]).is_none();
    shown.append(nb::str(nb::object(item[1])));
  }
  if (!any)
    value_error(
        "No gradients provided for any variable, check your graph for ops that do not "
        "support gradients, between variables ",
        repr_of(shown), " and loss ", str_of(loss), ".");
  return self.attr("apply_gradients")(items, nb::arg("global_step") = global_step,
                                      nb::arg("name") = name);
}

// --- binding -------------------------------------------------------------------------------------

template <class C>
void bind_building(C& c) {
  c.def("compute_gradients", compute_gradients, nb::arg("loss"), nb::arg("var_list") = nb::none(),
        nb::arg("gate_gradients") = 1, nb::arg("aggregation_method") = nb::none(),
        nb::arg("colocate_gradients_with_ops") = false, nb::arg("grad_loss") = nb::none());
  c.def("apply_gradients", apply_gradients, nb::arg("grads_and_vars"),
        nb::arg("global_step") = nb::none(), nb::arg("name") = nb::none());
  c.def("minimize", minimize, nb::arg("loss"), nb::arg("global_step") = nb::none(),
        nb::arg("var_list") = nb::none(), nb::arg("gate_gradients") = 1,
        nb::arg("aggregation_method") = nb::none(), nb::arg("colocate_gradients_with_ops") = false,
        nb::arg("name") = nb::none(), nb::arg("grad_loss") = nb::none());
}

template <class C>
void bind_overridable(C& c) {
  c.def("_prepare", [](OptimizerObject& o) {
    directly(o, kPrepare, nb::none(), [](train::Optimizer& p) { p.prepare(); });
  });
  c.def("_create_slots", [](OptimizerObject& o, nb::handle var_list) {
    const std::vector<Variable> variables = variables_of(var_list);
    directly(o, kCreateSlots, nb::none(), [&](train::Optimizer& p) { p.create_slots(variables); });
  });
  c.def("_apply_dense", [](OptimizerObject& o, nb::handle grad, nb::handle var) {
    return directly(o, kApplyDense, grad, [&](train::Optimizer& p) {
      return give(p.apply_dense(gradient_of(grad).dense(), variable_of(var)));
    });
  });
  c.def("_resource_apply_dense", [](OptimizerObject& o, nb::handle grad, nb::handle var) {
    return directly(o, kResourceApplyDense, grad, [&](train::Optimizer& p) {
      return give(p.resource_apply_dense(gradient_of(grad).dense(), variable_of(var)));
    });
  });
  c.def("_apply_sparse", [](OptimizerObject& o, nb::handle grad, nb::handle var) {
    return directly(o, kApplySparse, var, [&](train::Optimizer& p) {
      return give(p.apply_sparse(gradient_of(grad).slices(), variable_of(var)));
    });
  });
  c.def("_apply_sparse_duplicate_indices", [](OptimizerObject& o, nb::handle grad, nb::handle var) {
    return directly(o, kApplyDuplicates, var, [&](train::Optimizer& p) {
      return give(p.apply_sparse_duplicate_indices(gradient_of(grad).slices(), variable_of(var)));
    });
  });
  c.def("_resource_apply_sparse",
        [](OptimizerObject& o, nb::handle grad, nb::handle var, nb::handle indices) {
          return directly(o, kResourceApplySparse, grad, [&](train::Optimizer& p) {
            return give(p.resource_apply_sparse(gradient_of(grad).dense(), variable_of(var),
                                                gradient_of(indices).dense()));
          });
        });
  c.def("_resource_apply_sparse_duplicate_indices",
        [](OptimizerObject& o, nb::handle grad, nb::handle var, nb::handle indices) {
          return directly(o, kResourceApplyDuplicates, grad, [&](train::Optimizer& p) {
            return give(p.resource_apply_sparse_duplicate_indices(
                gradient_of(grad).dense(), variable_of(var), gradient_of(indices).dense()));
          });
        });
  c.def("_finish", [](OptimizerObject& o, nb::handle update_ops, const std::string& name_scope) {
    std::vector<Node*> ops;
    for (nb::handle op : update_ops) ops.push_back(&node_of(op));
    return directly(o, kFinish, nb::none(),
                    [&](train::Optimizer& p) { return give(p.finish(ops, name_scope)); });
  });
  c.def("_valid_dtypes", [](OptimizerObject& o) {
    nb::object types = nb::steal(PySet_New(nullptr));
    initialized_optimizer(o).side->skip_next(kValidDtypes);
    for (const DType type : o.optimizer->valid_dtypes()) types.attr("add")(dtype_object(type));
    return types;
  });
}

template <class C>
void bind_slots(C& c) {
  c.def(
      "get_slot",
      [](OptimizerObject& o, nb::handle var, const std::string& name) {
        return give_or_none(initialized_optimizer(o).optimizer->get_slot(variable_of(var), name));
      },
      nb::arg("var"), nb::arg("name"));
  c.def("get_slot_names",
        [](OptimizerObject& o) { return initialized_optimizer(o).optimizer->get_slot_names(); });
  c.def("variables", [](OptimizerObject& o) {
    return give_all(initialized_optimizer(o).optimizer->variables());
  });
  c.def("_non_slot_variables", [](OptimizerObject& o) {
    return give_all(initialized_optimizer(o).optimizer->non_slot_variables());
  });
  c.def("_zeros_slot", [](OptimizerObject& o, nb::handle var, const std::string& slot_name,
                          const std::string& op_name) {
    return on_optimizer(o, var, [&](train::Optimizer& p) {
      return give(p.zeros_slot(variable_of(var), slot_name, op_name));
    });
  });
  c.def("_get_or_make_slot", [](OptimizerObject& o, nb::handle var, nb::handle value,
                                const std::string& slot_name, const std::string& op_name) {
    return on_optimizer(o, var, [&](train::Optimizer& p) {
      return give(p.get_or_make_slot(variable_of(var), input_of(value, DType::invalid, "", "val"),
                                     slot_name, op_name));
    });
  });
  c.def("_get_or_make_slot_with_initializer",
        [](OptimizerObject& o, nb::handle var, nb::handle initializer, nb::handle shape,
           nb::handle dtype, const std::string& slot_name, const std::string& op_name) {
          return on_optimizer(o, var, [&](train::Optimizer& p) {
            return give(p.get_or_make_slot_with_initializer(
                variable_of(var), initializer_of(initializer), as_shape(shape),
                base_type(as_dtype(dtype)), slot_name, op_name));
          });
        });
  c.def(
      "_create_non_slot_variable",
      [](OptimizerObject& o, nb::handle initial_value, const std::string& name,
         nb::handle colocate_with) {
        return on_optimizer(o, colocate_with, [&](train::Optimizer& p) {
          return give(p.create_non_slot_variable(
              input_of(initial_value, DType::invalid, "", "initial_value"), name,
              variable_of(colocate_with)));
        });
      },
      nb::arg("initial_value"), nb::arg("name"), nb::arg("colocate_with"));
  c.def(
      "_get_non_slot_variable",
      [](OptimizerObject& o, const std::string& name, nb::handle graph) {
        const Graph& in = graph.is_none() ? *default_graph() : *graph_object(graph).graph;
        return give_or_none(initialized_optimizer(o).optimizer->get_non_slot_variable(name, in));
      },
      nb::arg("name"), nb::arg("graph") = nb::none());
  // What a hyper-parameter is in the latest update, by the attribute that stands for it.
  c.def("_hyper_tensor", [](OptimizerObject& o, const std::string& name) -> nb::object {
    if (o.side != nullptr)
      for (const auto& [attribute, hyper] : o.side->tensors)
        if (attribute == name) return hyper->tensor.node ? give(hyper->tensor) : nb::none();
    throw_python(PyExc_AttributeError, str_cat("this optimizer has no attribute '", name, "'"));
  });
}

}  // namespace

void bind_optimizers(nb::module_& m) {
  // Of each its short name, its class, the momentum that the class is given (0: it asks for none),
  // and whether premade estimators know it.
  m.def("named_optimizers", [] {
    nb::list all;
    for (const train::NamedOptimizer& one : train::named_optimizers())
      all.append(nb::make_tuple(one.name, one.class_name, one.momentum, one.of_estimators));
    return all;
  });
  nb::class_<OptimizerObject> c(m, "OptimizerCore");
  c.def(
      "__init__",
      [](OptimizerObject* self, nb::handle owner, const std::string& kind, bool use_locking,
         nb::handle name) {
        if (name.is_none() || text_of(name, "name").empty())
          value_error("Must specify the optimizer name");
        new (self) OptimizerObject();
        make_optimizer(owner, *self, kind, use_locking, text_of(name, "name"));
      },
      nb::arg("owner"), nb::arg("kind"), nb::arg("use_locking"), nb::arg("name").none());
  c.def("get_name",
        [](OptimizerObject& o) { return initialized_optimizer(o).optimizer->get_name(); });
  bind_building(c);
  bind_overridable(c);
  bind_slots(c);
}

}  // namespace rill::python
