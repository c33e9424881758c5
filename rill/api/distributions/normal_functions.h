#pragma once

#include "rill/api/core/default_graph.h"

namespace rill::distributions {

// Functions of the standard normal distribution, for float32 and float64; they throw
// InvalidArgument for other types when the node is made. In Phi's place they use erf near zero and
// erfc in the tails, where 1 - erf would cancel; log_ndtr goes over to an asymptotic series far
// below the mean, where Phi(x) itself underflows; ndtri uses the rational approximations of the
// Cephes library.
Output ndtr(Output x);      // the probability of less than x
Output log_ndtr(Output x);  // its logarithm, also far below the mean
Output ndtri(Output p);     // the x that less than which has probability p

// The logarithm of the probability of less than x under Laplace's standard distribution.
Output log_cdf_laplace(Output x);

}  // namespace rill::distributions
