#pragma once

#include <algorithm>

#include "rill/ops/fusion/pattern.h"

namespace rill {

// (x - mean) / sqrt(variance + epsilon) gamma + beta along the last dimension, as programs write
// it:
//   tf.nn.moments and tf.nn.batch_normalization: x (r gamma) + (beta - mean (r gamma)),
//   or step by step: (x - mean) r gamma + beta, where r may also be a division by a square root.
class LayerNormMatch {
 public:
  explicit LayerNormMatch(const Pattern& p) : p_(p) {}

  // Whether item `last` computes it, whoever else reads the values in between.
  bool match(int last) {
    for (int i = 0; i < 2; ++i) {
      items_.clear();
      if ((by_batch_normalization(p_.input(last, i), p_.input(last, 1 - i)) ||
           step_by_step(p_.input(last, i), p_.input(last, 1 - i))) &&
          fits())
        return true;
    }
    return false;
  }

  Edge x, gamma, beta;
  double epsilon = 0;
  Edge mean, variance, root;  // root: of variance + epsilon, or its reciprocal
  const std::vector<int>& items() const { return items_; }  // but for the last

 private:
  // The item behind an edge if it runs one of these; it becomes part of the match.
  int part(Edge edge, std::initializer_list<const char*> ops) {
    if (!p_.is(edge.item, ops)) return -1;
    items_.push_back(edge.item);
    return edge.item;
  }

  // product = x factor, rest = beta - mean factor, factor = r gamma.
  bool by_batch_normalization(Edge product, Edge rest) {
    const int mul = part(product, {"Mul"}), sub = mul < 0 ? -1 : part(rest, {"Sub"});
    if (sub < 0) return false;
    beta = p_.input(sub, 0);
    const int shift = part(p_.input(sub, 1), {"Mul"});
    if (shift < 0) return false;
    for (int i = 0; i < 2; ++i) {
      const Edge factor = p_.input(mul, i);
      x = p_.input(mul, 1 - i);
      if (!(p_.input(shift, 0) == factor || p_.input(shift, 1) == factor)) continue;
      const std::size_t before = items_.size();
      if (is_mean(p_.other(shift, factor)) && is_factor(factor)) return true;
      items_.resize(before);
    }
    return false;
  }
  bool is_factor(Edge edge) {
    const int mul = part(edge, {"Mul"});
    for (int i = 0; mul >= 0 && i < 2; ++i) {
      gamma = p_.input(mul, 1 - i);
      if (is_reciprocal(p_.input(mul, i))) return true;
    }
    return false;
  }

  // product = (centred r) gamma or centred / deviation gamma.
  bool step_by_step(Edge product, Edge rest) {
    beta = rest;
    const int mul = part(product, {"Mul"});
    for (int i = 0; mul >= 0 && i < 2; ++i) {
      gamma = p_.input(mul, 1 - i);
      const std::size_t before = items_.size();
      if (is_normal(p_.input(mul, i))) return true;
      items_.resize(before);
    }
    return false;
  }
  bool is_normal(Edge edge) {
    if (const int div = part(edge, {"RealDiv"}); div >= 0)
      return is_centred(p_.input(div, 0)) && is_deviation(p_.input(div, 1), {"Sqrt"});
    const int mul = part(edge, {"Mul"});
    for (int i = 0; mul >= 0 && i < 2; ++i)
      if (is_centred(p_.input(mul, i)) && is_reciprocal(p_.input(mul, 1 - i))) return true;
    return false;
  }
  bool is_centred(Edge edge) {
    if (!p_.is(edge.item, "Sub")) return false;
    x = p_.input(edge.item, 0);
    items_.push_back(edge.item);
    return is_mean(p_.input(edge.item, 1));
  }

  bool is_reciprocal(Edge edge) { return is_deviation(edge, {"Rsqrt"}); }
  bool is_deviation(Edge edge, std::initializer_list<const char*> function) {
    root = edge;
    const int f = part(edge, function), sum = f < 0 ? -1 : part(p_.input(f, 0), {"Add", "AddV2"});
    for (int i = 0; sum >= 0 && i < 2; ++i)
      if (p_.scalar(p_.input(sum, i), &epsilon) && is_variance(p_.input(sum, 1 - i))) return true;
    return false;
  }

  // Along the last dimension, which stays as one element.
  bool is_row_mean(int i) const {
    const auto& axes = p_.item(p_.input(i, 1).item).constant;
    const PartialShape shape = p_.shape(p_.input(i, 0));
    if (!axes || axes->element_count() != 1 || !p_.node(i).attr<bool>("keep_dims")) return false;
    const std::int64_t axis =
        axes->dtype() == DType::i32 ? axes->data<std::int32_t>()[0] : axes->data<std::int64_t>()[0];
    return axis == -1 || (shape.has_rank() && axis == shape.rank() - 1);
  }
  bool is_mean(Edge edge) {
    mean = edge;
    const int i = part(edge, {"Mean"});
    return i >= 0 && p_.input(i, 0) == x && is_row_mean(i);
  }
  // The mean of (x - mean)^2, however the square is taken.
  bool is_variance(Edge edge) {
    variance = edge;
    const int i = part(edge, {"Mean"});
    if (i < 0 || !is_row_mean(i)) return false;
    const int square = part(p_.input(i, 0), {"SquaredDifference", "Square", "Mul"});
    if (square < 0) return false;
    if (p_.is(square, "SquaredDifference"))
      return p_.input(square, 0) == x && p_.input(square, 1) == mean;
    if (p_.is(square, "Mul") && !(p_.input(square, 0) == p_.input(square, 1))) return false;
    const int sub = part(p_.input(square, 0), {"Sub"});
    return sub >= 0 && p_.input(sub, 0) == x && p_.input(sub, 1) == mean;
  }

  bool fits() {
    std::ranges::sort(items_);
    items_.erase(std::unique(items_.begin(), items_.end()), items_.end());
    const PartialShape shape = p_.shape(x);
    return p_.graph.dtype(x) == DType::f32 && p_.is_vector_for(gamma, shape) &&
           p_.is_vector_for(beta, shape);
  }

  const Pattern& p_;
  std::vector<int> items_;
};

}  // namespace rill
