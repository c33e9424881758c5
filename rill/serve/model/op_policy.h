#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>

#include "rill/kernel/op_guard.h"
#include "rill/serve/core/servable.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"

namespace rill::serve {

// Models come from anywhere. Ops that reach for files, the network or the process are refused where
// a request, or loading, could run them: in the graph, in the functions that it calls, in datasets
// and in graphs inside of tensors, however deep. What loading needs, the model's own variables and
// assets, it may read.
class OpPolicy {
 public:
  // "OP" is allowed to every model, "MODEL:OP" to one. Throws InvalidArgument for an op that is not
  // among those that are refused.
  explicit OpPolicy(const std::string& allowed = {});

  // Looks through the graph before anything of it runs. Throws PermissionDenied naming op, node and
  // the way to it.
  void check(const ServableId& id, const tensorflow::MetaGraphDef& graph) const;
  bool allows(const ServableId& id, const std::string& op) const;

 private:
  std::set<std::string> allowed_;
};

// For the session of a model: refuses the same where a kernel is made, so also what no graph shows.
class ModelGuard : public OpGuard {
 public:
  ModelGuard(std::shared_ptr<const OpPolicy> policy, ServableId id, std::string directory)
      : policy_(std::move(policy)), id_(std::move(id)), directory_(std::move(directory)) {}
  // From now on requests run: files are read no more.
  void end_loading() { loading_ = false; }

  void check_op(const KernelNode& node) const override;
  void check_path(const KernelNode& node, const std::string& path) const override;

 private:
  const std::shared_ptr<const OpPolicy> policy_;
  const ServableId id_;
  const std::string directory_;
  std::atomic<bool> loading_ = true;
};

// Whether `path` is in `directory`, or below it, wherever links lead.
bool lies_within(const std::string& path, const std::string& directory);

}  // namespace rill::serve
