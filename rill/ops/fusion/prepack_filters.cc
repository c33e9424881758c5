#include <algorithm>
#include <map>

#include "rill/ops/fusion/pattern.h"

namespace rill {
namespace {

// Values that are the same in every run of the step: constants, and reads of variables that nothing
// in the step writes. (Another step may write them; then the new value is in another buffer.)
class Invariant {
 public:
  explicit Invariant(const Pattern& p) : p_(p) {
    for (int i = 0; i < p.size(); ++i)
      for (std::size_t k = 0; p.item(i).is_plain() && k < p.item(i).inputs.size(); ++k)
        if (!only_reads(i, static_cast<int>(k))) written_[p.item(i).inputs[k].item] = true;
  }

  bool operator()(Edge edge) const {
    const auto& item = p_.item(edge.item);
    if (item.constant || p_.is(edge.item, "Const")) return true;
    if (p_.is(edge.item, {"VariableV2", "Variable"})) return !written_.contains(edge.item);
    if (!p_.is(edge.item, {"Identity", "ReadVariableOp"})) return false;
    const int variable = p_.input(edge.item, 0).item;
    return p_.is(variable, {"VarHandleOp", "VariableV2", "Variable"}) &&
           !written_.contains(variable);
  }

 private:
  bool only_reads(int i, int k) const {
    const DType type = p_.node(i).input_type(k);
    if (type == DType::resource) return p_.is(i, "ReadVariableOp");
    return !is_ref(type) || p_.is(i, "Identity");
  }

  const Pattern& p_;
  std::map<int, bool> written_;
};

struct PrepackedOp {
  const char* op;
  const char* into;
  std::vector<const char*> attrs;
  DType type = DType::f32;
};
const PrepackedOp kPrepackedOps[] = {
    {"_Conv2DEpilogue", "_Conv2DEpilogue", {}},
    {"_DepthwiseConv2dEpilogue", "_DepthwiseConv2dEpilogue", {}},
    {"_MatMulEpilogue", "_MatMulEpilogue", {}},
    {"Conv2D", "_Conv2DEpilogue", {"strides", "padding", "explicit_paddings", "dilations"}},
    {"MatMul", "_MatMulEpilogue", {"transpose_a", "transpose_b"}},
    {"Conv2D",
     "_PrepackedConv2D",
     {"strides", "padding", "explicit_paddings", "dilations"},
     DType::bf16},
    {"MatMul", "_PrepackedMatMul", {"transpose_a", "transpose_b"}, DType::bf16},
};

// Whether the weights of item i are invariant, and its epilogue's arguments by channel too. A
// tensor that is added as a whole need not be: it is not packed.
bool all_invariant(const Pattern& p, const Invariant& invariant, int i) {
  const auto& inputs = p.item(i).inputs;
  const auto epilogue = p.node(i).attrs().find("epilogue");
  std::size_t end = inputs.size();
  if (epilogue != p.node(i).attrs().end()) {
    const auto& steps = p.node(i).attr<std::vector<std::string>>("epilogue");
    if (std::ranges::find(steps, "Add") != steps.end()) --end;  // the last argument
  }
  return std::all_of(inputs.begin() + 1, inputs.begin() + static_cast<std::ptrdiff_t>(end),
                     invariant);
}

AttrMap prepacked_attrs(const Node& node, const PrepackedOp& kind) {
  AttrMap attrs;
  if (kind.attrs.empty()) {
    attrs = node.attrs();
    attrs.erase("prepack");
  } else {
    attrs = {{"T", kind.type}};
    for (const char* name : kind.attrs) attrs.emplace(name, node.attrs().at(name));
  }
  if (kind.type != DType::f32) return attrs;
  attrs.emplace("num_args", std::int64_t{0});
  attrs.emplace("prepack", true);
  return attrs;
}

// Whether packing it saves anything.
bool is_large(const Pattern& p, Edge filter) {
  constexpr std::int64_t kMinElements = 4096;
  const PartialShape shape = p.shape(filter);
  return shape.is_full() && shape.full().element_count() >= kMinElements;
}

int prepack_filters(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"Conv2D", "MatMul", "_Conv2DEpilogue", "_DepthwiseConv2dEpilogue",
                               "_MatMulEpilogue"}))
    return 0;
  Pattern p(graph, nodes);
  const Invariant invariant(p);
  int places = 0;
  for (int i = 0; i < p.size(); ++i)
    for (const PrepackedOp& kind : kPrepackedOps) {
      if (!p.is(i, kind.op) || graph.dtype({i, 0}) != kind.type) continue;
      const auto format = p.node(i).attrs().find("data_format");
      const bool fits = format == p.node(i).attrs().end() ||
                        attr<std::string>(p.node(i).attrs(), "data_format") == "NHWC";
      if (!fits || !is_large(p, p.input(i, 1)) || !all_invariant(p, invariant, i)) break;
      p.put(i, kind.into, p.item(i).inputs, prepacked_attrs(p.node(i), kind), {});
      ++places;
      break;
    }
  return places;
}

}  // namespace

extern const Rewrite kPrepackFiltersRewrite{
    "prepack_filters",
    "weights that the step does not change are packed once, in the kernel's layout",
    prepack_filters};

}  // namespace rill
