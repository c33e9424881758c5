#pragma once

#include <cstdint>
#include <optional>

#include "rill/graph/graph.h"

namespace rill {

// The attributes `seed` and `seed2` of a random op. Both 0: a different stream in every session.
struct RandomSeeds {
  std::int64_t seed = 0, seed2 = 0;
};

// Sets the graph's seed, or takes it away. Seeds are kept modulo 2^31 - 1, which makes no
// difference to any op.
void set_graph_seed(Graph& graph, std::optional<std::int64_t> seed);

// What the graph's seed and an op's own make of each other, for an op that is about to be added to
// `graph`. An op without a seed of its own takes the number of nodes made before it; in eager
// execution, which makes none, one that is drawn.
RandomSeeds random_seeds(Graph& graph, std::optional<std::int64_t> op_seed = {});

}  // namespace rill
