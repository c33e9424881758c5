#include "rill/ops/fusion/pattern.h"

namespace rill {
namespace {

// The batch norm whose gradient item `grad` is, by the statistics of the batch; -1: it is not seen.
int norm_of(const Pattern& p, int grad) {
  if (!p.is(grad, {"FusedBatchNormGradV2", "FusedBatchNormGradV3"}) ||
      !p.node(grad).attr<bool>("is_training") || p.node(grad).attr<DType>("T") != DType::f32)
    return -1;
  const Edge mean = p.input(grad, 3), variance = p.input(grad, 4);
  const int norm = mean.item;
  if (!p.is(norm, {"FusedBatchNormV2", "FusedBatchNormV3"}) || variance.item != norm ||
      mean.output != 3 || variance.output != 4)
    return -1;
  const bool fits = p.node(norm).attr<bool>("is_training") &&
                    p.input(norm, 0) == p.input(grad, 1) && p.input(norm, 1) == p.input(grad, 2) &&
                    p.node(norm).attr<float>("epsilon") == p.node(grad).attr<float>("epsilon") &&
                    p.node(norm).attr<std::string>("data_format") ==
                        p.node(grad).attr<std::string>("data_format");
  return fits ? norm : -1;
}

// What passed Relu is found from x again, so that neither its result nor its gradient are read.
int fuse_batch_norm_relu_grad(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"ReluGrad", "Relu6Grad"})) return 0;
  Pattern p(graph, nodes);
  int places = 0;
  for (int i = 0; i < p.size(); ++i) {
    const int norm = norm_of(p, i);
    if (norm < 0 || p.readers.count({i, 3}) + p.readers.count({i, 4}) > 0) continue;
    const int relu_grad = p.only_for(p.input(i, 0), {"ReluGrad", "Relu6Grad"});
    if (relu_grad < 0) continue;
    const char* const relu = p.is(relu_grad, "ReluGrad") ? "Relu" : "Relu6";
    const Edge result = p.input(relu_grad, 1);
    if (!p.is(result.item, relu) || !(p.input(result.item, 0) == Edge{norm, 0})) continue;
    const int fused[] = {relu_grad};
    p.put(i, "_BatchNormReluGrad",
          {p.input(relu_grad, 0), p.input(i, 1), p.input(i, 2), p.input(norm, 2), p.input(i, 3),
           p.input(i, 4)},
          {{"T", DType::f32},
           {"epsilon", p.node(i).attr<float>("epsilon")},
           {"data_format", p.node(i).attr<std::string>("data_format")},
           {"activation_mode", std::string(relu)}},
          fused);
    ++places;
  }
  return places;
}

}  // namespace

extern const Rewrite kBatchNormReluGradRewrite{
    "batch_norm_relu_grad",
    "the gradients of Relu or Relu6 and of the batch norm before it become _BatchNormReluGrad",
    fuse_batch_norm_relu_grad};

}  // namespace rill
