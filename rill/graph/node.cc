#include "rill/graph/node.h"

#include "rill/base/error.h"

namespace rill {

DType Output::dtype() const {
  require(node != nullptr, "an empty output has no type");
  return node->output_type(index);
}

const PartialShape& Output::shape() const {
  require(node != nullptr, "an empty output has no shape");
  return node->output_shape(index);
}

std::string Output::name() const {
  return node == nullptr ? "(none)" : str_cat(node->name(), ":", index);
}

const HandleInfo* Node::output_handle(int i) const {
  const auto at = static_cast<std::size_t>(i);
  return at < handles_.size() && handles_[at].dtype != DType::invalid ? &handles_[at] : nullptr;
}

const KnownValueRef& Node::known_value_ref(int i) const {
  static const KnownValueRef kNothing;
  const auto at = static_cast<std::size_t>(i);
  return at < known_.size() ? known_[at] : kNothing;
}

}  // namespace rill
