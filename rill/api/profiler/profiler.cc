#include "rill/api/profiler/profiler.h"

#include <cstdio>

#include "rill/graph/graph_def.h"
#include "rill/inspect/profiler/profile_shell.h"
#include "rill/runtime/session/config.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::profiler {
namespace {

// Everything that a preset counts is shown, however deep.
ProfileOptions everything(const char* figure) {
  ProfileOptions options;
  options.max_depth = 10000;
  options.select = {figure};
  options.account_displayed_op_only = true;
  return options;
}

RowPtr look(const ProfiledModel& model, ViewKind kind, const ProfileOptions& options) {
  return profile_view(model, kind, options, [&](const std::string& report) {
    const std::string text = banner_text(options, report);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  });
}

GraphNodeProto tree(const ProfiledModel& model, ViewKind kind, const ProfileOptions& options) {
  GraphNodeProto proto;
  to_proto(model, *look(model, kind, options), options, &proto);
  return proto;
}

MultiGraphNodeProto table(const ProfiledModel& model, ViewKind kind,
                          const ProfileOptions& options) {
  MultiGraphNodeProto proto;
  to_proto(model, kind, *look(model, kind, options), options, &proto);
  return proto;
}

Profiler profiler_of(const Graph& graph, const ProfileArgs& args) {
  const OpLogProto log = default_op_log(graph, {.metadata = args.metadata, .log = args.op_log});
  Profiler profiler(graph, &log);
  if (args.metadata != nullptr) profiler.add_step(0, *args.metadata);
  return profiler;
}

}  // namespace

ProfileOptions default_options() {
  ProfileOptions options;
  options.max_depth = 100;
  return options;
}

ProfileOptions trainable_variables_parameter() {
  ProfileOptions options = everything("params");
  options.account_type_regexes = {"_trainable_variables"};
  return options;
}

ProfileOptions float_operation() {
  ProfileOptions options = everything("float_ops");
  options.min_float_ops = 1;
  options.order_by = "float_ops";
  return options;
}

ProfileOptions time_and_memory(const TimeAndMemory& least) {
  ProfileOptions options = everything("micros");
  options.select.insert("bytes");
  options.order_by = "micros";
  options.min_micros = least.min_micros;
  options.min_accelerator_micros = least.min_accelerator_micros;
  options.min_cpu_micros = least.min_cpu_micros;
  options.min_bytes = least.min_bytes;
  options.min_peak_bytes = least.min_peak_bytes;
  options.min_residual_bytes = least.min_residual_bytes;
  options.min_output_bytes = least.min_output_bytes;
  return options;
}

std::string banner_text(const ProfileOptions& options, const std::string& report) {
  return "\n=========================Options=============================\n" + to_text(options) +
         "\n==================Model Analysis Report======================\n" + report +
         "\n======================End of Report==========================\n";
}

Profiler::Profiler(const Graph& graph, const OpLogProto* op_log) : graph_(graph) {
  model_.add_graph(export_graph_def(graph, {.add_shapes = true}));
  if (op_log != nullptr) model_.add_op_log(*op_log);
}

void Profiler::add_step(std::int64_t step, const tensorflow::RunMetadata& metadata) {
  // The graph may have grown, and the step knows shapes.
  model_.add_graph(export_graph_def(graph_, {.add_shapes = true}));
  model_.add_op_log(default_op_log(graph_, {.metadata = &metadata}));
  model_.add_step(step, metadata);
}

void Profiler::add_step(std::int64_t step, const StepStats& stats) {
  tensorflow::RunMetadata metadata;
  rill::to_proto(stats, &metadata);
  add_step(step, metadata);
}

GraphNodeProto Profiler::profile_name_scope(const ProfileOptions& options) const {
  return tree(model_, ViewKind::scope, options);
}
GraphNodeProto Profiler::profile_graph(const ProfileOptions& options) const {
  return tree(model_, ViewKind::graph, options);
}
MultiGraphNodeProto Profiler::profile_operations(const ProfileOptions& options) const {
  return table(model_, ViewKind::op, options);
}
MultiGraphNodeProto Profiler::profile_python(const ProfileOptions& options) const {
  return table(model_, ViewKind::code, options);
}

Advice Profiler::advise(const std::set<std::string>& checkers) const {
  return profiler::advise(model_, checkers);
}

std::string Profiler::serialize_to_string() const {
  tensorflow::tfprof::ProfileProto proto;
  model_.to_proto(&proto);
  return proto.SerializeAsString();
}

GraphNodeProto profile_scope(const Graph& graph, const ProfileOptions& options,
                             const ProfileArgs& args) {
  return profiler_of(graph, args).profile_name_scope(options);
}

MultiGraphNodeProto profile_op(const Graph& graph, const ProfileOptions& options,
                               const ProfileArgs& args) {
  return profiler_of(graph, args).profile_operations(options);
}

}  // namespace rill::profiler
