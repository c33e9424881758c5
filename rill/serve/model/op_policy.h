#pragma once

#include <set>
#include <string>

#include "rill/serve/core/servable.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"

namespace rill::serve {

// Models come from anywhere. Ops that reach for files, the network or the process are refused where
// a request, or loading, could run them: in the graph and in the functions that it calls, however
// deep. What loading needs, the model's own variables and assets, it may read.
class OpPolicy {
 public:
  // "OP" is allowed to every model, "MODEL:OP" to one. Throws InvalidArgument for an op that is not
  // among those that are refused.
  explicit OpPolicy(const std::string& allowed = {});

  // Throws PermissionDenied naming op, node and the way to it.
  void check(const ServableId& id, const tensorflow::MetaGraphDef& graph) const;

 private:
  std::set<std::string> allowed_;
};

}  // namespace rill::serve
