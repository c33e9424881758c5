#include "rill/api/graph_transforms/weighted_layer.h"

#include "rill/base/error.h"
#include "rill/tensor/half.h"

namespace rill::graph_transforms {
namespace {

using tensorflow::NodeDef;

// Calls `f` with a value of the tensor's type where that is a floating-point one.
template <class F>
bool with_float_type(DType dtype, F&& f) {
  switch (dtype) {
    case DType::f32:
      f(float());
      return true;
    case DType::f64:
      f(double());
      return true;
    case DType::f16:
      f(half());
      return true;
    case DType::bf16:
      f(bfloat16());
      return true;
    default:
      return false;
  }
}

double as_double(auto value) { return static_cast<double>(static_cast<float>(value)); }
double as_double(double value) { return value; }
template <class T>
T rounded(double value) {
  if constexpr (std::is_same_v<T, double>)
    return value;
  else
    return T(static_cast<float>(value));
}

std::string text(const NodeDef& node, const char* name, const char* otherwise) {
  const auto found = node.attr().find(name);
  return found == node.attr().end() ? otherwise : found->second.s();
}

bool is_addition(const NodeDef& node) {
  return node.op() == "BiasAdd" || node.op() == "Add" || node.op() == "AddV2";
}

std::optional<std::vector<double>> numbers(const Tensor& value) {
  std::vector<double> result;
  const bool is_float = with_float_type(value.dtype(), [&](auto type) {
    for (const auto element : value.flat<decltype(type)>()) result.push_back(as_double(element));
  });
  return is_float ? std::optional(std::move(result)) : std::nullopt;
}

struct LayerKind {
  const char* op;
  int weights_rank;
  const char* data_format;  // unless it says otherwise
};
constexpr LayerKind kKinds[] = {{"Conv2D", 4, "NHWC"},
                                {"Conv3D", 5, "NDHWC"},
                                {"DepthwiseConv2dNative", 4, "NHWC"},
                                {"MatMul", 2, ""}};

std::optional<WeightedLayer> plain_layer(const GraphEditor& editor, const std::string& input) {
  NodeDef* op = editor.find(input);
  if (op == nullptr || is_control(input) || op->input_size() < 2) return std::nullopt;
  for (const LayerKind& kind : kKinds) {
    if (op->op() != kind.op) continue;
    const auto weights = editor.constant(op->input(1));
    if (!weights || weights->rank() != kind.weights_rank || !numbers(Tensor(weights->dtype(), {0})))
      return std::nullopt;
    WeightedLayer layer{.op = op, .weights = *weights};
    layer.data_format = *kind.data_format ? text(*op, "data_format", kind.data_format) : "";
    const int rank = kind.weights_rank;
    layer.channels = flag_attr(*op, "transpose_b") ? weights->dim(0) : weights->dim(rank - 1);
    if (op->op() == "DepthwiseConv2dNative") layer.channels *= weights->dim(2);
    if (layer.channels == 0) return std::nullopt;
    return layer;
  }
  return std::nullopt;
}

bool reads_it_alone(const GraphEditor& editor, const NodeDef& node) {
  return editor.use_count(node) == 1 && !editor.is_kept(node) &&
         editor.only_first_output_is_read(node);
}

}  // namespace

int WeightedLayer::channel_axis_from_end() const {
  return data_format.starts_with("NC") ? weights.rank() - 1 : 1;
}

Tensor WeightedLayer::scaled_weights(const std::vector<double>& scale) const {
  Tensor result = weights.clone();
  const std::size_t count = static_cast<std::size_t>(weights.element_count());
  const std::size_t channel_count = static_cast<std::size_t>(channels);
  // The channels are the innermost dimensions, but for transposed weights the outermost.
  const std::size_t run = flag_attr(*op, "transpose_b") ? count / channel_count : 1;
  with_float_type(weights.dtype(), [&](auto type) {
    using T = decltype(type);
    T* values = result.data<T>();
    for (std::size_t i = 0; i < count; ++i)
      values[i] = rounded<T>(as_double(values[i]) * scale[i / run % channel_count]);
  });
  return result;
}

std::optional<WeightedLayer> find_layer(const GraphEditor& editor, const std::string& input) {
  NodeDef* node = editor.find(input);
  if (node == nullptr || is_control(input) || !reads_it_alone(editor, *node)) return std::nullopt;
  if (auto layer = plain_layer(editor, input)) return layer;
  if (!is_addition(*node) || node->input_size() < 2) return std::nullopt;
  for (const int side : {0, 1}) {
    const NodeDef* below = editor.find(node->input(side));
    auto layer = plain_layer(editor, node->input(side));
    if (!layer || !reads_it_alone(editor, *below)) continue;
    const auto added = editor.constant(node->input(1 - side));
    if (!added) return std::nullopt;
    auto bias =
        node->op() == "BiasAdd" ? as_vector(added, layer->channels) : per_channel(*added, *layer);
    if (!bias) return std::nullopt;
    layer->addition = node;
    layer->bias = std::move(*bias);
    return layer;
  }
  return std::nullopt;
}

std::optional<std::vector<double>> per_channel(const Tensor& value, const WeightedLayer& layer) {
  auto all = numbers(value);
  if (!all) return std::nullopt;
  const auto channels = static_cast<std::size_t>(layer.channels);
  if (all->size() == 1 && value.rank() <= layer.weights.rank())
    return std::vector<double>(channels, all->front());
  const int axis = value.rank() - layer.channel_axis_from_end();
  if (axis < 0 || value.rank() > layer.weights.rank() || value.dim(axis) != layer.channels ||
      all->size() != channels)
    return std::nullopt;
  return all;
}

std::optional<std::vector<double>> as_vector(const std::optional<Tensor>& value,
                                             std::int64_t count) {
  if (!value || value->rank() != 1 || value->dim(0) != count) return std::nullopt;
  return numbers(*value);
}

Tensor vector_of(DType dtype, const std::vector<double>& values) {
  Tensor result(dtype, {static_cast<std::int64_t>(values.size())});
  const bool is_float = with_float_type(dtype, [&](auto type) {
    using T = decltype(type);
    for (std::size_t i = 0; i < values.size(); ++i) result.data<T>()[i] = rounded<T>(values[i]);
  });
  require(is_float, "no floating-point type: ", dtype);
  return result;
}

}  // namespace rill::graph_transforms
