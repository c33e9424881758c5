#include "rill/ops/summary/event_message.h"

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {
namespace {

tensorflow::Event event_of(std::int64_t step) {
  tensorflow::Event event;
  event.set_wall_time(static_cast<double>(wall_micros()) / 1e6);
  event.set_step(step);
  return event;
}

}  // namespace

std::string summary_event(std::int64_t step, const std::string& summary) {
  tensorflow::Event event = event_of(step);
  if (!event.mutable_summary()->ParseFromString(summary))
    raise(Code::kDataLoss, "Bad tf.compat.v1.Summary binary proto tensor string");
  return event.SerializeAsString();
}

std::string graph_event(std::int64_t step, const std::string& graph_def) {
  tensorflow::GraphDef graph;
  if (!graph.ParseFromString(graph_def))
    raise(Code::kDataLoss, "Bad tf.GraphDef binary proto tensor string");
  tensorflow::Event event = event_of(step);
  event.set_graph_def(graph_def);
  return event.SerializeAsString();
}

void check_event(const std::string& event) {
  tensorflow::Event parsed;
  if (!parsed.ParseFromString(event))
    raise(Code::kDataLoss, "Bad tf.Event binary proto tensor string");
}

}  // namespace rill
