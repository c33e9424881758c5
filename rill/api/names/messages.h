#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/session.h"
#include "rill/api/io/messages.h"
#include "rill/api/summary/recorded.h"
#include "rill/api/summary/summary.h"
#include "rill/tensor/tensor_proto.h"

// Messages under TensorFlow's names, and tensors as messages: what a program that looks into event
// files and GraphDefs needs.
namespace rill {

// The value in a TensorProto. Throws InvalidArgument where the message is wrong.
inline Tensor make_ndarray(const tensorflow::TensorProto& tensor) { return from_proto(tensor); }
struct TensorProtoOptions {
  DType dtype = DType::invalid;     // the value's
  std::optional<Shape> shape = {};  // the value's last element is repeated to fill it
};
// Throws InvalidArgument where the value cannot have that type, or has more elements than the
// shape.
tensorflow::TensorProto make_tensor_proto(const Input& values,
                                          const TensorProtoOptions& options = {});

namespace summaries {
using tensorflow::Event;
using tensorflow::SessionLog;
using tensorflow::Summary;
using tensorflow::SummaryDescription;
using tensorflow::TaggedRunMetadata;

// The operations of tf.contrib.summary's writers: of the default graph.
inline std::vector<Output> all_v2_summary_ops() { return all_summary_ops(); }
struct InitializeOptions {
  const Graph* graph = nullptr;  // written to the file, too
};
// Runs the initializers of the writers. Throws InvalidArgument for a graph without a writer.
void initialize(Session& session, const InitializeOptions& options = {});
}  // namespace summaries

}  // namespace rill
