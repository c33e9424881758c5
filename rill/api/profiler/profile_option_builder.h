#pragma once

#include <string>
#include <vector>

#include "rill/api/profiler/profiler.h"

namespace rill::profiler {

using tensorflow::tfprof::AdviceProto;

// Options of a profile one after the other. Each method returns the builder.
//
//   auto options = tf::profiler::ProfileOptionBuilder(
//                      tf::profiler::ProfileOptionBuilder::time_and_memory())
//                      .with_max_depth(4).order_by("micros").build();
class ProfileOptionBuilder {
 public:
  explicit ProfileOptionBuilder(ProfileOptions options = default_options())
      : options_(std::move(options)) {}

  static ProfileOptions trainable_variables_parameter() {
    return profiler::trainable_variables_parameter();
  }
  static ProfileOptions float_operation() { return profiler::float_operation(); }
  static ProfileOptions time_and_memory(const TimeAndMemory& least = {}) {
    return profiler::time_and_memory(least);
  }

  ProfileOptions build() const { return options_; }

  ProfileOptionBuilder& with_max_depth(std::int64_t max_depth);
  ProfileOptionBuilder& with_min_memory(std::int64_t min_bytes = 0, std::int64_t min_peak_bytes = 0,
                                        std::int64_t min_residual_bytes = 0,
                                        std::int64_t min_output_bytes = 0);
  ProfileOptionBuilder& with_min_execution_time(std::int64_t min_micros = 0,
                                                std::int64_t min_accelerator_micros = 0,
                                                std::int64_t min_cpu_micros = 0);
  ProfileOptionBuilder& with_min_parameters(std::int64_t min_params);
  ProfileOptionBuilder& with_min_occurrence(std::int64_t min_occurrence);
  ProfileOptionBuilder& with_min_float_operations(std::int64_t min_float_ops);
  ProfileOptionBuilder& with_accounted_types(std::vector<std::string> account_type_regexes);
  struct NodeNames {
    std::vector<std::string> start_name_regexes = {}, show_name_regexes = {},
                             hide_name_regexes = {}, trim_name_regexes = {};  // empty: as before
  };
  ProfileOptionBuilder& with_node_names(const NodeNames& names);
  ProfileOptionBuilder& account_displayed_op_only(bool is_true);
  ProfileOptionBuilder& with_empty_output();
  ProfileOptionBuilder& with_stdout_output();
  ProfileOptionBuilder& with_file_output(const std::string& outfile);
  ProfileOptionBuilder& with_timeline_output(const std::string& timeline_file);
  ProfileOptionBuilder& with_pprof_output(const std::string& pprof_file);
  ProfileOptionBuilder& order_by(const std::string& attribute);
  ProfileOptionBuilder& select(const std::vector<std::string>& attributes);
  ProfileOptionBuilder& with_step(std::int64_t step);

 private:
  ProfileOptionBuilder& to_file(const char* output, const std::string& path);
  ProfileOptions options_;
};

// One look at a graph: by scopes, the default, or `cmd` "op". What a step took comes with its
// metadata.
struct ProfileRequest {
  const tensorflow::RunMetadata* run_meta = nullptr;
  const OpLogProto* op_log = nullptr;
  ProfileOptions options = default_options();
};
GraphNodeProto profile(const Graph& graph, const ProfileRequest& request = {});
// What there is to say about a step. An empty set of checkers asks all of them.
Advice advise(const Graph& graph, const tensorflow::RunMetadata& run_meta,
              const std::set<std::string>& checkers = {});

}  // namespace rill::profiler
