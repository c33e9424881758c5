// Transforms that make large constants smaller, in memory or when packed.
#include <algorithm>
#include <cmath>

#include "rill/api/graph_transforms/graph_editor.h"
#include "rill/api/graph_transforms/transforms.h"
#include "rill/base/error.h"
#include "rill/tensor/tensor_proto.h"

namespace rill::graph_transforms {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

constexpr long long kMinimumSize = 1024;
constexpr int kLevels = 256;  // of eight bits

struct Range {
  float least = 0, most = 0;
};

// Empty where a value is no number: such weights stay as they are.
std::optional<Range> range_of(const Tensor& values) {
  const auto all = values.flat<float>();
  if (!std::ranges::all_of(all, [](float value) { return std::isfinite(value); }))
    return std::nullopt;
  const auto [least, most] = std::ranges::minmax(all);
  return Range{least, most};
}

// The weights that are worth it: constants of float with so many elements.
std::optional<Tensor> large_weights(const GraphEditor& editor, const NodeDef& node,
                                    const Transform& transform) {
  if (node.op() != "Const") return std::nullopt;
  auto value = editor.constant(node.name());
  if (!value || value->dtype() != DType::f32 ||
      value->element_count() < std::max(1LL, transform.int_or("minimum_size", kMinimumSize)))
    return std::nullopt;
  return value;
}

// Dequantize's MIN_FIRST needs a range that is one.
Range widened(Range range) {
  if (range.least != range.most) return range;
  const float value = range.least;
  if (std::abs(value) < 1e-6f)
    range.most = value + 1;
  else
    (value > 0 ? range.most : range.least) = 2 * value;
  return range;
}

// What Dequantize in the mode MIN_FIRST makes these values of again, but for rounding: zero is
// among the values that it can give.
Tensor quantized(const Tensor& values, const Range& range) {
  const double steps = kLevels - 1;
  const double scale = steps / (static_cast<double>(range.most) - static_cast<double>(range.least));
  const double offset = std::round(static_cast<double>(range.least) * scale);
  Tensor result(DType::qu8, values.shape());
  const auto from = values.flat<float>();
  const auto to = result.flat<quint8>();
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double level = std::round(static_cast<double>(from[i]) * scale) - offset;
    to[i].value = static_cast<std::uint8_t>(std::clamp(level, 0.0, steps));
  }
  return result;
}

}  // namespace

GraphDef quantize_weights(GraphDef graph, const Context& context) {
  GraphEditor editor(std::move(graph), context.kept());
  for (NodeDef* node : editor.nodes()) {
    const auto values = large_weights(editor, *node, context.transform);
    const auto found = values ? range_of(*values) : std::nullopt;
    if (!found) continue;
    const Range range = widened(*found);
    NodeDef dequantize;
    dequantize.set_op("Dequantize");
    const std::pair<const char*, Tensor> inputs[] = {
        {"_quantized_const", quantized(*values, range)},
        {"_quantized_min", Tensor::scalar(range.least)},
        {"_quantized_max", Tensor::scalar(range.most)}};
    for (const auto& [ending, value] : inputs)
      dequantize.add_input(
          editor.add_before(*node, constant_node(node->name() + ending, value)).name());
    (*dequantize.mutable_attr())["T"].set_type(tensorflow::DT_QUINT8);
    (*dequantize.mutable_attr())["mode"].set_s("MIN_FIRST");
    editor.replace(*node, std::move(dequantize));
  }
  return editor.finish();
}

GraphDef round_weights(GraphDef graph, const Context& context) {
  const long long steps = context.transform.int_or("num_steps", 256);
  require(steps >= 2, "round_weights needs at least 2 steps, got ", steps);
  GraphEditor editor(std::move(graph), context.kept());
  for (NodeDef* node : editor.nodes()) {
    const auto values = large_weights(editor, *node, context.transform);
    const auto range = values ? range_of(*values) : std::nullopt;
    if (!range || range->least == range->most) continue;
    const double least = static_cast<double>(range->least);
    const double width =
        (static_cast<double>(range->most) - least) / static_cast<double>(steps - 1);
    Tensor rounded = values->clone();
    for (float& value : rounded.flat<float>())
      value = static_cast<float>(least +
                                 std::round((static_cast<double>(value) - least) / width) * width);
    NodeDef constant = constant_node(node->name(), rounded);
    editor.replace(*node, std::move(constant));
  }
  return editor.finish();
}

}  // namespace rill::graph_transforms
