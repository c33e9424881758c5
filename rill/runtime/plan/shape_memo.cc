#include "rill/runtime/plan/shape_memo.h"

#include <algorithm>
#include <array>

#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

constexpr std::size_t kFewOutputs = 4;
const std::array<Shape, kFewOutputs> kScalarShapes{};

bool all_scalars(std::span<const Shape> shapes) {
  return std::ranges::all_of(shapes, [](const Shape& shape) { return shape.rank() == 0; });
}

}  // namespace

bool ShapeMemo::matches(std::span<Value* const> inputs) const {
  if (!valid_) return false;
  if (scalars_) {
    for (const Value* input : inputs)
      if (input->tensor.rank() != 0) return false;
    return true;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!(inputs_[i] == inputs[i]->tensor.shape())) return false;
  for (const auto& [i, value] : values_)
    if (!identical(value, inputs[static_cast<std::size_t>(i)]->tensor)) return false;
  return true;
}

std::span<const Shape> ShapeMemo::outputs(const KernelNode& node, std::span<Value* const> inputs) {
  if (!matches(inputs)) [[unlikely]]
    infer(node, inputs);
  if (scalars_) return {kScalarShapes.data(), node.output_types.size()};
  return outputs_;
}

void ShapeMemo::infer(const KernelNode& node, std::span<Value* const> inputs) {
  valid_ = false;
  inputs_.clear();
  std::vector<PartialShape> shapes;
  for (const Value* input : inputs) {
    inputs_.push_back(input->tensor.shape());
    shapes.emplace_back(input->tensor.shape());
  }
  const auto tensor = [&](int i) -> const Tensor* {
    const Tensor& t = inputs[static_cast<std::size_t>(i)]->tensor;
    return t.has_value() ? &t : nullptr;
  };
  const auto value_fn = [&](int i) { return tensor(i); };
  const auto shape_fn = [&](int) { return PartialShape(); };  // the value itself is always known
  const ShapeCtx ctx(*node.op, node.attrs, std::move(shapes),
                     static_cast<int>(node.output_types.size()), value_fn, shape_fn);
  const Shapes inferred = node.op->shape == nullptr ? Shapes() : node.op->shape(ctx);
  if (inferred.size() != node.output_types.size())
    raise(Code::kInternal, "the shape function of ", node.op->name, " gave ", inferred.size(),
          " shapes for ", node.output_types.size(), " outputs");
  outputs_.clear();
  for (const PartialShape& shape : inferred) outputs_.push_back(shape.full());
  values_.clear();
  for (int i = 0; i < static_cast<int>(inputs.size()); ++i)
    if ((ctx.values_used() >> (i & 63) & 1) != 0 && tensor(i) != nullptr)
      values_.emplace_back(i, tensor(i)->clone());
  scalars_ = values_.empty() && all_scalars(inputs_) && all_scalars(outputs_) &&
             outputs_.size() <= kFewOutputs;
  valid_ = true;
}

}  // namespace rill
