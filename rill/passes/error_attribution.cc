#include "rill/passes/error_attribution.h"

#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// Runs the shape functions of the replaced nodes one after the other.
class Replay {
 public:
  explicit Replay(std::span<const Tensor* const> inputs) : inputs_(inputs) {}

  // The shapes of a replaced node's inputs.
  std::vector<PartialShape> inputs_of(const Subgraph::ReplacedNode& replaced) const {
    std::vector<PartialShape> shapes;
    for (std::size_t i = 0; i < replaced.inputs.size(); ++i) {
      const Subgraph::Edge& edge = replaced.inputs[i];
      const Tensor* value = this->value(replaced, static_cast<int>(i));
      if (edge.item >= 0)
        shapes.push_back(found(edge));
      else
        shapes.push_back(value == nullptr ? PartialShape() : PartialShape(value->shape()));
    }
    return shapes;
  }

  void run(const Subgraph::ReplacedNode& replaced) {
    const auto value_fn = [&](int i) { return value(replaced, i); };
    const auto shape_fn = [&](int) { return PartialShape(); };
    const Node& node = *replaced.node;
    const ShapeCtx ctx(node.op(), node.attrs(), inputs_of(replaced), node.output_count(), value_fn,
                       shape_fn);
    found_.push_back(node.op().shape == nullptr ? Shapes() : node.op().shape(ctx));
    found_.back().resize(static_cast<std::size_t>(node.output_count()));
  }

 private:
  // Where one entry stands for several nodes only the outputs of the last are known.
  PartialShape found(const Subgraph::Edge& edge) const {
    const Shapes& shapes = found_[static_cast<std::size_t>(edge.item)];
    const auto output = static_cast<std::size_t>(edge.output);
    return output < shapes.size() ? shapes[output] : PartialShape();
  }
  // The value of an input where it is known: one that came into the rewritten item, or a constant
  // of the program that became an attribute of the rewritten node.
  const Tensor* value(const Subgraph::ReplacedNode& replaced, int i) const {
    const Subgraph::Edge& edge = replaced.inputs[static_cast<std::size_t>(i)];
    const auto input = static_cast<std::size_t>(edge.output);
    if (edge.item >= 0) return nullptr;
    if (input < inputs_.size())
      return inputs_[input] != nullptr && inputs_[input]->has_value() ? inputs_[input] : nullptr;
    if (i >= replaced.node->input_count()) return nullptr;
    const Node& from = *replaced.node->input(i).node;
    return from.op().name == "Const" ? &attr<Tensor>(from.attrs(), "value") : nullptr;
  }

  std::span<const Tensor* const> inputs_;
  std::vector<Shapes> found_;
};

}  // namespace

ErrorAttribution attribute_error(const std::vector<Subgraph::ReplacedNode>& nodes,
                                 std::span<const Tensor* const> inputs) {
  Replay replay(inputs);
  for (const Subgraph::ReplacedNode& replaced : nodes) {
    try {
      replay.run(replaced);
    } catch (const Error& error) {
      return {replaced.node, error, replay.inputs_of(replaced)};
    }
  }
  return {nodes.back().node, std::nullopt, {}};
}

}  // namespace rill
