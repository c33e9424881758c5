#include "rill/inspect/profiler/report.h"
#include "tensorflow/core/profiler/tfprof_output.pb.h"

namespace rill::profiler {
namespace {

using tensorflow::tfprof::GraphNodeProto;
using tensorflow::tfprof::MultiGraphNodeProto;

// The names of these fields are the same in both messages.
template <class Proto>
void write_own(const Figures& own, Proto* proto) {
  proto->set_exec_micros(own.micros());
  proto->set_accelerator_exec_micros(own.accelerator_micros);
  proto->set_cpu_exec_micros(own.cpu_micros);
  proto->set_requested_bytes(own.requested);
  proto->set_peak_bytes(own.peak);
  proto->set_residual_bytes(own.residual);
  proto->set_output_bytes(own.output);
  proto->set_parameters(own.params);
  proto->set_float_ops(own.float_ops);
}

template <class Proto>
void write_total(const Figures& total, Proto* proto) {
  proto->set_total_exec_micros(total.micros());
  proto->set_total_accelerator_exec_micros(total.accelerator_micros);
  proto->set_total_cpu_exec_micros(total.cpu_micros);
  proto->set_total_requested_bytes(total.requested);
  proto->set_total_peak_bytes(total.peak);
  proto->set_total_residual_bytes(total.residual);
  proto->set_total_output_bytes(total.output);
  proto->set_total_parameters(total.params);
  proto->set_total_float_ops(total.float_ops);
}

void write_shape(const Dims& dims, tensorflow::TensorShapeProto* proto) {
  proto->set_unknown_rank(dims.empty());
  for (const std::int64_t size : dims) proto->add_dim()->set_size(size);
}

void write_node(const ProfiledModel& model, const ProfiledNode& node, GraphNodeProto* proto) {
  if (!node.device.empty()) proto->add_devices(node.device);
  if (node.shape) write_shape(*node.shape, proto->add_shapes());
  for (const auto& [index, dims] : model.input_shapes(node))
    write_shape(dims, &(*proto->mutable_input_shapes())[index]);
}

void write_counts(const Figures& own, const Figures& total, GraphNodeProto* proto) {
  proto->set_run_count(own.run_count);
  proto->set_total_run_count(total.run_count);
  proto->set_total_definition_count(total.definition_count);
}

}  // namespace

void to_proto(const ProfiledModel& model, const Row& row, const ProfileOptions& options,
              GraphNodeProto* proto) {
  proto->set_name(row.name);
  const Figures own = row.is_accounted ? row.own : Figures{};
  write_own(own, proto);
  write_total(row.total, proto);
  write_counts(own, row.total, proto);
  if (row.nodes.size() == 1) write_node(model, *row.nodes[0], proto);
  for (const RowPtr& child : row.children) to_proto(model, *child, options, proto->add_children());
}

void to_proto(const ProfiledModel& model, ViewKind kind, const Row& row,
              const ProfileOptions& options, MultiGraphNodeProto* proto) {
  proto->set_name(row.name);
  write_own(row.own, proto);
  write_total(row.total, proto);
  for (const ProfiledNode* node : row.nodes) {
    GraphNodeProto* graph_node = proto->add_graph_nodes();
    graph_node->set_name(node->name);
    const Figures figures = node->figures(options.step);
    write_own(figures, graph_node);
    write_total(figures, graph_node);
    write_counts(figures, figures, graph_node);
    write_node(model, *node, graph_node);
  }
  for (const RowPtr& child : row.children) {
    MultiGraphNodeProto* below = proto->add_children();
    to_proto(model, kind, *child, options, below);
    if (kind == ViewKind::op) proto = below;  // each row of the list is below the one before it
  }
}

}  // namespace rill::profiler
