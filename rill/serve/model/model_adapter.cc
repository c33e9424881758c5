#include "rill/serve/model/model_adapter.h"

#include "rill/serve/model/lost_variables.h"
#include "rill/serve/model/response_cache.h"
#include "rill/tensor/free_memory.h"

namespace rill::serve {
namespace {

// What models leave when they go, or when loading them ends, is too large to be kept for others.
struct GivesMemoryBack {
  ~GivesMemoryBack() { give_back_free_memory(); }
};

std::unique_ptr<StepRunner> inner_runner_of(const ServableId& id, const ModelOptions& options) {
  if (options.make_runner) return options.make_runner(id);
  if (options.admission != nullptr) return options.admission->runner(id);
  return std::make_unique<DirectRunner>();
}

std::unique_ptr<StepRunner> runner_of(const ServableId& id, const ModelOptions& options) {
  auto runner = inner_runner_of(id, options);
  const std::int64_t bytes =
      options.settings == nullptr ? 0 : options.settings->of(id.name).response_cache_bytes();
  if (bytes == 0) return runner;
  ModelMetrics* const metrics =
      options.metrics == nullptr ? nullptr : &options.metrics->model(id.name);
  return caching_runner(std::move(runner), bytes, metrics);
}

}  // namespace

std::shared_ptr<Servable> ModelLoader::load() {
  const GivesMemoryBack when_loaded;
  SessionOptions session = options_.session;
  std::shared_ptr<ModelGuard> guard;
  if (options_.policy != nullptr)
    session.guard = guard = std::make_shared<ModelGuard>(options_.policy, id_, path_);
  const auto check = [&](const tensorflow::MetaGraphDef& graph) {
    if (options_.policy != nullptr) options_.policy->check(id_, graph);
  };
  saved_model::Model loaded = saved_model::load_model(path_, options_.tags, session, check);
  if (guard != nullptr) guard->end_loading();
  // Of what is known of the graph only the signatures are asked for from now on.
  loaded.meta_graph.clear_graph_def();
  check_variables_are_there(loaded, path_);
  const std::shared_ptr<ModelServable> model(
      new ModelServable(std::move(loaded), runner_of(id_, options_), id_.name),
      [](ModelServable* gone) {
        const GivesMemoryBack when_unloaded;
        delete gone;
      });
  if (options_.warm_up) warm_up(*model, path_, options_.warm_up_rounds);
  return model;
}

}  // namespace rill::serve
