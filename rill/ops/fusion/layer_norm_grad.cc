#include "rill/ops/fusion/derivation.h"
#include "rill/ops/fusion/layer_norm_match.h"

namespace rill {
namespace {

// slope: 1 / sqrt(variance + epsilon).
enum LayerNormAtom { kNormX, kGamma, kBeta, kNormGradient, kMean, kSlope };

// The gradient of one layer norm: found by what its nodes compute together.
class LayerNormGrad {
 public:
  LayerNormGrad(Pattern& p, const Uses& uses, const LayerNormMatch& match)
      : p_(p), uses_(uses), match_(match) {
    const PartialShape shape = p.shape(match.x);
    rows_ = {.width = static_cast<double>(shape.dim(shape.rank() - 1)),
             .constant = 1u << kMean | 1u << kSlope,
             .averaged = kNormX,
             .mean = kMean};
  }

  bool replace(std::map<std::pair<int, int>, Edge>& moved) {
    constexpr int kFactors[] = {kGamma, kSlope};
    Derivation forward = begin();
    forward.spread();
    for (const Edge& gradient : forward.gradients_beside(kFactors)) {
      Derivation all = begin();
      all.set(gradient, dy);
      all.spread();
      const auto given = forward.of_full_shape(gradient);
      if (given && put(all, *given, moved)) return true;
    }
    return false;
  }

 private:
  Derivation begin() const {
    Derivation d(p_, uses_, match_.x, rows_);
    d.set(match_.x, x);
    d.set(match_.gamma, gamma, Extent::kColumn);
    d.set(match_.beta, beta, Extent::kColumn);
    d.set(match_.mean, mean, Extent::kRow);
    const Formula epsilon = Formula::number(match_.epsilon);
    d.set(match_.variance, slope.power(2).reciprocal() - epsilon, Extent::kRow);
    const bool is_reciprocal = p_.is(match_.root.item, "Rsqrt");
    d.set(match_.root, is_reciprocal ? slope : slope.reciprocal(), Extent::kRow);
    d.end_at((x - mean) * slope * gamma + beta);
    return d;
  }

  bool put(const Derivation& all, Edge given, std::map<std::pair<int, int>, Edge>& moved) {
    const Formula share = Formula::number(1 / rows_.width), product = gamma * dy;
    const Formula along = (product * (x - mean)).sum_of_row(rows_);
    const Formula dx = slope * product - share * slope * product.sum_of_row(rows_) -
                       share * slope.power(3) * (x - mean) * along;
    const auto to_x = all.first(dx, Extent::kFull);
    // A sum that comes before what the new node reads might be needed for that.
    const int last_input = std::max({given.item, match_.x.item, match_.gamma.item});
    const auto sum_of = [&](const Formula& f) {
      const auto found = all.first(f, Extent::kColumnSum);
      return found && found->item > last_input ? *found : Edge{};
    };
    Replacement made{
        .op = "_LayerNormGrad",
        .inputs = {given, match_.x, match_.gamma},
        .attrs = {{"T", DType::f32}, {"epsilon", static_cast<float>(match_.epsilon)}},
        .results = {to_x.value_or(Edge{}), sum_of((x - mean) * slope * dy), sum_of(dy)}};
    if (!to_x)
      for (const Derivation::MixedSum& sum : all.mixed_sums())
        if (sum.known.is_near(dx)) made.mixed = sum.item;
    if (!to_x && made.mixed < 0) return false;
    return put_derived(p_, uses_, all, made, moved);
  }

  const Formula x = Formula::atom(kNormX), gamma = Formula::atom(kGamma),
                beta = Formula::atom(kBeta), dy = Formula::atom(kNormGradient),
                mean = Formula::atom(kMean), slope = Formula::atom(kSlope);
  Pattern& p_;
  const Uses& uses_;
  const LayerNormMatch& match_;
  Formula::Rows rows_;
};

// Who only asks for the shape of a value in between asks x instead.
void move_norm_shape_readers(Subgraph& graph, const Pattern& p, const Uses& uses,
                             const LayerNormMatch& match) {
  const PartialShape shape = p.shape(match.x);
  for (const int item : match.items())
    for (const int reader : uses.readers[static_cast<std::size_t>(item)])
      if (p.is(reader, "Shape") && p.shape({item, 0}) == shape)
        graph.items[static_cast<std::size_t>(reader)].inputs[0] = match.x;
}

int fuse_layer_norm_grad(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"RsqrtGrad", "SqrtGrad"})) return 0;
  Pattern p(graph, nodes);
  const Uses uses(graph);
  std::map<std::pair<int, int>, Edge> moved;
  int places = 0;
  for (int i = 0; i < p.size(); ++i) {
    if (!p.is(i, {"Add", "AddV2"})) continue;
    LayerNormMatch match(p);
    if (!match.match(i) || !LayerNormGrad(p, uses, match).replace(moved)) continue;
    move_norm_shape_readers(graph, p, uses, match);
    ++places;
  }
  if (places > 0)
    redirect(graph, [&](Edge edge) {
      const auto it = moved.find({edge.item, edge.output});
      return it == moved.end() ? edge : it->second;
    });
  return places;
}

}  // namespace

extern const Rewrite kLayerNormGradRewrite{
    "layer_norm_grad", "the gradients of a layer norm become _LayerNormGrad", fuse_layer_norm_grad};

}  // namespace rill
