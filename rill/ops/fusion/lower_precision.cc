#include "rill/ops/fusion/pattern.h"

namespace rill {
namespace {

// What becomes what, and which attributes are taken along; none: all of them.
struct LoweredOp {
  const char* op;
  const char* into;
  std::vector<const char*> attrs;
};
const LoweredOp kLoweredOps[] = {
    {"_MatMulEpilogue", "_MatMulEpilogue", {}},
    {"_Conv2DEpilogue", "_Conv2DEpilogue", {}},
    {"MatMul", "_MatMulEpilogue", {"transpose_a", "transpose_b"}},
    {"Conv2D", "_Conv2DEpilogue", {"strides", "padding", "explicit_paddings", "dilations"}},
    {"BatchMatMul", "_LoweredBatchMatMul", {"adj_x", "adj_y"}},
    {"BatchMatMulV2", "_LoweredBatchMatMul", {"adj_x", "adj_y"}},
};

AttrMap lowered_attrs(const Node& node, const LoweredOp& kind) {
  AttrMap attrs;
  if (kind.attrs.empty()) {
    attrs = node.attrs();
    attrs.erase("lowered");
  } else {
    attrs = {{"T", DType::f32}};
    for (const char* name : kind.attrs) attrs.emplace(name, node.attrs().at(name));
  }
  if (std::string_view(kind.into) == "_LoweredBatchMatMul") return attrs;
  attrs.emplace("num_args", std::int64_t{0});
  attrs.emplace("lowered", true);
  return attrs;
}

int lower_precision(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"_MatMulEpilogue", "_Conv2DEpilogue", "MatMul", "Conv2D",
                               "BatchMatMul", "BatchMatMulV2"}))
    return 0;
  Pattern p(graph, nodes);
  int places = 0;
  for (int i = 0; i < p.size(); ++i)
    for (const LoweredOp& kind : kLoweredOps) {
      if (!p.is(i, kind.op) || graph.dtype({i, 0}) != DType::f32 || !is_channels_last(p.node(i)))
        continue;
      p.put(i, kind.into, p.item(i).inputs, lowered_attrs(p.node(i), kind), {});
      ++places;
      break;
    }
  return places;
}

}  // namespace

extern const Rewrite kLowerPrecisionRewrite{
    "lower_precision",
    "products and convolutions of floats round their factors to bfloat16 where that is faster",
    lower_precision, true};

}  // namespace rill
