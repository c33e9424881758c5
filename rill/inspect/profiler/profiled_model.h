#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "rill/inspect/profiler/profiled_node.h"

namespace tensorflow {
class GraphDef;
class RunMetadata;
namespace tfprof {
class OpLogProto;
class ProfileProto;
}  // namespace tfprof
}  // namespace tensorflow

namespace rill {
class CheckpointReader;
}

namespace rill::profiler {

// All that is known of a model: its graph, what a program said about its nodes (the op log: types,
// code, float operations), and what they did in the steps that were traced.
class ProfiledModel {
 public:
  // Nodes that are known already keep what is known of them.
  void add_graph(const tensorflow::GraphDef& graph);
  void add_op_log(const tensorflow::tfprof::OpLogProto& log);
  void add_step(std::int64_t step, const tensorflow::RunMetadata& metadata);
  // Its tensors are types ("_checkpoint_variables") and values.
  void add_checkpoint(std::shared_ptr<const CheckpointReader> checkpoint);

  // A profile file: everything but the checkpoint. Ids that lead nowhere are InvalidArgument.
  static ProfiledModel from_proto(const tensorflow::tfprof::ProfileProto& proto);
  void to_proto(tensorflow::tfprof::ProfileProto* proto) const;

  const std::map<std::string, ProfiledNode>& nodes() const { return nodes_; }
  const std::set<std::int64_t>& steps() const { return steps_; }
  bool has_traces() const { return has_traces_; }
  const CheckpointReader* checkpoint() const { return checkpoint_.get(); }

  // The known shapes of what comes in, by index; an empty one is not known.
  std::map<int, Dims> input_shapes(const ProfiledNode& node) const;

 private:
  ProfiledNode& node(const std::string& name, const std::string& op);

  std::map<std::string, ProfiledNode> nodes_;
  std::set<std::int64_t> steps_;
  std::shared_ptr<const CheckpointReader> checkpoint_;
  bool has_traces_ = false;
};

}  // namespace rill::profiler
