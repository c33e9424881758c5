#pragma once

#include <string>
#include <vector>

#include "rill/api/graph_util/graph_util.h"
#include "rill/api/saver/saved_model_loader.h"

namespace rill::saved_model {

struct FreezeModelOptions {
  std::vector<std::string> output_node_names = {};  // none: what the signatures answer with
  std::string tag_set = "serve";
  bool clear_devices = true;
  graph_util::FreezeOptions variables = {};
  std::vector<std::string> initializer_nodes = {};  // run before the values are read
};

// A graph of a file (".pb", ".pbtxt" or ".meta") in a session, its variables with the values of a
// checkpoint: by the Saver of a meta graph, else by their names. Throws InvalidArgument when the
// checkpoint is not there or has nothing for the graph.
Bundle restore_graph(const std::string& graph_file, const std::string& checkpoint,
                     bool clear_devices = true);

// The nodes that the signatures of a graph answer with.
std::vector<std::string> answers_of(const tensorflow::MetaGraphDef& graph);

// One graph with the values of the variables inside: of a SavedModel, or of a graph (".pb",
// ".pbtxt" or ".meta") with a checkpoint. Throws InvalidArgument when there is nothing to freeze.
tensorflow::GraphDef freeze_saved_model(const std::string& export_dir,
                                        const FreezeModelOptions& options = {});
tensorflow::GraphDef freeze_graph(const std::string& graph_file, const std::string& checkpoint,
                                  const FreezeModelOptions& options);
// The same of a graph with the values that its variables have in a session.
tensorflow::GraphDef freeze_session(Session& session, const FreezeModelOptions& options);

}  // namespace rill::saved_model
