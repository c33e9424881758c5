#pragma once

#include <vector>

#include "rill/api/distributions/kullback_leibler.h"

namespace rill::distributions {

// The divergences between distributions of one class that come with the library.
struct KnownDivergence {
  IsClass is_class;
  KlFunction kl;
};
std::vector<KnownDivergence> known_divergences();

}  // namespace rill::distributions
