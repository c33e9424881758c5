#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>

#include "rill/api/variables/eager_variable_store.h"

namespace rill {

struct TemplateOptions {
  bool create_scope_now =
      false;                     // the scope is where the template is made, not where it first runs
  std::string unique_name = {};  // the scope's name as it is; empty: the first free one
  CustomGetter custom_getter = {};
};

// A part of a program with variables of its own: they are made when it first runs and shared by all
// later runs.
//
//   tf::Template scale("scale");
//   auto y = scale([&] { return x * tf::get_variable("s", {}); });
class Template {
 public:
  explicit Template(std::string name, TemplateOptions options = {});

  // Throws InvalidArgument when a later run makes a new trainable variable.
  template <class Part>
  auto operator()(Part&& part) {
    const Inside inside = enter();
    const std::size_t before = trainable_count();
    auto result = part();
    leave(before);
    return result;
  }

  const std::string& name() const { return name_; }
  const VariableScopeRef& scope() const { return scope_; }  // none before there is one

  // What was made eagerly, by name; in graphs collections have it.
  const std::vector<Variable>& eager_variables() const { return store_.variables(); }

  // What operator() is made of, for faces of other languages.
  struct Inside {
    std::unique_ptr<VariableScopeBlock> scope;
    std::unique_ptr<EagerVariableStore::AsDefault> store;  // in eager execution
  };
  Inside enter();
  static std::size_t trainable_count();
  void leave(std::size_t trainable_before);

 private:
  std::unique_ptr<VariableScopeBlock> enter_scope();
  std::string name_;
  TemplateOptions options_;
  VariableScopeRef scope_;
  EagerVariableStore store_;
  bool has_run_ = false;
};

}  // namespace rill
