#include <google/protobuf/stubs/logging.h>

#include <cstddef>
#include <cstdint>

#include "rill/base/error.h"
#include "rill/graph/graph_def.h"
#include "rill/graph/test_ops.h"
#include "tensorflow/core/framework/graph.pb.h"

// Any bytes as a GraphDef: either an Error and an unchanged graph, or a graph that can be written
// and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto kLoud = google::protobuf::SetLogHandler(nullptr);
  static_cast<void>(kLoud);
  tensorflow::GraphDef def;
  if (!def.ParseFromArray(data, static_cast<int>(size))) return 0;
  rill::Graph graph(rill::testing::test_registry());
  graph.add({.op = "NoOp", .name = "here"});
  try {
    rill::import_graph_def(graph, def, {.prefix = "p", .uniquify_names = true});
  } catch (const rill::Error&) {
    if (graph.node_count() != 1) __builtin_trap();
    return 0;
  }
  rill::Graph copy(rill::testing::test_registry());
  rill::export_graph_def(graph, {.add_shapes = true});
  rill::import_graph_def(copy, rill::export_graph_def(graph));
  if (copy.node_count() != graph.node_count()) __builtin_trap();
  return 0;
}
