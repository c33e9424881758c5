#ifndef TENSORFLOW_CORE_GRAPH_DEFAULT_DEVICE_H_
#define TENSORFLOW_CORE_GRAPH_DEFAULT_DEVICE_H_

#include <string>

#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {
namespace graph {

// Gives every node that asks for no device this one.
inline void SetDefaultDevice(const string& device, GraphDef* graph_def) {
  for (int i = 0; i < graph_def->node_size(); ++i)
    if (graph_def->node(i).device().empty()) graph_def->mutable_node(i)->set_device(device);
}

}  // namespace graph
}  // namespace tensorflow

#endif
