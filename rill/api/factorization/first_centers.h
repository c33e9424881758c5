#pragma once

#include "rill/api/factorization/kmeans.h"

namespace rill::contrib::factorization {

// Chooses centers until there are `count` of them, as many as the points of a run allow. `updated`
// is a second variable that begins with the same centers, if there is one. The result is whether
// all are chosen; the run fails where they were chosen before, but not by this.
struct FirstCentersChoice {
  std::vector<Output> inputs = {};
  Output count = {};
  KMeansOptions options = {};
  Variable centers = {}, updated = {}, initialized = {};
};
Output choose_centers(const FirstCentersChoice& choice);

}  // namespace rill::contrib::factorization
