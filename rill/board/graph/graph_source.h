#pragma once

#include <optional>
#include <string>

#include "rill/board/log/run.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace tensorflow {
class RunMetadata;
}  // namespace tensorflow

namespace rill::board {

// Where a run's graphs and traces are.
struct StoredMessage {
  std::string path;
  StoredValue value;
  bool is_tensor = false;  // a TensorProto around the bytes
  std::string bytes() const;
};
// The graph of a run as a whole.
std::optional<StoredMessage> run_graph(const Run& run);
// A trace of a tag: the graphs of its functions, and what its nodes took.
std::optional<StoredMessage> run_metadata(const Run& run, const std::string& tag);
// A Keras model, as JSON.
std::optional<StoredMessage> keras_model(const Run& run, const std::string& tag);

// Of a GraphDef, a MetaGraphDef or a SavedModel, whose first graph it is.
tensorflow::GraphDef read_graph_def(const std::string& bytes);
// The graphs that a trace has of functions, in one.
tensorflow::GraphDef graph_of_functions(const tensorflow::RunMetadata& metadata);
// The layers of a Keras model as nodes. Throws InvalidArgument when the text is no such model.
tensorflow::GraphDef graph_of_keras(const std::string& json);
// The body of a function of a graph's library. Throws NotFound when there is none.
tensorflow::GraphDef function_graph(const tensorflow::GraphDef& graph, const std::string& name);

}  // namespace rill::board
