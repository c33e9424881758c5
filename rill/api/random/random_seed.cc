#include "rill/api/random/random_seed.h"

#include "rill/api/core/default_graph.h"

namespace rill {

void set_random_seed(std::optional<std::int64_t> seed) { set_graph_seed(*default_graph(), seed); }

std::optional<RandomSeeds> get_seed(std::optional<std::int64_t> op_seed) {
  const RandomSeeds seeds = random_seeds(*default_graph(), op_seed);
  if (seeds.seed == 0 && seeds.seed2 == 0) return {};
  return seeds;
}

}  // namespace rill
