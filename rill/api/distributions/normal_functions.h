#pragma once

#include "rill/api/core/default_graph.h"

namespace rill::distributions {

// Functions of the standard normal distribution, for floats and doubles; they throw InvalidArgument
// for other types.
Output ndtr(Output x);      // the probability of less than x
Output log_ndtr(Output x);  // its logarithm, also far below the mean
Output ndtri(Output p);     // the x that less than which has probability p

// The logarithm of the probability of less than x under Laplace's standard distribution.
Output log_cdf_laplace(Output x);

}  // namespace rill::distributions
