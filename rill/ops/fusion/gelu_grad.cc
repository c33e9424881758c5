#include <cmath>

#include "rill/ops/fusion/derivation.h"

namespace rill {
namespace {

// share: tanh or erf of what is made of x; bell: exp(-x^2 / 2).
enum GeluAtom { kGeluX, kShare, kBell, kGeluGradient };

struct Quantities {
  const Formula x = Formula::atom(kGeluX), share = Formula::atom(kShare),
                bell = Formula::atom(kBell), dy = Formula::atom(kGeluGradient),
                half = Formula::number(0.5);
};

Formula number(double value) { return Formula::number(value); }

// One of the two forms of GELU.
struct Form {
  const char *op, *grad_op;
  Formula inner, slope;  // what `op` is taken of, and the derivative of the whole
};

Form tanh_form() {
  const auto [x, share, bell, dy, half] = Quantities();
  const double c = std::sqrt(2 / M_PI), a = 0.044715;
  const Formula inner = number(c) * x + number(c * a) * x.power(3);
  const Formula inner_slope = number(c) + number(3 * c * a) * x.power(2);
  const Formula share_slope = (number(1) - share.power(2)) * inner_slope;
  return {"Tanh", "_GeluTanhGrad", inner, half + half * share + half * x * share_slope};
}
Form erf_form() {
  const auto [x, share, bell, dy, half] = Quantities();
  return {"Erf", "_GeluErfGrad", number(std::sqrt(0.5)) * x,
          half + half * share + number(1 / std::sqrt(2 * M_PI)) * x * bell};
}

// Values that x may be: those from which a short way leads to `edge`.
std::vector<Edge> values_before(const Pattern& p, Edge edge) {
  constexpr std::size_t kMax = 12;
  std::vector<Edge> found{edge};
  for (std::size_t i = 0; i < found.size() && found.size() < kMax; ++i) {
    if (!p.is(found[i].item, {"Mul", "Add", "AddV2", "RealDiv", "Pow", "Square"})) continue;
    for (const Edge& input : p.item(found[i].item).inputs)
      if (!p.item(input.item).constant && std::ranges::find(found, input) == found.end())
        found.push_back(input);
  }
  return found;
}

class GeluGrad : Quantities {
 public:
  GeluGrad(Pattern& p, const Uses& uses, const Form& form, int function)
      : p_(p), uses_(uses), form_(form), function_(function) {}

  bool replace(std::map<std::pair<int, int>, Edge>& moved) {
    for (const Edge& source : values_before(p_, p_.input(function_, 0))) {
      Derivation before(p_, uses_, source, {});
      before.set(source, x);
      before.spread();
      const Derivation::Value* inner = before.find(p_.input(function_, 0));
      if (inner != nullptr && inner->formula.is_near(form_.inner)) return replace_of(source, moved);
    }
    return false;
  }

 private:
  Derivation begin(Edge source) const {
    Derivation d(p_, uses_, source, {});
    d.set(source, x);
    d.set({function_, 0}, share);
    d.take_function("Exp", number(-0.5) * x.power(2), bell);
    d.end_at(half * x + half * x * share);
    return d;
  }

  bool replace_of(Edge source, std::map<std::pair<int, int>, Edge>& moved) {
    constexpr int kFactors[] = {kShare};
    Derivation forward = begin(source);
    forward.spread();
    for (const Edge& gradient : forward.gradients_beside(kFactors)) {
      const auto given = forward.of_full_shape(gradient);
      if (!given) continue;
      Derivation all = begin(source);
      all.set(gradient, dy);
      all.spread();
      const Formula dx = dy * form_.slope;
      const auto to_x = all.first(dx, Extent::kFull);
      Replacement made{.op = form_.grad_op,
                       .inputs = {*given, source},
                       .attrs = {{"T", DType::f32}},
                       .results = {to_x.value_or(Edge{})}};
      if (!to_x)
        for (const Derivation::MixedSum& sum : all.mixed_sums())
          if (sum.known.is_near(dx)) made.mixed = sum.item;
      if ((to_x || made.mixed >= 0) && put_derived(p_, uses_, all, made, moved)) {
        move_shape_readers(forward, source);
        return true;
      }
    }
    return false;
  }

  // Who only asks for the shape of a value in between asks x instead.
  void move_shape_readers(const Derivation& forward, Edge source) {
    for (const int item : forward.known_items())
      for (const int reader : uses_.readers[static_cast<std::size_t>(item)]) {
        if (!p_.is(reader, "Shape")) continue;
        Edge& asked = p_.graph.items[static_cast<std::size_t>(reader)].inputs[0];
        const auto* value = forward.find(asked);
        if (value != nullptr && value->extent == Extent::kFull) asked = source;
      }
  }

  Pattern& p_;
  const Uses& uses_;
  const Form& form_;
  int function_;
};

int fuse_gelu_grad(Subgraph& graph, HelperNodes& nodes) {
  static const Form kForms[] = {tanh_form(), erf_form()};
  if (!Pattern::occurs(graph, {"TanhGrad", "Exp"})) return 0;
  Pattern p(graph, nodes);
  const Uses uses(graph);
  std::map<std::pair<int, int>, Edge> moved;
  int places = 0;
  for (int i = 0; i < p.size(); ++i)
    for (const Form& form : kForms)
      if (p.is(i, form.op) && graph.dtype({i, 0}) == DType::f32)
        places += GeluGrad(p, uses, form, i).replace(moved) ? 1 : 0;
  if (places > 0)
    redirect(graph, [&](Edge edge) {
      const auto it = moved.find({edge.item, edge.output});
      return it == moved.end() ? edge : it->second;
    });
  return places;
}

}  // namespace

extern const Rewrite kGeluGradRewrite{
    "gelu_grad", "the gradient of GELU becomes _GeluTanhGrad or _GeluErfGrad", fuse_gelu_grad};

}  // namespace rill
