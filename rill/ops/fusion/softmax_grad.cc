#include "rill/ops/fusion/pattern.h"

namespace rill {
namespace {

// (dy - sum(dy y)) y along the last dimension.
struct SoftmaxGradMatch {
  Edge dy, y;
  std::vector<int> items;  // but for the last

  bool match(const Pattern& p, int last) {
    for (int i = 0; i < 2; ++i) {
      y = p.input(last, 1 - i);
      const int sub = p.only_for(p.input(last, i), {"Sub"});
      const int sum = sub < 0 ? -1 : p.only_for(p.input(sub, 1), {"Sum"});
      const int product = sum < 0 ? -1 : p.only_for(p.input(sum, 0), {"Mul"});
      if (product < 0) continue;
      dy = p.input(sub, 0);
      items = {product, sum, sub};
      const bool is_of_both = (p.input(product, 0) == dy && p.input(product, 1) == y) ||
                              (p.input(product, 0) == y && p.input(product, 1) == dy);
      if (is_of_both && is_row_sum(p, sum) && p.shape(y).has_rank() && p.shape(y) == p.shape(dy))
        return true;
    }
    return false;
  }

 private:
  static bool is_row_sum(const Pattern& p, int i) {
    const auto& axes = p.item(p.input(i, 1).item).constant;
    if (!axes || axes->element_count() != 1 || !p.node(i).attr<bool>("keep_dims")) return false;
    const std::int64_t axis =
        axes->dtype() == DType::i32 ? axes->data<std::int32_t>()[0] : axes->data<std::int64_t>()[0];
    const PartialShape shape = p.shape(p.input(i, 0));
    return axis == -1 || (shape.has_rank() && axis == shape.rank() - 1);
  }
};

// The product with a constant that alone reads item i; -1 if there is none.
int scaled_by(const Pattern& p, int i, double* scale) {
  const int next = p.readers.sole({i, 0});
  if (next < 0 || !p.is(next, {"Mul", "RealDiv"})) return -1;
  const bool divides = p.is(next, "RealDiv");
  const Edge factor = divides ? p.input(next, 1) : p.other(next, {i, 0});
  if (!p.scalar(factor, scale) || p.shape(factor).rank() != 0) return -1;
  if (divides) *scale = 1 / *scale;
  return next;
}

int fuse_softmax_grad(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"Softmax"})) return 0;
  Pattern p(graph, nodes);
  int places = 0;
  for (int i = 0; i < p.size(); ++i) {
    SoftmaxGradMatch match;
    if (!p.is(i, "Mul") || graph.dtype({i, 0}) != DType::f32 || !match.match(p, i)) continue;
    double scale = 1;
    int last = i;
    if (const int scaled = scaled_by(p, i, &scale); scaled >= 0) {
      match.items.push_back(i);
      last = scaled;
    }
    p.put(last, "_SoftmaxGrad", {match.dy, match.y},
          {{"T", DType::f32}, {"scale", static_cast<float>(scale)}}, match.items);
    ++places;
  }
  return places;
}

}  // namespace

extern const Rewrite kSoftmaxGradRewrite{
    "softmax_grad", "the gradient of a softmax, with a factor after it, becomes _SoftmaxGrad",
    fuse_softmax_grad};

}  // namespace rill
