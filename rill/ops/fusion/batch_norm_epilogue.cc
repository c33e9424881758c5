#include "rill/ops/fusion/pattern.h"

namespace rill {
namespace {

bool is_norm(const Pattern& p, Edge edge) {
  return edge.output == 0 && p.is(edge.item, {"FusedBatchNormV2", "FusedBatchNormV3"}) &&
         p.readers.count(edge) == 1 && p.node(edge.item).attr<DType>("T") != DType::bf16;
}

bool pads_first_dimension(const Pattern& p, int pad) {
  const auto& sizes = p.item(p.input(pad, 1).item).constant;
  return !sizes || sizes->dtype() != DType::i32 || sizes->element_count() < 2 ||
         sizes->data<std::int32_t>()[0] != 0 || sizes->data<std::int32_t>()[1] != 0;
}

// Per item, the one whose batch it has: values from the same one have the same first dimension
// even where nobody knows it yet.
std::vector<int> batches(const Pattern& p) {
  std::vector<int> source(static_cast<std::size_t>(p.size()));
  for (int i = 0; i < p.size(); ++i) {
    const auto of = [&](int k) { return source[static_cast<std::size_t>(p.input(i, k).item)]; };
    int& from = source[static_cast<std::size_t>(i)] = i;
    if (p.is(i, {"Conv2D", "DepthwiseConv2dNative", "MaxPool", "AvgPool", "BiasAdd", "Relu",
                 "Relu6", "FusedBatchNormV2", "FusedBatchNormV3", "Identity"}))
      from = of(0);
    if (p.is(i, {"Add", "AddV2"}) && of(0) == of(1)) from = of(0);
    if (p.is(i, "Pad") && !pads_first_dimension(p, i)) from = of(0);
  }
  return source;
}

// Of one batch, so that neither waits for anything that the other does not wait for.
bool same_shape(const Pattern& p, const std::vector<int>& batch, Edge a, Edge b) {
  const PartialShape shape = p.shape(a);
  if (!shape.has_rank() || !(shape == p.shape(b))) return false;
  for (int d = 1; d < shape.rank(); ++d)
    if (shape.dim(d) < 0) return false;
  return batch[static_cast<std::size_t>(a.item)] == batch[static_cast<std::size_t>(b.item)];
}

// Which batch norm a Relu ends, and what is added in between.
struct Found {
  int norm = -1, sum = -1;
  Edge side;
};

Found find(const Pattern& p, const std::vector<int>& batch, int relu) {
  Found found;
  const Edge value = p.input(relu, 0);
  if (is_norm(p, value)) {
    found.norm = value.item;
    return found;
  }
  const int sum = p.only_for(value, {"Add", "AddV2"});
  if (sum < 0) return found;
  // The later one: what is added has been computed then.
  for (int k = 0; k < 2; ++k) {
    const Edge edge = p.input(sum, k), side = p.input(sum, 1 - k);
    if (!is_norm(p, edge) || edge.item < found.norm || side.item > edge.item) continue;
    if (same_shape(p, batch, edge, side)) found = {edge.item, sum, side};
  }
  return found;
}

AttrMap batch_norm_attrs(const Node& norm, const std::string& activation, bool adds) {
  AttrMap attrs{{"num_side_inputs", std::int64_t{adds ? 1 : 0}}, {"activation_mode", activation}};
  for (const char* name : {"T", "U", "epsilon", "data_format", "is_training"})
    attrs.emplace(name, norm.attrs().at(name));
  return attrs;
}

// The batch norm stays where it is, with its other outputs; who read the Relu reads it.
int fuse_batch_norm(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"FusedBatchNormV2", "FusedBatchNormV3"})) return 0;
  Pattern p(graph, nodes);
  const std::vector<int> batch = batches(p);
  int places = 0;
  std::vector<int> moved(graph.items.size(), -1);
  for (int i = 0; i < p.size(); ++i) {
    if (!p.is(i, {"Relu", "Relu6"}) || !p.item(i).controls.empty()) continue;
    const Found found = find(p, batch, i);
    if (found.norm < 0 || p.item(found.norm).device != p.item(i).device) continue;
    if (found.sum >= 0 && !p.item(found.sum).controls.empty()) continue;
    std::vector<Edge> inputs = p.item(found.norm).inputs;
    if (found.sum >= 0) inputs.push_back(found.side);
    AttrMap attrs = batch_norm_attrs(p.node(found.norm), p.node(i).op().name, found.sum >= 0);
    p.put_first(found.norm, "_FusedBatchNormEx", std::move(inputs), std::move(attrs),
                found.sum >= 0 ? std::vector<int>{found.sum, i} : std::vector<int>{i});
    moved[static_cast<std::size_t>(i)] = found.norm;
    ++places;
  }
  if (places > 0)
    redirect(graph, [&](Edge edge) {
      const int norm = moved[static_cast<std::size_t>(edge.item)];
      return norm < 0 ? edge : Edge{norm, 0};
    });
  return places;
}

}  // namespace

extern const Rewrite kBatchNormEpilogueRewrite{
    "batch_norm_epilogue", "batch norm, sum and Relu or Relu6 become _FusedBatchNormEx",
    fuse_batch_norm};

}  // namespace rill
