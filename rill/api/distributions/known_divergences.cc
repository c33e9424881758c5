#include "rill/api/distributions/known_divergences.h"

#include "rill/api/core/basic_ops.h"
#include "rill/api/distributions/classes.h"
#include "rill/api/distributions/contrib.h"
#include "rill/api/distributions/location_scale.h"
#include "rill/api/distributions/numbers.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/softmax.h"

namespace rill::distributions {

using namespace formula;

namespace {

// A divergence between two distributions of one class, in nodes under `otherwise`.
template <class Class, class Build>
KnownDivergence known(const char* otherwise, Build build) {
  return {is_of<Class>, [=](Distribution& a, Distribution& b, const std::string& name) {
            const Block in(name, otherwise, {});
            return Output(build(dynamic_cast<Class&>(a), dynamic_cast<Class&>(b)));
          }};
}

Output bernoulli(Bernoulli& a, Bernoulli& b) {
  const Formula x = a.logits(), y = b.logits();
  const Output no = softplus(-y) - softplus(-x);
  const Output yes = softplus(y) - softplus(x);
  return sigmoid(x) * no + sigmoid(-x) * yes;
}

Output beta(Beta& a, Beta& b) {
  const auto term = [&](const char* name) {
    return digamma(a.parameter(name)) * (Formula(b.parameter(name)) - a.parameter(name));
  };
  return b.log_normalization() - a.log_normalization() - term("concentration1") -
         term("concentration0") + term("total_concentration");
}

Output categorical_divergence(Categorical& a, Categorical& b) {
  const Formula first = nn::log_softmax(a.logits());
  const Output difference = first - nn::log_softmax(b.logits());
  return sum_over_last(Formula(nn::softmax(a.logits())) * difference);
}

Output dirichlet(Dirichlet& a, Dirichlet& b) {
  const Formula x = a.concentration(), y = b.concentration();
  const Output total = reduce_sum(a.concentration(), {.axis = Input(-1), .keepdims = true});
  const Output of_total = digamma(Formula(total));
  const Output of_each = digamma(x) - of_total;
  const Output difference = x - y;
  const auto lbeta_of = [](Distribution& d) {
    return Formula([&d] { return lbeta(d.parameter("concentration")); });
  };
  return sum_over_last(Formula(difference) * of_each) - lbeta_of(a) + lbeta_of(b);
}

Output gamma(Gamma& a, Gamma& b) {
  const Formula k = a.concentration(), l = b.concentration(), r = a.rate(), s = b.rate();
  return (k - l) * digamma(k) + lgamma(l) - lgamma(k) + l * log(r) - l * log(s) + k * (s / r - 1.0);
}

Output normal(Normal& a, Normal& b) {
  const auto number = [&](double value) { return constant(math_parts::number(a.dtype(), value)); };
  const Output one = number(1), two = number(2), half = number(0.5);
  const Output variance_a = square(Formula(a.scale()));
  const Output variance_b = square(Formula(b.scale()));
  const Output ratio = Formula(variance_a) / variance_b;
  const Formula distance = node("SquaredDifference", {a.loc(), b.loc()});
  return distance / (Formula(two) * variance_b) +
         Formula(half) * (Formula(ratio) - one - log(Formula(ratio)));
}

Output normal_diag(contrib::MultivariateNormalDiag& a, contrib::MultivariateNormalDiag& b) {
  const Formula s = a.scale_diag(), t = b.scale_diag();
  const Output ratio = s / t;
  const Output distance = (Formula(b.loc()) - a.loc()) / t;
  const Output squares = square(Formula(ratio)) + square(Formula(distance)) - 1.0;
  return 0.5 * sum_over_last(squares) - sum_over_last(log(formula::abs(Formula(ratio))));
}

}  // namespace

std::vector<KnownDivergence> known_divergences() {
  return {known<Bernoulli>("kl_bernoulli_bernoulli", bernoulli),
          known<Beta>("kl_beta_beta", beta),
          known<Categorical>("kl_categorical_categorical", categorical_divergence),
          known<Dirichlet>("kl_dirichlet_dirichlet", dirichlet),
          known<Gamma>("kl_gamma_gamma", gamma),
          known<Normal>("kl_normal_normal", normal),
          known<contrib::MultivariateNormalDiag>("kl_mvn", normal_diag)};
}

}  // namespace rill::distributions
