#pragma once

#include <cstdint>
#include <optional>

#include "rill/graph/random_seed.h"

namespace rill {

// Sets the seed of the default graph, which makes the random ops that are added from then on the
// same in every program that builds the same graph; none takes it away. An op without a seed of its
// own then gets one from how many nodes the graph has, so the order of building matters.
void set_random_seed(std::optional<std::int64_t> seed);

// The seeds of a random op that would be added to the default graph now; none when it would differ
// in every session, which is when neither the graph nor the op has a seed.
std::optional<RandomSeeds> get_seed(std::optional<std::int64_t> op_seed = {});

}  // namespace rill
