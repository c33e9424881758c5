#include "rill/serve/model/model_adapter.h"

#include "rill/serve/model/lost_variables.h"

namespace rill::serve {

std::shared_ptr<Servable> ModelLoader::load() {
  saved_model::Model loaded = saved_model::load_model(path_, options_.tags, options_.session,
                                                      [&](const tensorflow::MetaGraphDef& graph) {
                                                        if (options_.check)
                                                          options_.check(id_, graph);
                                                      });
  // Of what is known of the graph only the signatures are asked for from now on.
  loaded.meta_graph.clear_graph_def();
  check_variables_are_there(loaded, path_);
  auto model = std::make_shared<ModelServable>(
      std::move(loaded),
      options_.make_runner ? options_.make_runner(id_) : std::make_unique<DirectRunner>());
  if (options_.warm_up) warm_up(*model, path_, options_.warm_up_rounds);
  return model;
}

}  // namespace rill::serve
