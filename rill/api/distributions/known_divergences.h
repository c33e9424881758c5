#pragma once

#include <vector>

#include "rill/api/distributions/kullback_leibler.h"

namespace rill::distributions {

// The closed forms that come with the library, each between two distributions of one class:
// Bernoulli, Beta, Categorical, Dirichlet, Gamma (and so Exponential), Normal,
// MultivariateNormalDiag. They enter the table of kullback_leibler.cc when it is first used.
struct KnownDivergence {
  IsClass is_class = {};
  KlFunction kl = {};
};
std::vector<KnownDivergence> known_divergences();

}  // namespace rill::distributions
