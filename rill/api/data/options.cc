#include "rill/api/data/options.h"

#include "rill/base/text.h"

namespace rill::data {
namespace {

template <class T>
void take(std::optional<T>& mine, const std::optional<T>& other) {
  if (other) mine = other;
}

// Rewrites by the option that asks for them; `by_default`: those that are on unless turned off.
struct Rewrite {
  const char* name;
  std::optional<bool> OptimizationOptions::*option;
  bool by_default = false;
};
constexpr Rewrite kRewrites[] = {
    {"filter_fusion", &OptimizationOptions::filter_fusion},
    {"filter_with_random_uniform_fusion", &OptimizationOptions::filter_with_random_uniform_fusion},
    {"hoist_random_uniform", &OptimizationOptions::hoist_random_uniform},
    {"map_and_batch_fusion", &OptimizationOptions::map_and_batch_fusion, true},
    {"map_and_filter_fusion", &OptimizationOptions::map_and_filter_fusion},
    {"map_parallelization", &OptimizationOptions::map_parallelization},
    {"map_fusion", &OptimizationOptions::map_fusion},
    {"noop_elimination", &OptimizationOptions::noop_elimination, true},
    {"parallel_batch", &OptimizationOptions::parallel_batch},
    {"shuffle_and_repeat_fusion", &OptimizationOptions::shuffle_and_repeat_fusion, true},
};

}  // namespace

Options Options::merged(const Options& other) const {
  Options result = *this;
  take(result.deterministic, other.deterministic);
  take(result.slack, other.slack);
  const auto& theirs = other.optimization;
  auto& mine = result.optimization;
  take(mine.apply_default_optimizations, theirs.apply_default_optimizations);
  take(mine.autotune, theirs.autotune);
  take(mine.autotune_buffers, theirs.autotune_buffers);
  take(mine.autotune_algorithm, theirs.autotune_algorithm);
  take(mine.autotune_cpu_budget, theirs.autotune_cpu_budget);
  for (const Rewrite& rewrite : kRewrites) take(mine.*rewrite.option, theirs.*rewrite.option);
  take(mine.map_vectorization.enabled, theirs.map_vectorization.enabled);
  take(mine.map_vectorization.use_choose_fastest, theirs.map_vectorization.use_choose_fastest);
  take(result.threading.max_intra_op_parallelism, other.threading.max_intra_op_parallelism);
  take(result.threading.private_threadpool_size, other.threading.private_threadpool_size);
  if (other.stats.aggregator) result.stats = other.stats;
  return result;
}

std::vector<std::string> Options::rewrites() const {
  std::vector<std::string> names;
  const bool defaults = optimization.apply_default_optimizations.value_or(true);
  for (const Rewrite& rewrite : kRewrites)
    if ((optimization.*rewrite.option).value_or(rewrite.by_default && defaults))
      names.emplace_back(rewrite.name);
  if (optimization.map_vectorization.enabled.value_or(false))
    names.emplace_back("map_vectorization");
  if (optimization.autotune.value_or(true) && optimization.autotune_buffers.value_or(false))
    names.emplace_back("inject_prefetch");
  if (!deterministic.value_or(true)) names.emplace_back("make_sloppy");
  if (stats.aggregator && stats.latency_all_edges) names.emplace_back("latency_all_edges");
  if (slack.value_or(false)) names.emplace_back("slack");
  return names;
}

std::vector<std::string> Options::rewrite_configs() const {
  std::vector<std::string> configs;
  if (optimization.map_vectorization.enabled.value_or(false) &&
      optimization.map_vectorization.use_choose_fastest)
    configs.push_back(
        str_cat("map_vectorization:use_choose_fastest:",
                *optimization.map_vectorization.use_choose_fastest ? "true" : "false"));
  if (slack.value_or(false)) configs.emplace_back("slack:slack_period:1");
  return configs;
}

}  // namespace rill::data
