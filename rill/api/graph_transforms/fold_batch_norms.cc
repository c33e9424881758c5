#include <cmath>

#include "rill/api/graph_transforms/transforms.h"
#include "rill/api/graph_transforms/weighted_layer.h"

namespace rill::graph_transforms {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

// y = scale * layer + offset, channel by channel.
struct Scaling {
  WeightedLayer layer;
  std::vector<double> scale, offset;  // an empty offset: nothing is added
};

// Puts the layer with other weights in the place of `node`, the node that scaled it.
void fold(GraphEditor& editor, NodeDef& node, const Scaling& scaling) {
  const WeightedLayer& layer = scaling.layer;
  NodeDef* const old_weights = editor.find(layer.op->input(1));
  const std::string own_name = layer.op->name();
  const NodeDef& weights = editor.add_before(
      *layer.op, constant_node(own_name + "_weights", layer.scaled_weights(scaling.scale)));
  editor.set_input(*layer.op, 1, weights.name());
  const std::vector<std::string> inputs(node.input().begin(), node.input().end());
  if (scaling.offset.empty()) {
    NodeDef whole = *layer.op;
    editor.replace(node, std::move(whole));
  } else {
    const Tensor offsets = vector_of(layer.weights.dtype(), scaling.offset);
    const NodeDef& offset =
        editor.add_before(node, constant_node(own_name + "_bn_offset", offsets));
    NodeDef sum;
    sum.set_op("BiasAdd");
    sum.add_input(own_name);
    sum.add_input(offset.name());
    (*sum.mutable_attr())["T"].set_type(static_cast<tensorflow::DataType>(layer.weights.dtype()));
    // BiasAdd knows no other names for where the channels are.
    (*sum.mutable_attr())["data_format"].set_s(layer.data_format.starts_with("NC") ? "NCHW"
                                                                                   : "NHWC");
    editor.replace(node, std::move(sum));
  }
  for (const std::string& input : inputs) editor.remove_if_unused(editor.find(input));
  editor.remove_if_unused(old_weights);
}

// Mul(layer, constant): what is left of batch normalization when its constants are folded.
std::optional<Scaling> multiplied_layer(const GraphEditor& editor, const NodeDef& node) {
  if (node.op() != "Mul" || node.input_size() < 2) return std::nullopt;
  for (const int side : {0, 1}) {
    const auto factor = editor.constant(node.input(1 - side));
    auto layer = find_layer(editor, node.input(side));
    if (!factor || !layer || factor->dtype() != layer->weights.dtype()) continue;
    const auto scale = per_channel(*factor, *layer);
    if (!scale) continue;
    Scaling scaling{.layer = *layer, .scale = *scale, .offset = layer->bias};
    for (std::size_t i = 0; i < scaling.offset.size(); ++i) scaling.offset[i] *= (*scale)[i];
    return scaling;
  }
  return std::nullopt;
}

// Where the ops of batch normalization have what.
struct NormOp {
  const char* op;
  int gamma, beta, mean, variance;
  const char* epsilon;
};
constexpr NormOp kNormOps[] = {
    {"BatchNormWithGlobalNormalization", 4, 3, 1, 2, "variance_epsilon"},
    {"FusedBatchNorm", 1, 2, 3, 4, "epsilon"},
    {"FusedBatchNormV2", 1, 2, 3, 4, "epsilon"},
    {"FusedBatchNormV3", 1, 2, 3, 4, "epsilon"},
};

std::optional<Scaling> normalized_layer(const GraphEditor& editor, const NodeDef& node) {
  for (const NormOp& norm : kNormOps) {
    if (node.op() != norm.op || node.input_size() < 5) continue;
    const bool is_fused = node.op() != "BatchNormWithGlobalNormalization";
    if ((is_fused && flag_attr(node, "is_training", true)) ||
        !editor.only_first_output_is_read(node))
      return std::nullopt;
    auto layer = find_layer(editor, node.input(0));
    if (!layer) return std::nullopt;
    const auto constants = [&](int i) {
      return as_vector(editor.constant(node.input(i)), layer->channels);
    };
    const auto gamma = constants(norm.gamma), beta = constants(norm.beta),
               mean = constants(norm.mean), variance = constants(norm.variance);
    if (!gamma || !beta || !mean || !variance) return std::nullopt;
    const auto found = node.attr().find(norm.epsilon);
    const double epsilon = found == node.attr().end() ? 0.0001f : found->second.f();
    const bool scales = is_fused || flag_attr(node, "scale_after_normalization");
    Scaling scaling{.layer = *layer, .scale = {}, .offset = {}};
    for (std::size_t i = 0; i < mean->size(); ++i) {
      const double scale = (scales ? (*gamma)[i] : 1.0) / std::sqrt((*variance)[i] + epsilon);
      const double bias = layer->bias.empty() ? 0.0 : layer->bias[i];
      scaling.scale.push_back(scale);
      scaling.offset.push_back((*beta)[i] + (bias - (*mean)[i]) * scale);
    }
    return scaling;
  }
  return std::nullopt;
}

template <class Find>
GraphDef fold_all(GraphDef graph, const Context& context, Find find) {
  GraphEditor editor(std::move(graph), context.kept());
  const std::vector<NodeDef*> nodes = editor.nodes();
  for (NodeDef* node : nodes)
    if (editor.find(node->name()) == node)
      if (const auto scaling = find(editor, *node)) fold(editor, *node, *scaling);
  return editor.finish();
}

}  // namespace

GraphDef fold_batch_norms(GraphDef graph, const Context& context) {
  return fold_all(std::move(graph), context, multiplied_layer);
}

GraphDef fold_old_batch_norms(GraphDef graph, const Context& context) {
  return fold_all(std::move(graph), context, normalized_layer);
}

}  // namespace rill::graph_transforms
