#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rill/api/saver/saver.h"
#include "rill/api/saver/signatures.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace rill::saved_model {

bool contains_saved_model(const std::string& export_dir);

// The file of the model, binary or text. Throws NotFound when there is none, InvalidArgument when
// it is damaged or holds what no graph can be made of.
tensorflow::SavedModel read_saved_model(const std::string& export_dir);
// The only graph with exactly these tags. Throws NotFound naming those that there are.
const tensorflow::MetaGraphDef& meta_graph_with(const tensorflow::SavedModel& model,
                                                const std::set<std::string>& tags);

// A file of the model itself; throws InvalidArgument for what lies elsewhere.
std::string asset_path(const std::string& export_dir, const std::string& filename);
std::string variables_path(const std::string& export_dir);  // the checkpoint

std::set<std::string> split_tag_set(const std::string& tag_set);  // "a,b"

// A model that can be asked: its graph in a session, and what it can be asked for.
struct Bundle {
  std::shared_ptr<Graph> graph;
  std::unique_ptr<Session> session;
  tensorflow::MetaGraphDef meta_graph;

  // Runs a signature: inputs and outputs by the signature's names, sparse ones as NAME/indices,
  // NAME/values and NAME/dense_shape. Throws InvalidArgument naming an input that is missing or
  // unknown.
  std::map<std::string, Tensor> run(const std::map<std::string, Tensor>& inputs,
                                    const std::string& signature = kDefaultServingSignatureKey);
};
// Loads the graph with these tags into a session of its own, restores variables and assets, and
// runs what the model says is to run then.
Bundle load(const std::string& export_dir, const std::set<std::string>& tags = {"serve"},
            const SessionOptions& options = {});

// The same into the default graph, for whoever runs steps in another way: gets texts to feed, by
// tensor, and the name of what to run.
using RunTarget =
    std::function<void(const std::map<std::string, std::string>& feeds, const std::string& what)>;
tensorflow::MetaGraphDef load_into(const RunTarget& run, const std::string& export_dir,
                                   const std::set<std::string>& tags,
                                   const train::ImportMetaGraphOptions& options = {});

}  // namespace rill::saved_model
