#pragma once

#include <string>

#include "rill/graph/graph.h"

namespace tensorflow {
class GraphDef;
}  // namespace tensorflow

namespace rill::io {

// Writes a GraphDef to the file `name` in `logdir`, which is made if need be, as text (.pbtxt) or
// as bytes (.pb). An existing file is replaced in one step: readers never see half of it. Returns
// the path. Throws what files throw, such as PermissionDenied.
std::string write_graph(const Graph& graph, const std::string& logdir, const std::string& name,
                        bool as_text = true);
std::string write_graph(const tensorflow::GraphDef& graph_def, const std::string& logdir,
                        const std::string& name, bool as_text = true);

}  // namespace rill::io

namespace rill::train {
using io::write_graph;
}  // namespace rill::train
