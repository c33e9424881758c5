#include "rill/api/names/messages.h"

#include "rill/base/error.h"
#include "rill/graph/filled.h"
#include "rill/graph/graph_def.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill {

tensorflow::TensorProto make_tensor_proto(const Input& values, const TensorProtoOptions& options) {
  require(values.is_value(), "make_tensor_proto takes a value, not a tensor of a graph");
  const Tensor given = values.value(options.dtype);
  tensorflow::TensorProto proto;
  if (!options.shape || *options.shape == given.shape()) {
    to_proto(given, &proto);
    return proto;
  }
  const std::int64_t count = given.element_count();
  to_proto_filled(filled(given, *options.shape), count, &proto);
  return proto;
}

void summaries::initialize(Session& session, const InitializeOptions& options) {
  require(bool(recording_state().writer), "No default tf.contrib.summary.SummaryWriter found");
  const std::vector<Node*> writers = summary_writer_initializer_op();
  session.run(writers);
  if (options.graph == nullptr) return;
  const Output fed = placeholder(DType::string, PartialShape());
  Node& write = record_graph(fed, 0);
  session.run(write, {{fed, export_graph_def(*options.graph).SerializeAsString()}});
}

}  // namespace rill
