// tf.assign and the other functions of variables.
#include "call.h"
#include "errors.h"
#include "inputs.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/variables/state_ops.h"
#include "rill/api/variables/variable_lists.h"
#include "variables.h"

namespace rill::python {
namespace {

nb::object give_variables(const std::vector<Variable>& variables) {
  nb::list list;
  for (const Variable& variable : variables) list.append(give(variable));
  return list;
}

// The reference that a ref variable, or a tensor that stands for one, is.
Output reference_of(const Call& c, const char* name = "ref") {
  const nb::handle ref = c[name];
  if (is_variable(ref)) return variable_object(ref).variable.handle();
  if (is_tensor(ref)) return tensor_object(ref).output;
  type_error("Expected a Variable, got ", repr_of(ref));
}

bool is_resource(const Call& c) {
  return is_variable(c["ref"]) && variable_object(c["ref"]).variable.is_resource();
}

// `how` is "", "Add" or "Sub".
nb::object assign_to_ref(const Call& c, const char* how, bool may_validate) {
  if (is_resource(c)) {
    const Variable& v = variable_object(c["ref"]).variable;
    const AssignOptions options{false, c.name()};
    const Input value = c.input("value", v.dtype());
    const std::string_view kind = how;
    const Output result = kind == "Add"   ? v.assign_add(value, options)
                          : kind == "Sub" ? v.assign_sub(value, options)
                                          : v.assign(value, options);
    return give_written(v, result);
  }
  AttrMap attrs;
  if (may_validate && c.has("validate_shape"))
    attrs.emplace("validate_shape", c.flag("validate_shape"));
  if (c.has("use_locking")) attrs.emplace("use_locking", c.flag("use_locking"));
  Node& node = current_scope().add(str_cat("Assign", how), {reference_of(c), c.input("value")},
                                   std::move(attrs), c.name());
  return give(node.output(0));
}

// `op` is the one for references.
nb::object scatter_into(const Call& c, const std::string& op, bool nd) {
  if (is_resource(c)) {
    const Variable& v = variable_object(c["ref"]).variable;
    const std::string_view how = std::string_view(op).substr(nd ? 9 : 7);
    const Input indices = c.input("indices"), updates = c.input("updates", v.dtype());
    const AssignOptions options{false, c.name()};
    return give_written(v, nd ? v.scatter_nd(how, indices, updates, options)
                              : v.scatter(how, indices, updates, options));
  }
  Node& node = current_scope().add(op, {reference_of(c), c.input("indices"), c.input("updates")},
                                   {{"use_locking", c.flag("use_locking")}}, c.name());
  return give(node.output(0));
}

std::vector<Variable> variables_in(nb::handle list) {
  std::vector<Variable> variables;
  for (nb::handle item : list) variables.push_back(variable_of(item));
  return variables;
}

// All that a program has where it does not say which.
std::vector<Variable> given_or_all(const Call& c) {
  if (c.has("var_list")) return variables_in(c["var_list"]);
  std::vector<Variable> all = global_variables();
  for (Variable& local : local_variables()) all.push_back(std::move(local));
  return all;
}

nb::object init_global(const Call&) { return give(global_variables_initializer()); }
nb::object init_local(const Call&) { return give(local_variables_initializer()); }

constexpr Function kFunctions[] = {
    {"assign(ref, value, validate_shape=None, use_locking=None, name=None)",
     [](const Call& c) { return assign_to_ref(c, "", true); }},
    {"assign_add(ref, value, use_locking=None, name=None)",
     [](const Call& c) { return assign_to_ref(c, "Add", false); }},
    {"assign_sub(ref, value, use_locking=None, name=None)",
     [](const Call& c) { return assign_to_ref(c, "Sub", false); }},
    {"scatter_add(ref, indices, updates, use_locking=False, name=None)",
     [](const Call& c) { return scatter_into(c, "ScatterAdd", false); }},
    {"scatter_sub(ref, indices, updates, use_locking=False, name=None)",
     [](const Call& c) { return scatter_into(c, "ScatterSub", false); }},
    {"scatter_mul(ref, indices, updates, use_locking=False, name=None)",
     [](const Call& c) { return scatter_into(c, "ScatterMul", false); }},
    {"scatter_div(ref, indices, updates, use_locking=False, name=None)",
     [](const Call& c) { return scatter_into(c, "ScatterDiv", false); }},
    {"scatter_min(ref, indices, updates, use_locking=False, name=None)",
     [](const Call& c) { return scatter_into(c, "ScatterMin", false); }},
    {"scatter_max(ref, indices, updates, use_locking=False, name=None)",
     [](const Call& c) { return scatter_into(c, "ScatterMax", false); }},
    {"scatter_update(ref, indices, updates, use_locking=True, name=None)",
     [](const Call& c) { return scatter_into(c, "ScatterUpdate", false); }},
    {"scatter_nd_add(ref, indices, updates, use_locking=False, name=None)",
     [](const Call& c) { return scatter_into(c, "ScatterNdAdd", true); }},
    {"scatter_nd_sub(ref, indices, updates, use_locking=False, name=None)",
     [](const Call& c) { return scatter_into(c, "ScatterNdSub", true); }},
    {"scatter_nd_update(ref, indices, updates, use_locking=True, name=None)",
     [](const Call& c) { return scatter_into(c, "ScatterNdUpdate", true); }},
    {"count_up_to(ref, limit, name=None)",
     [](const Call& c) {
       if (is_tensor(c["ref"]))
         return give(count_up_to(reference_of(c, "ref"), c.integer("limit"), c.name()));
       return give(variable_of(c["ref"]).count_up_to(c.integer("limit"), c.name()));
     }},
    {"batch_scatter_update(ref, indices, updates, use_locking=True, name=None)",
     [](const Call& c) {
       const Variable v = variable_of(c["ref"]);
       return give_written(
           v, batch_scatter_update(v, c.input("indices"), c.input("updates", v.dtype()),
                                   {c.flag("use_locking"), c.name()}));
     }},
    {"report_uninitialized_variables(var_list=None, name='report_uninitialized_variables')",
     [](const Call& c) { return give(report_uninitialized_variables(given_or_all(c), c.name())); }},
    {"is_variable_initialized(variable)",
     [](const Call& c) {
       if (is_tensor(c["variable"]))
         return give(is_variable_initialized(reference_of(c, "variable")));
       return give(variable_of(c["variable"]).is_initialized());
     }},
    {"global_variables(scope=None)",
     [](const Call& c) { return give_variables(global_variables(c.text("scope"))); }},
    {"local_variables(scope=None)",
     [](const Call& c) { return give_variables(local_variables(c.text("scope"))); }},
    {"trainable_variables(scope=None)",
     [](const Call& c) { return give_variables(trainable_variables(c.text("scope"))); }},
    {"model_variables(scope=None)",
     [](const Call& c) { return give_variables(model_variables(c.text("scope"))); }},
    {"moving_average_variables(scope=None)",
     [](const Call& c) { return give_variables(moving_average_variables(c.text("scope"))); }},
    {"all_variables()", [](const Call&) { return give_variables(global_variables()); }},
    {"initializers.global_variables()", init_global},
    {"initialize_all_variables()", init_global},
    {"initializers.local_variables()", init_local},
    {"initialize_local_variables()", init_local},
    {"initializers.variables(var_list, name='init')",
     [](const Call& c) {
       if (executing_eagerly()) return nb::object(nb::none());  // they have values
       return nb::object(give(variables_initializer(variables_in(c["var_list"]), c.name())));
     }},
    {"initialize_variables(var_list, name='init')",
     [](const Call& c) {
       if (executing_eagerly()) return nb::object(nb::none());  // they have values
       return nb::object(give(variables_initializer(variables_in(c["var_list"]), c.name())));
     }},
    {"assert_variables_initialized(var_list=None)",
     [](const Call& c) -> nb::object {
       const std::vector<Variable> variables = given_or_all(c);
       if (variables.empty()) return nb::none();
       return give(assert_variables_initialized(variables));
     }},
};

}  // namespace

void bind_variable_functions(nb::module_&) { add_functions(kFunctions); }

}  // namespace rill::python
