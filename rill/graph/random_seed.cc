#include "rill/graph/random_seed.h"

#include <memory>

#include "rill/graph/eager_seeds.h"

namespace rill {
namespace {

// Of an eager graph: what draws seeds for ops without one, once the program has set a seed.
struct DrawnSeeds {
  std::unique_ptr<EagerSeeds> seeds;
};

constexpr std::int64_t kDefaultGraphSeed = 87654321;
constexpr std::int64_t kSeedLimit = 0x7fffffff;

std::int64_t within_limit(std::int64_t seed) {  // never negative
  const std::int64_t rest = seed % kSeedLimit;
  return rest < 0 ? rest + kSeedLimit : rest;
}

}  // namespace

void set_graph_seed(Graph& graph, std::optional<std::int64_t> seed) {
  std::unique_lock lock(graph.mutex());
  graph.seed = seed ? within_limit(*seed) : -1;
  if (!graph.is_eager()) return;
  const auto magnitude =
      static_cast<std::uint64_t>(seed.value_or(0) < 0 ? -*seed : seed.value_or(0));
  graph.attached<DrawnSeeds>().seeds = seed ? std::make_unique<EagerSeeds>(magnitude) : nullptr;
  graph.forget_kernels();
}

RandomSeeds random_seeds(Graph& graph, std::optional<std::int64_t> op_seed) {
  const std::unique_lock lock(graph.mutex());
  if (graph.is_eager() && graph.seed >= 0 && !op_seed)
    op_seed = graph.attached<DrawnSeeds>().seeds->next();
  const bool has_seed = graph.seed >= 0;
  if (!has_seed && !op_seed) return {};
  const RandomSeeds seeds{has_seed ? graph.seed : kDefaultGraphSeed,
                          within_limit(op_seed.value_or(graph.node_count()))};
  // Two zeros would mean "no seed", but somebody asked for them.
  if (seeds.seed == 0 && seeds.seed2 == 0) return {0, kSeedLimit};
  return seeds;
}

}  // namespace rill
