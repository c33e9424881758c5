// tf.contrib.framework: values for variables, of a checkpoint or of the program.
#include <nanobind/stl/string.h>

#include "call.h"
#include "errors.h"
#include "numpy.h"
#include "rill/api/saver/contrib_framework.h"
#include "saver.h"
#include "variable_scopes.h"
#include "variables.h"

namespace rill::python {
namespace {

namespace framework = contrib::framework;

// A dict by names in the checkpoint, or variables under their own.
train::NamedToSave to_restore_by_name(nb::handle given) {
  train::NamedToSave named;
  if (nb::isinstance<nb::dict>(given)) {
    for (const auto& [name, value] : nb::borrow<nb::dict>(given))
      add_to_save(value, named[str_of(name)]);
    return named;
  }
  std::vector<train::ToSave> list;
  if (!given.is_none()) add_to_save(given, list);
  return train::named_to_save(list);
}

nb::object give_fed(const framework::FedOperation& fed) {
  nb::dict feeds;
  for (const auto& [output, value] : fed.feeds)
    feeds[give(output)] = numpy_from_tensor(value.clone());
  return nb::make_tuple(give(*fed.operation), feeds);
}

std::vector<std::string> scopes_of(nb::handle given, const char* argument) {
  if (!nb::isinstance<nb::list>(given) && !nb::isinstance<nb::tuple>(given))
    type_error(argument, " is provided but is not a list or a tuple.");
  std::vector<std::string> scopes;
  for (nb::handle item : given) {
    const VariableScopeRef scope = variable_scope_of(item);
    scopes.push_back(scope ? scope->name : str_of(item));
  }
  return scopes;
}

constexpr Function kFunctions[] = {
    {"contrib.framework.get_variables_to_restore(include=None, exclude=None)",
     [](const Call& c) -> nb::object {
       std::optional<std::vector<std::string>> include;
       if (c.has("include")) include = scopes_of(c["include"], "include");
       std::vector<std::string> exclude;
       if (c.has("exclude")) exclude = scopes_of(c["exclude"], "exclude");
       nb::list list;
       for (const Variable& variable : framework::get_variables_to_restore(include, exclude))
         list.append(give(variable));
       return list;
     },
     "The variables of the scopes to include, without those of the scopes to exclude."},
    {"contrib.framework.assign_from_values(var_names_to_values)",
     [](const Call& c) -> nb::object {
       std::map<std::string, Tensor> values;
       for (const auto& [name, value] : nb::cast<nb::dict>(c["var_names_to_values"]))
         values.emplace(str_of(name), tensor_from_value(value, DType::invalid));
       return give_fed(framework::assign_from_values(values));
     },
     "An operation that gives variables values, and what to feed to it."},
    {"contrib.framework.assign_from_checkpoint(model_path, var_list, ignore_missing_vars=False)",
     [](const Call& c) -> nb::object {
       return give_fed(framework::assign_from_checkpoint(
           c.text("model_path"), to_restore_by_name(c["var_list"]), c.flag("ignore_missing_vars")));
     },
     "An operation that gives variables the values of a checkpoint, and what to feed to it."},
    {"contrib.framework.zero_initializer(ref, use_locking=True, name='zero_initializer')",
     [](const Call& c) -> nb::object {
       const Variable ref = variable_of(c["ref"]);
       return give_written(ref, framework::zero_initializer(ref, c.name()));
     },
     "Gives a variable zeros."},
};

}  // namespace

void bind_contrib_framework() { add_functions(kFunctions); }

}  // namespace rill::python
