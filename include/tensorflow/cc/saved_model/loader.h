#ifndef TENSORFLOW_CC_SAVED_MODEL_LOADER_H_
#define TENSORFLOW_CC_SAVED_MODEL_LOADER_H_

#include <memory>
#include <string>
#include <unordered_set>

#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "tensorflow/core/public/session.h"

namespace tensorflow {

struct SavedModelBundle {
  ~SavedModelBundle() {
    if (session) session->Close().IgnoreError();
  }
  SavedModelBundle() = default;
  std::unique_ptr<Session> session;
  MetaGraphDef meta_graph_def;
  const protobuf::Map<string, SignatureDef>& GetSignatures() const {
    return meta_graph_def.signature_def();
  }
};

// Loads the graph that has exactly these tags into a session, with its variables and assets, and
// runs what the model says is to run then.
Status LoadSavedModel(const SessionOptions& session_options, const RunOptions& run_options,
                      const string& export_dir, const std::unordered_set<string>& tags,
                      SavedModelBundle* const bundle);
// Whether a folder looks like a SavedModel.
bool MaybeSavedModelDirectory(const string& export_dir);

}  // namespace tensorflow

#endif
