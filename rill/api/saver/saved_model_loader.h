#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "rill/api/saver/saver.h"
#include "rill/api/saver/signatures.h"
#include "rill/io/saved_model.h"
#include "rill/proto/boxed_message.h"
#include "rill/proto/messages_fwd.h"
#include "rill/runtime/session/run_target.h"

namespace rill::saved_model {

// A model that can be asked: its graph in a session, and what it can be asked for.
struct Bundle {
  std::shared_ptr<Graph> graph;
  std::unique_ptr<Session> session;
  BoxedMessage<tensorflow::MetaGraphDef> meta_graph;

  // Runs a signature: inputs and outputs by the signature's names, sparse ones as NAME/indices,
  // NAME/values and NAME/dense_shape. Throws InvalidArgument naming an input that is missing or
  // unknown.
  std::map<std::string, Tensor> run(const std::map<std::string, Tensor>& inputs,
                                    const std::string& signature = kDefaultServingSignatureKey);
};
// Loads the graph with these tags into a session of its own, restores variables and assets, and
// runs what the model says is to run then. Throws NotFound where there is no model, or
// none of its graphs has exactly these tags.
//
//   Bundle model = saved_model::load(path);
//   auto outputs = model.run({{"x", images}});
Bundle load(const std::string& export_dir, const std::set<std::string>& tags = {"serve"},
            const SessionOptions& options = {});

// The same into the default graph, for whoever runs steps in another way.
tensorflow::MetaGraphDef load_into(const RunTarget& run, const std::string& export_dir,
                                   const std::set<std::string>& tags,
                                   const train::ImportMetaGraphOptions& options = {});

}  // namespace rill::saved_model
