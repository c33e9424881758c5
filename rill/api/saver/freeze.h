#pragma once

#include <string>
#include <vector>

#include "rill/api/graph_util/graph_util.h"

namespace rill::saved_model {

struct FreezeModelOptions {
  std::vector<std::string> output_node_names;  // none: what the signatures answer with
  std::string tag_set = "serve";
  bool clear_devices = true;
  graph_util::FreezeOptions variables;
  std::vector<std::string> initializer_nodes;  // run before the values are read
};

// One graph with the values of the variables inside: of a SavedModel, or of a graph (".pb",
// ".pbtxt" or ".meta") with a checkpoint. Throws InvalidArgument when there is nothing to freeze.
tensorflow::GraphDef freeze_saved_model(const std::string& export_dir,
                                        const FreezeModelOptions& options = {});
tensorflow::GraphDef freeze_graph(const std::string& graph_file, const std::string& checkpoint,
                                  const FreezeModelOptions& options);

}  // namespace rill::saved_model
