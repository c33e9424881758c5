#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "rill/runtime/session/run_target.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"

namespace rill::saved_model {

// Restores the variables of a graph that was imported below `scope`, tells it where its assets are,
// and runs what the model says is to run then. `saver` knows the names in the imported graph; none
// when it is empty. False when there are no variables to restore, or no file of them.
bool restore_saved_model(const RunTarget& run, const tensorflow::MetaGraphDef& graph,
                         const tensorflow::SaverDef& saver, const std::string& export_dir,
                         const std::string& scope = {});

// Names of a signature and the tensors behind them; a sparse one is its parts, NAME/indices,
// NAME/values and NAME/dense_shape.
std::map<std::string, std::string> tensor_names(
    const google::protobuf::Map<std::string, tensorflow::TensorInfo>& infos);

// A model that can be asked: its graph in a session, and what it can be asked for.
struct Model {
  std::shared_ptr<Graph> graph;
  std::unique_ptr<Session> session;
  tensorflow::MetaGraphDef meta_graph;
  bool has_restored = false;  // there was a file of variables
};
// The graph with these tags in a session of its own, its variables restored. Without the interface
// that programs build graphs with: nothing is known of collections, and no default graph is used.
// `check` sees the graph before anything of it runs, and may refuse it by throwing.
Model load_model(const std::string& export_dir, const std::set<std::string>& tags,
                 const SessionOptions& options = {},
                 const std::function<void(const tensorflow::MetaGraphDef&)>& check = {});

}  // namespace rill::saved_model
