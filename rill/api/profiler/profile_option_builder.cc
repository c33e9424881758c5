#include "rill/api/profiler/profile_option_builder.h"

namespace rill::profiler {

using Builder = ProfileOptionBuilder;

Builder& Builder::with_max_depth(std::int64_t max_depth) {
  options_.max_depth = max_depth;
  return *this;
}
Builder& Builder::with_min_memory(std::int64_t min_bytes, std::int64_t min_peak_bytes,
                                  std::int64_t min_residual_bytes, std::int64_t min_output_bytes) {
  options_.min_bytes = min_bytes;
  options_.min_peak_bytes = min_peak_bytes;
  options_.min_residual_bytes = min_residual_bytes;
  options_.min_output_bytes = min_output_bytes;
  return *this;
}
Builder& Builder::with_min_execution_time(std::int64_t min_micros,
                                          std::int64_t min_accelerator_micros,
                                          std::int64_t min_cpu_micros) {
  options_.min_micros = min_micros;
  options_.min_accelerator_micros = min_accelerator_micros;
  options_.min_cpu_micros = min_cpu_micros;
  return *this;
}
Builder& Builder::with_min_parameters(std::int64_t min_params) {
  options_.min_params = min_params;
  return *this;
}
Builder& Builder::with_min_occurrence(std::int64_t min_occurrence) {
  options_.min_occurrence = min_occurrence;
  return *this;
}
Builder& Builder::with_min_float_operations(std::int64_t min_float_ops) {
  options_.min_float_ops = min_float_ops;
  return *this;
}
Builder& Builder::with_accounted_types(std::vector<std::string> account_type_regexes) {
  options_.account_type_regexes = std::move(account_type_regexes);
  return *this;
}
Builder& Builder::with_node_names(const NodeNames& names) {
  const auto set = [](const std::vector<std::string>& given, std::vector<std::string>& to) {
    if (!given.empty()) to = given;
  };
  set(names.start_name_regexes, options_.start_name_regexes);
  set(names.show_name_regexes, options_.show_name_regexes);
  set(names.hide_name_regexes, options_.hide_name_regexes);
  set(names.trim_name_regexes, options_.trim_name_regexes);
  return *this;
}
Builder& Builder::account_displayed_op_only(bool is_true) {
  options_.account_displayed_op_only = is_true;
  return *this;
}

Builder& Builder::to_file(const char* output, const std::string& path) {
  options_.output = output;
  options_.output_options = {{"outfile", path}};
  return *this;
}
Builder& Builder::with_empty_output() {
  options_.output = "none";
  return *this;
}
Builder& Builder::with_stdout_output() {
  options_.output = "stdout";
  return *this;
}
Builder& Builder::with_file_output(const std::string& outfile) { return to_file("file", outfile); }
Builder& Builder::with_timeline_output(const std::string& timeline_file) {
  return to_file("timeline", timeline_file);
}
Builder& Builder::with_pprof_output(const std::string& pprof_file) {
  return to_file("pprof", pprof_file);
}
Builder& Builder::order_by(const std::string& attribute) {
  options_.order_by = attribute;
  return *this;
}
Builder& Builder::select(const std::vector<std::string>& attributes) {
  options_.select = {attributes.begin(), attributes.end()};
  return *this;
}
Builder& Builder::with_step(std::int64_t step) {
  options_.step = step;
  return *this;
}

GraphNodeProto profile(const Graph& graph, const ProfileRequest& request) {
  return profile_scope(graph, request.options,
                       {.metadata = request.run_meta, .op_log = request.op_log});
}

Advice advise(const Graph& graph, const tensorflow::RunMetadata& run_meta,
              const std::set<std::string>& checkers) {
  Profiler profiler(graph);
  profiler.add_step(-1, run_meta);
  return profiler.advise(checkers);
}

}  // namespace rill::profiler
