#include <algorithm>
#include <cmath>

#include "rill/ops/fusion/pattern.h"

namespace rill {
namespace {

constexpr std::size_t kMaxItems = 8;  // products longer than that are none of ours

// A product as its factors, however the program has grouped them: constants are multiplied.
struct Factors {
  double constant = 1;
  std::vector<Edge> values;
  std::vector<int> items;  // that compute it
};

class GeluMatch {
 public:
  explicit GeluMatch(const Pattern& p) : p_(p) {}

  // x/2 (1 + tanh(...)) or x/2 (1 + erf(...)) computed by item `last`.
  bool match(int last) {
    type_ = base_type(p_.graph.dtype({last, 0}));
    Factors all;
    open(last, all);
    if (!near(all.constant, 0.5) || all.values.size() != 2) return false;
    items_ = all.items;
    for (int i = 0; i < 2; ++i) {
      x_ = all.values[static_cast<std::size_t>(1 - i)];
      if (is_share(all.values[static_cast<std::size_t>(i)])) {
        std::ranges::sort(items_);
        items_.erase(std::unique(items_.begin(), items_.end()), items_.end());
        std::erase(items_, last);
        return p_.readers.inside(items_, last);
      }
    }
    return false;
  }
  Edge x() const { return x_; }
  bool by_tanh() const { return by_tanh_; }
  const std::vector<int>& items() const { return items_; }

 private:
  // As near as the program's type tells numbers apart: another number has other results.
  bool near(double a, double b) const {
    const double apart = type_ == DType::f64 ? 1e-14 : type_ == DType::f32 ? 1e-6 : 4e-3;
    return std::abs(a - b) < apart * b;
  }

  void collect(Edge edge, Factors& to) const {
    double value = 0;
    if (p_.scalar(edge, &value)) {
      to.constant *= value;
    } else if (to.items.size() < kMaxItems && is_product(edge)) {
      open(edge.item, to);
    } else {
      to.values.push_back(edge);
    }
  }
  // x itself may be a product: it is read more than once.
  bool is_product(Edge edge) const {
    return p_.only_for(edge, {"Mul", "RealDiv", "Pow", "Square"}) >= 0 && !(edge == x_) &&
           (!p_.is(edge.item, {"RealDiv", "Pow"}) || has_scalar(edge.item));
  }
  bool has_scalar(int i) const {
    double value = 0;
    return p_.scalar(p_.input(i, 1), &value) && (!p_.is(i, "Pow") || value == 2 || value == 3);
  }
  void open(int i, Factors& to) const {
    to.items.push_back(i);
    double value = 0;
    if (p_.is(i, "Mul")) {
      collect(p_.input(i, 0), to);
      collect(p_.input(i, 1), to);
    } else if (p_.is(i, "Square")) {
      to.values.insert(to.values.end(), 2, p_.input(i, 0));
    } else if (p_.scalar(p_.input(i, 1), &value)) {
      if (p_.is(i, "RealDiv")) {
        to.constant /= value;
        collect(p_.input(i, 0), to);
      } else {
        to.values.insert(to.values.end(), static_cast<std::size_t>(value), p_.input(i, 0));
      }
    }
  }

  // 1 + tanh(...) or 1 + erf(...).
  bool is_share(Edge edge) {
    const int sum = p_.only_for(edge, {"Add", "AddV2"});
    if (sum < 0) return false;
    for (int i = 0; i < 2; ++i) {
      double one = 0;
      const int f = p_.only_for(p_.input(sum, i), {"Tanh", "Erf"});
      if (f < 0 || !p_.scalar(p_.input(sum, 1 - i), &one) || one != 1) continue;
      items_.insert(items_.end(), {sum, f});
      by_tanh_ = p_.is(f, "Tanh");
      return by_tanh_ ? is_cubic(p_.input(f, 0)) : is_scaled(p_.input(f, 0));
    }
    return false;
  }
  // x / sqrt(2).
  bool is_scaled(Edge edge) {
    Factors factors;
    collect(edge, factors);
    items_.insert(items_.end(), factors.items.begin(), factors.items.end());
    return near(factors.constant, std::sqrt(0.5)) && factors.values == std::vector<Edge>{x_};
  }
  // sqrt(2 / pi) (x + 0.044715 x^3).
  bool is_cubic(Edge edge) {
    Factors outer, cube;
    collect(edge, outer);
    if (!near(outer.constant, std::sqrt(2 / M_PI)) || outer.values.size() != 1) return false;
    const int sum = p_.only_for(outer.values[0], {"Add", "AddV2"});
    if (sum < 0 || !(p_.input(sum, 0) == x_ || p_.input(sum, 1) == x_)) return false;
    collect(p_.other(sum, x_), cube);
    items_.insert(items_.end(), outer.items.begin(), outer.items.end());
    items_.insert(items_.end(), cube.items.begin(), cube.items.end());
    items_.push_back(sum);
    return near(cube.constant, 0.044715) && cube.values == std::vector<Edge>(3, x_);
  }

  const Pattern& p_;
  DType type_ = DType::invalid;
  Edge x_;
  bool by_tanh_ = false;
  std::vector<int> items_;
};

int fuse_gelu(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"Tanh", "Erf"})) return 0;
  Pattern p(graph, nodes);
  int places = 0;
  for (int i = 0; i < p.size(); ++i) {
    if (!p.is(i, "Mul")) continue;
    GeluMatch match(p);
    if (!match.match(i)) continue;
    const DType type = base_type(graph.dtype(match.x()));
    p.put(i, "_Gelu", {match.x()}, {{"T", type}, {"approximate", match.by_tanh()}}, match.items());
    ++places;
  }
  return places;
}

}  // namespace

extern const Rewrite kGeluRewrite{"gelu", "x/2 (1 + tanh or erf of x) becomes _Gelu", fuse_gelu};

}  // namespace rill
