// Any bytes as a GraphDef: import it and run every node, on one device and scattered over three.
// Errors are fine; crashes, hangs and leaks are not.
#include <google/protobuf/stubs/logging.h>

#include <cstdint>
#include <string>

#include "rill/base/error.h"
#include "rill/graph/graph_def.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace {

constexpr int kMaxNodes = 64;
constexpr std::int64_t kMemoryLimit = 256 << 20;

// Small, without ops that print, which are noise here; functions included.
bool is_quiet(const tensorflow::GraphDef& def) {
  int count = def.node_size();
  for (const auto& node : def.node())
    if (node.op().starts_with("Print")) return false;
  for (const auto& function : def.library().function()) {
    count += function.node_def_size();
    for (const auto& node : function.node_def())
      if (node.op().starts_with("Print")) return false;
  }
  return count <= kMaxNodes;
}

void run_each(rill::Session& session) {
  for (rill::Node* node : session.graph().nodes()) {
    try {
      session.run({}, {}, {&node, 1}, {.timeout_ms = 1000});
    } catch (const rill::Error&) {
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const google::protobuf::LogSilencer no_words_about_bad_utf8;
  tensorflow::GraphDef def;
  if (!def.ParseFromArray(data, static_cast<int>(size)) || !is_quiet(def)) return 0;
  rill::cpu_allocator().set_limit(kMemoryLimit);
  try {
    auto graph = std::make_shared<rill::Graph>(rill::standard_ops());
    rill::import_graph_def(*graph, def);
    rill::SessionOptions options;
    options.intra_op_threads = 1;
    options.allow_soft_placement = true;
    rill::Session session(graph, options);
    run_each(session);
    for (rill::Node* node : graph->nodes())
      graph->set_device(*node, "/cpu:" + std::to_string(node->id() % 3));
    options.device_count["CPU"] = 3;
    rill::Session several(graph, options);
    run_each(several);
  } catch (const rill::Error&) {
  }
  return 0;
}
