#include "rill/api/layers/contrib_regularizers.h"

#include <nanobind/stl/string.h>

#include "layers.h"
#include "variable_scopes.h"

namespace rill::python {
namespace {

// A regularizer of C++ as a function of Python.
nb::object regularizer_function(const Regularizer& regularizer) {
  if (!regularizer) return nb::none();
  return nb::cpp_function([regularizer](nb::handle weights) -> nb::object {
    PyObject* const seen[] = {weights.ptr()};
    const InCallersPlace place(seen);
    return building([&]() -> nb::object {
      const AnyVariable variable = is_variable(weights)
                                       ? AnyVariable(variable_object(weights).variable)
                                       : AnyVariable(tensor_of(weights, "weights"));
      const Output loss = regularizer.loss(variable);
      return loss.node ? give(loss) : nb::none();
    });
  });
}

}  // namespace

void bind_contrib_regularizers(nb::module_& m) {
  m.def("contrib_regularizer",
        [](const std::string& kind, double first, double second, const std::string& scope) {
          return building([&] {
            if (kind == "l1")
              return regularizer_function(contrib::layers::l1_regularizer(first, scope));
            if (kind == "l2")
              return regularizer_function(contrib::layers::l2_regularizer(first, scope));
            return regularizer_function(contrib::layers::l1_l2_regularizer(first, second, scope));
          });
        });
  m.def("contrib_sum_regularizer", [](nb::handle list, const std::string& scope) {
    std::vector<Regularizer> all;
    for (nb::handle item : list) all.push_back(regularizer_of(item));
    return regularizer_function(contrib::layers::sum_regularizer(all, scope));
  });
  m.def(
      "contrib_apply_regularization",
      [](nb::handle regularizer, nb::handle weights) {
        const InCallersPlace place({});
        return building([&] {
          std::optional<std::vector<Variable>> list;
          if (!weights.is_none()) {
            list.emplace();
            for (nb::handle item : weights) list->push_back(variable_of(item));
          }
          return give(contrib::layers::apply_regularization(regularizer_of(regularizer), list));
        });
      },
      nb::arg("regularizer"), nb::arg("weights").none());
}

}  // namespace rill::python
