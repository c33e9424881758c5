#include "rill/graph/node.h"

#include "rill/base/error.h"
#include "rill/graph/executed_node.h"
#include "rill/graph/graph.h"
#include "rill/graph/graph_life.h"

namespace rill {

bool Output::is_alive() const { return is_graph_alive(graph_life_); }

void Output::check_alive() const {
  if (!is_alive())
    raise(Code::kFailedPrecondition,
          "the graph of this tensor is gone: keep the graph as long as what is in it");
}

DType Output::dtype() const {
  require(node != nullptr, "an empty output has no type");
  check_alive();
  return node->output_type(index);
}

const PartialShape& Output::shape() const {
  require(node != nullptr, "an empty output has no shape");
  check_alive();
  return node->output_shape(index);
}

std::string Output::name() const {
  if (node == nullptr) return "(none)";
  check_alive();
  return str_cat(node->name(), ":", index);
}

void Output::set_shape(const PartialShape& shape) const {
  require(node != nullptr, "an empty output has no shape");
  check_alive();
  node->graph().refine_shape(*this, shape);
}

const HandleInfo* Node::output_handle(int i) const {
  const auto at = static_cast<std::size_t>(i);
  return at < handles_.size() && handles_[at].dtype != DType::invalid ? &handles_[at] : nullptr;
}

const Tensor& Output::value() const {
  require(node != nullptr && node->is_executed(), "the tensor ", *this,
          " has no value: it is part of a graph");
  return executed(*node).value(index);
}

const KnownValueRef& Node::known_value_ref(int i) const {
  static const KnownValueRef kNothing;
  if (executed_) return executed(*this).known(i);
  const auto at = static_cast<std::size_t>(i);
  return at < known_.size() ? known_[at] : kNothing;
}

const std::vector<Output>& Node::recorded_inputs() const { return executed(*this).recorded(); }

}  // namespace rill
