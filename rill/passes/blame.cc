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
    for (const Subgraph::Edge& edge : part.inputs) {
      const Tensor* value = this->value(edge);
      if (edge.item >= 0)
        shapes.push_back(
            found_[static_cast<std::size_t>(edge.item)][static_cast<std::size_t>(edge.output)]);
      else
        shapes.push_back(value == nullptr ? PartialShape() : PartialShape(value->shape()));
    }
    return shapes;
  }

  void run(const Subgraph::Part& part) {
    const auto value_fn = [&](int i) { return value(part.inputs[static_cast<std::size_t>(i)]); };
    const auto shape_fn = [&](int) { return PartialShape(); };
    const Node& node = *part.node;
    const ShapeCtx ctx(node.op(), node.attrs(), inputs_of(part), node.output_count(), value_fn,
                       shape_fn);
    found_.push_back(node.op().shape == nullptr ? Shapes() : node.op().shape(ctx));
    found_.back().resize(static_cast<std::size_t>(node.output_count()));
  }

 private:
  const Tensor* value(const Subgraph::Edge& edge) const {
    const auto i = static_cast<std::size_t>(edge.output);
    if (edge.item >= 0 || i >= inputs_.size()) return nullptr;
    return inputs_[i] != nullptr && inputs_[i]->has_value() ? inputs_[i] : nullptr;
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
