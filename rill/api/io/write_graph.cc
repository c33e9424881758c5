#include "rill/api/io/write_graph.h"

#include <google/protobuf/text_format.h>

#include "rill/base/durable_files.h"
#include "rill/base/files.h"
#include "rill/graph/graph_def.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::io {

std::string write_graph(const tensorflow::GraphDef& graph_def, const std::string& logdir,
                        const std::string& name, bool as_text) {
  make_directories(logdir);
  const std::string path = join_path(logdir, name);
  std::string content;
  if (as_text)
    google::protobuf::TextFormat::PrintToString(graph_def, &content);
  else
    content = graph_def.SerializeAsString();
  publish_file(path, content);
  return path;
}

std::string write_graph(const Graph& graph, const std::string& logdir, const std::string& name,
                        bool as_text) {
  return write_graph(export_graph_def(graph), logdir, name, as_text);
}

}  // namespace rill::io
