#include "rill/api/layers/weight.h"

#include "rill/api/variables/variable_creation.h"

namespace rill::layers {

Weight::operator Input() const {
  if (const auto* plain = std::get_if<Variable>(&any_)) return Input(*plain);
  if (const auto* tensor = std::get_if<Output>(&any_)) return Input(*tensor);
  const auto* parts = std::get_if<PartitionedVariableRef>(&any_);
  require_type(parts != nullptr, "what the custom getter returned is no tensor");
  return Input(Input::MakeOutput([whole = *parts](Scope& scope, std::string_view, DType) {
    const InScope inside(scope);
    return whole->as_tensor();
  }));
}

Variable Weight::variable() const {
  const auto* plain = std::get_if<Variable>(&any_);
  require(plain != nullptr,
          "the weight is no plain variable here: it is partitioned, or a custom "
          "getter put something else in its place");
  return *plain;
}

std::vector<Variable> Weight::variables() const {
  if (const auto* plain = std::get_if<Variable>(&any_); plain != nullptr && *plain) return {*plain};
  if (const auto* parts = std::get_if<PartitionedVariableRef>(&any_)) return (*parts)->parts();
  return {};
}

PartialShape Weight::shape() const {
  if (const auto* tensor = std::get_if<Output>(&any_)) return tensor->shape();
  if (const auto* parts = std::get_if<PartitionedVariableRef>(&any_))
    return PartialShape(Shape((*parts)->shape()));
  return variable().shape();
}

DType Weight::dtype() const {
  if (const auto* tensor = std::get_if<Output>(&any_)) return base_type(tensor->dtype());
  if (const auto* parts = std::get_if<PartitionedVariableRef>(&any_)) return (*parts)->dtype();
  return variable().dtype();
}

}  // namespace rill::layers
