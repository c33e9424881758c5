#include "rill/ops/fusion/derivation.h"

namespace rill {
namespace {

// A product or convolution and the chain of ops after it that one fused node can do.
struct EpilogueChain {
  int last;
  std::vector<int> fused;
  std::vector<Edge> inputs;
  std::vector<std::string> steps;
  float epsilon = 0.0001f, alpha = 0.2f;
  bool by_channel = true;  // per-channel steps may follow: nothing was added yet
  bool open = true;        // steps may follow: there was no activation yet
  int reshape = -1;        // the Reshape in the chain that restores a product's outer dimensions
};

void take(EpilogueChain& chain, std::string step, std::initializer_list<Edge> args = {}) {
  chain.steps.push_back(std::move(step));
  chain.inputs.insert(chain.inputs.end(), args);
}

bool take_bias(const Pattern& p, EpilogueChain& chain, int i) {
  if (!chain.by_channel || !is_channels_last(p.node(i)) || p.input(i, 0).item != chain.last)
    return false;
  take(chain, "BiasAdd", {p.input(i, 1)});
  return true;
}

// Whether no dimension is known to differ. Unknown ones may still broadcast.
bool look_alike(const PartialShape& a, const PartialShape& b) { return a.has_rank() && a == b; }

bool take_add(const Pattern& p, EpilogueChain& chain, int i) {
  const Edge value{chain.last, 0}, other = p.other(i, value);
  const PartialShape shape = p.shape(value);
  if (chain.by_channel && p.is_vector_for(other, shape)) {
    take(chain, "BiasAdd", {other});
    return true;
  }
  const bool is_first_side = chain.steps.empty() || chain.steps.back() != "Add";
  if (!is_first_side || chain.reshape >= 0 || !look_alike(shape, p.shape(other))) return false;
  take(chain, "Add", {other});
  chain.by_channel = false;
  return true;
}

bool take_factor(const Pattern& p, EpilogueChain& chain, int i) {
  const Edge value{chain.last, 0}, other = p.other(i, value);
  if (!chain.by_channel || !p.is_vector_for(other, p.shape(value))) return false;
  if (p.is(chain.fused.empty() ? chain.last : chain.fused[0], "MatMul")) return false;
  take(chain, "Mul", {other});
  return true;
}

// Batch norm in inference mode whose other outputs nobody reads.
bool take_norm(const Pattern& p, EpilogueChain& chain, int i) {
  if (!chain.by_channel || !is_channels_last(p.node(i)) || p.node(i).attr<bool>("is_training") ||
      p.input(i, 0).item != chain.last)
    return false;
  for (int output = 1; output < p.node(i).output_count(); ++output)
    if (p.readers.count({i, output}) > 0) return false;
  for (const std::string& step : chain.steps)
    if (step == "FusedBatchNorm") return false;  // there is one epsilon
  take(chain, "FusedBatchNorm", {p.input(i, 1), p.input(i, 2), p.input(i, 3), p.input(i, 4)});
  chain.epsilon = p.node(i).attr<float>("epsilon");
  return true;
}

bool take_activation(const Pattern& p, EpilogueChain& chain, int i) {
  const Node& node = p.node(i);
  std::string name = node.op().name;
  if (name == "LeakyRelu") chain.alpha = node.attr<float>("alpha");
  if (name == "_Gelu") name = node.attr<bool>("approximate") ? "GeluTanh" : "GeluErf";
  take(chain, std::move(name));
  chain.open = false;
  return true;
}

struct EpilogueRule {
  const char* op;
  bool (*take)(const Pattern&, EpilogueChain&, int item);
};
constexpr EpilogueRule kEpilogueRules[] = {
    {"BiasAdd", take_bias},
    {"BiasAddV1", take_bias},
    {"Add", take_add},
    {"AddV2", take_add},
    {"Mul", take_factor},
    {"FusedBatchNorm", take_norm},
    {"FusedBatchNormV2", take_norm},
    {"FusedBatchNormV3", take_norm},
    {"Relu", take_activation},
    {"Relu6", take_activation},
    {"LeakyRelu", take_activation},
    {"Elu", take_activation},
    {"Tanh", take_activation},
    {"Sigmoid", take_activation},
    {"_Gelu", take_activation},
};

// The Reshape that is the only reader of product i, apart from Shape nodes (which gradients add and
// which may go on reading the fused product).
int reshape_after(const Pattern& p, const Uses& uses, int i) {
  const auto at = static_cast<std::size_t>(i);
  if (uses.kept[at] || !uses.waiting[at].empty()) return -1;
  int found = -1;
  for (const int reader : uses.readers[at]) {
    if (p.is(reader, "Shape")) continue;
    if (found >= 0 || !p.is(reader, "Reshape") || p.input(reader, 0).item != i ||
        p.item(reader).device != p.item(i).device)
      return -1;
    found = reader;
  }
  return found;
}

// Extends the chain by the only reader of its value, if there is a rule for that op and it accepts.
bool extend(const Pattern& p, EpilogueChain& chain) {
  const int reader = chain.open ? p.readers.sole({chain.last, 0}) : -1;
  if (reader < 0) return false;
  for (const EpilogueRule& rule : kEpilogueRules) {
    if (!p.is(reader, rule.op)) continue;
    if (!rule.take(p, chain, reader)) return false;
    chain.fused.push_back(chain.last);
    chain.last = reader;
    return true;
  }
  return false;
}

// Steps over a Reshape after a MatMul that keeps the last dimension: what follows works per column
// or per element, so it may as well be done before the Reshape.
void begin_beyond_reshape(const Pattern& p, const Uses& uses, EpilogueChain& chain) {
  const int reshape = p.is(chain.last, "MatMul") ? reshape_after(p, uses, chain.last) : -1;
  if (reshape < 0) return;
  const PartialShape from = p.shape({chain.last, 0}), to = p.shape({reshape, 0});
  if (!from.has_rank() || !to.has_rank() || from.rank() != 2 || to.rank() < 1 || from.dim(1) < 0 ||
      to.dim(to.rank() - 1) != from.dim(1))
    return;
  chain.fused.push_back(chain.last);
  chain.reshape = chain.last = reshape;
}

AttrMap epilogue_attrs(const Node& root, std::initializer_list<const char*> copied,
                       const EpilogueChain& chain) {
  AttrMap attrs{{"T", DType::f32},
                {"num_args", static_cast<std::int64_t>(chain.inputs.size()) - 2},
                {"epilogue", chain.steps},
                {"epsilon", chain.epsilon},
                {"alpha", chain.alpha}};
  for (const char* name : copied)
    if (const auto it = root.attrs().find(name); it != root.attrs().end())
      attrs.emplace(name, it->second);
  return attrs;
}

// Replaces the product by the fused node and the last item of the chain by the Reshape.
void put_before_reshape(Pattern& p, const EpilogueChain& chain, const char* into, AttrMap attrs) {
  const int root = chain.fused[0];
  const Edge shape = p.input(chain.reshape, 1);
  const std::vector<int> rest(chain.fused.begin() + 1, chain.fused.end());
  p.put(root, into, chain.inputs, std::move(attrs), {});
  p.put(chain.last, "Reshape", {{root, 0}, shape},
        {{"T", DType::f32}, {"Tshape", base_type(p.graph.dtype(shape))}}, rest);
}

int fuse(Subgraph& graph, HelperNodes& nodes, const char* op, const char* into,
         std::initializer_list<const char*> attrs) {
  if (!Pattern::occurs(graph, {op})) return 0;
  Pattern p(graph, nodes);
  const Uses uses(graph);
  int places = 0;
  for (int i = 0; i < p.size(); ++i) {
    if (!p.is(i, op) || graph.dtype({i, 0}) != DType::f32 || !is_channels_last(p.node(i))) continue;
    EpilogueChain chain{.last = i, .inputs = p.item(i).inputs};
    begin_beyond_reshape(p, uses, chain);
    while (extend(p, chain)) {
    }
    if (chain.steps.empty()) continue;
    AttrMap made = epilogue_attrs(p.node(i), attrs, chain);
    if (chain.reshape >= 0)
      put_before_reshape(p, chain, into, std::move(made));
    else
      p.put(chain.last, into, chain.inputs, std::move(made), chain.fused);
    ++places;
  }
  return places;
}

int fuse_conv(Subgraph& graph, HelperNodes& nodes) {
  return fuse(graph, nodes, "Conv2D", "_Conv2DEpilogue",
              {"strides", "padding", "explicit_paddings", "data_format", "dilations"});
}
int fuse_depthwise(Subgraph& graph, HelperNodes& nodes) {
  return fuse(graph, nodes, "DepthwiseConv2dNative", "_DepthwiseConv2dEpilogue",
              {"strides", "padding", "data_format", "dilations"});
}
int fuse_matmul(Subgraph& graph, HelperNodes& nodes) {
  return fuse(graph, nodes, "MatMul", "_MatMulEpilogue", {"transpose_a", "transpose_b"});
}

}  // namespace

extern const Rewrite kConvEpilogueRewrite{
    "conv_epilogue", "Conv2D, batch norm or bias, sum, activation become _Conv2DEpilogue",
    fuse_conv};
extern const Rewrite kDepthwiseEpilogueRewrite{
    "depthwise_epilogue", "the same after DepthwiseConv2dNative becomes _DepthwiseConv2dEpilogue",
    fuse_depthwise};
extern const Rewrite kMatMulEpilogueRewrite{
    "matmul_epilogue", "MatMul, bias, sum, activation become _MatMulEpilogue", fuse_matmul};

}  // namespace rill
