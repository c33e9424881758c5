#pragma once

#include "layer_settings.h"
#include "plain_values.h"
#include "rill/api/layers/contrib_layers.h"

namespace rill::python {

namespace contrib_layers = rill::contrib::layers;

// The arguments of a function of tf.contrib.layers, as attributes of an object.
class LayerArguments : public Attributes {
 public:
  using Attributes::Attributes;

  std::vector<std::string> names(const char* name) const {
    const nb::object given = at(name);
    if (given.is_none()) return {};
    if (nb::isinstance<nb::str>(given)) return {str_of(given)};
    std::vector<std::string> all;
    for (nb::handle item : given) all.push_back(str_of(item));
    return all;
  }
  contrib_layers::VariableCollections collections() const {
    const nb::object given = at("variables_collections");
    contrib_layers::VariableCollections result;
    if (!nb::isinstance<nb::dict>(given)) {
      result.all = names("variables_collections");
      return result;
    }
    for (auto [name, list] : nb::borrow<nb::dict>(given)) {
      if (list.is_none()) continue;
      std::vector<std::string>& all = result.by_name[str_of(name)];
      if (nb::isinstance<nb::str>(list))
        all.push_back(str_of(list));
      else
        for (nb::handle item : list) all.push_back(str_of(item));
    }
    return result;
  }
  nn::Sizes sizes(const char* name) const {
    const nb::object given = at(name);
    if (nb::isinstance<nb::int_>(given)) return integer_of(given);
    return integers(name);
  }
  std::string text_or_empty(const char* name) const { return has(name) ? text(name) : ""; }
  contrib_layers::ScopeChoice scope() const {
    const nb::object given = at("scope");
    if (given.is_none()) return {};
    if (VariableScopeRef known = variable_scope_of(given)) return known;
    return str_of(given);
  }
  Input training() const {
    const nb::object given = at("is_training");
    if (is_tensor(given) || is_variable(given)) return input("is_training");
    return Input(truth_of(given));
  }
};

// What most functions have in common.
template <class Options>
void read_common(const LayerArguments& a, Options& o) {
  if constexpr (requires { o.activation_fn; }) o.activation_fn = a.activation("activation_fn");
  if constexpr (requires { o.normalizer_fn; }) o.normalizer_fn = a.activation("normalizer_fn");
  if constexpr (requires { o.weights_initializer; }) {
    o.weights_initializer = a.initializer("weights_initializer");
    o.weights_regularizer = a.regularizer("weights_regularizer");
    o.biases_initializer = a.initializer("biases_initializer");
    o.biases_regularizer = a.regularizer("biases_regularizer");
  }
  if constexpr (requires { o.reuse; }) o.reuse = reuse_of(a.at("reuse"));
  if constexpr (requires { o.variables_collections; }) o.variables_collections = a.collections();
  if constexpr (requires { o.outputs_collections; })
    o.outputs_collections = a.names("outputs_collections");
  if constexpr (requires { o.trainable; }) o.trainable = a.flag("trainable");
  if constexpr (requires { o.data_format; })
    if (a.has("data_format")) o.data_format = a.text("data_format");
  if constexpr (std::is_same_v<decltype(o.scope), std::string>)
    o.scope = a.text_or_empty("scope");
  else
    o.scope = a.scope();
}

template <class Options>
void read_steps(const LayerArguments& a, Options& o) {
  o.stride = a.sizes("stride");
  o.padding = a.text("padding");
  if constexpr (requires { o.rate; })
    if (a.has("rate")) o.rate = a.sizes("rate");
}

}  // namespace rill::python
