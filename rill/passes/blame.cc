#include "rill/passes/blame.h"

#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// Runs the shape functions of parts one after the other.
class Replay {
 public:
  explicit Replay(std::span<const Tensor* const> inputs) : inputs_(inputs) {}

  // The shapes of the part's inputs; values of those that are inputs of the whole.
  std::vector<PartialShape> inputs_of(const Subgraph::Part& part) const {
    std::vector<PartialShape> shapes;
    for (std::size_t i = 0; i < part.inputs.size(); ++i) {
      const Subgraph::Edge& edge = part.inputs[i];
      const Tensor* value = this->value(part, static_cast<int>(i));
      if (edge.item >= 0)
        shapes.push_back(found(edge));
      else
        shapes.push_back(value == nullptr ? PartialShape() : PartialShape(value->shape()));
    }
    return shapes;
  }

  void run(const Subgraph::Part& part) {
    const auto value_fn = [&](int i) { return value(part, i); };
    const auto shape_fn = [&](int) { return PartialShape(); };
    const Node& node = *part.node;
    const ShapeCtx ctx(node.op(), node.attrs(), inputs_of(part), node.output_count(), value_fn,
                       shape_fn);
    found_.push_back(node.op().shape == nullptr ? Shapes() : node.op().shape(ctx));
    found_.back().resize(static_cast<std::size_t>(node.output_count()));
  }

 private:
  // A part that gave out values of several nodes as well is known by the last of these alone.
  PartialShape found(const Subgraph::Edge& edge) const {
    const Shapes& shapes = found_[static_cast<std::size_t>(edge.item)];
    const auto output = static_cast<std::size_t>(edge.output);
    return output < shapes.size() ? shapes[output] : PartialShape();
  }
  // What is known of an input; a constant that became an attribute of the whole is still the node's
  // own.
  const Tensor* value(const Subgraph::Part& part, int i) const {
    const Subgraph::Edge& edge = part.inputs[static_cast<std::size_t>(i)];
    const auto input = static_cast<std::size_t>(edge.output);
    if (edge.item >= 0) return nullptr;
    if (input < inputs_.size())
      return inputs_[input] != nullptr && inputs_[input]->has_value() ? inputs_[input] : nullptr;
    if (i >= part.node->input_count()) return nullptr;
    const Node& from = *part.node->input(i).node;
    return from.op().name == "Const" ? &attr<Tensor>(from.attrs(), "value") : nullptr;
  }

  std::span<const Tensor* const> inputs_;
  std::vector<Shapes> found_;
};

}  // namespace

Blame find_blame(const std::vector<Subgraph::Part>& parts, std::span<const Tensor* const> inputs) {
  Replay replay(inputs);
  for (const Subgraph::Part& part : parts) {
    try {
      replay.run(part);
    } catch (const Error& error) {
      return {part.node, error, replay.inputs_of(part)};
    }
  }
  return {parts.back().node, std::nullopt, {}};
}

}  // namespace rill
