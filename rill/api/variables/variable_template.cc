#include "rill/api/variables/variable_template.h"

#include "rill/api/core/default_graph.h"
#include "rill/api/variables/variable_lists.h"

namespace rill {

Template::Template(std::string name, TemplateOptions options)
    : name_(std::move(name)), options_(std::move(options)) {
  if (options_.create_scope_now) enter();
}

Template::Inside Template::enter() {
  Inside inside{enter_scope(), nullptr};
  if (executing_eagerly()) inside.store = std::make_unique<EagerVariableStore::AsDefault>(store_);
  return inside;
}

std::unique_ptr<VariableScopeBlock> Template::enter_scope() {
  if (scope_)
    return std::make_unique<VariableScopeBlock>(
        scope_, VariableScopeOptions{.reuse = has_run_ ? Reuse::kYes : Reuse::kUnset});
  const VariableScopeOptions options{.custom_getter = options_.custom_getter};
  std::unique_ptr<VariableScopeBlock> block =
      options_.unique_name.empty()
          ? VariableScopeBlock::with_default_name(name_, options)
          : std::make_unique<VariableScopeBlock>(options_.unique_name, options);
  scope_ = block->scope();
  return block;
}

std::size_t Template::trainable_count() { return trainable_variables().size(); }

void Template::leave(std::size_t trainable_before) {
  require(!has_run_ || trainable_count() == trainable_before,
          "Trainable variable created when calling a template after the first time, perhaps you "
          "used tf.Variable when you meant tf.get_variable: ",
          trainable_count() > 0 ? trainable_variables().back().name() : std::string());
  has_run_ = true;
}

}  // namespace rill
