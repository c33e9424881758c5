#include "rill/api/names/more.h"

#include <map>
#include <mutex>
#include <optional>

namespace rill::random::experimental {
namespace {

struct KnownGenerator {
  std::weak_ptr<Graph> graph;
  std::optional<Generator> generator;
};
// Guarded by the mutex; of graphs that are gone when the next one is asked for.
std::mutex generators_mutex;
std::map<const Graph*, KnownGenerator>& generators() {
  static auto* const all = new std::map<const Graph*, KnownGenerator>();
  return *all;
}

KnownGenerator& generator_of_graph() {
  std::erase_if(generators(), [](const auto& item) { return item.second.graph.expired(); });
  KnownGenerator& known = generators()[default_graph().get()];
  known.graph = default_graph();
  return known;
}

}  // namespace

Generator& get_global_generator() {
  const std::lock_guard lock(generators_mutex);
  KnownGenerator& known = generator_of_graph();
  if (!known.generator) known.generator = Generator::from_non_deterministic_state();
  return *known.generator;
}

void set_global_generator(const Generator& generator) {
  const std::lock_guard lock(generators_mutex);
  generator_of_graph().generator = generator;
}

}  // namespace rill::random::experimental
