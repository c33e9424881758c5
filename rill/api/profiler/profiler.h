#pragma once

#include <functional>
#include <string>

#include "rill/graph/graph.h"
#include "rill/inspect/profiler/advice.h"
#include "rill/inspect/profiler/profile_options.h"
#include "rill/inspect/profiler/profiled_model.h"
#include "rill/runtime/step/step_stats.h"
#include "tensorflow/core/profiler/tfprof_log.pb.h"
#include "tensorflow/core/profiler/tfprof_output.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::profiler {

using tensorflow::tfprof::GraphNodeProto;
using tensorflow::tfprof::MultiGraphNodeProto;
using tensorflow::tfprof::OpLogProto;

// Options of TensorFlow's ProfileOptionBuilder; every field can be set afterwards.
ProfileOptions default_options();
ProfileOptions trainable_variables_parameter();
ProfileOptions float_operation();
struct TimeAndMemory {
  std::int64_t min_micros = 1, min_bytes = 1, min_accelerator_micros = 0, min_cpu_micros = 0;
  std::int64_t min_peak_bytes = 0, min_residual_bytes = 0, min_output_bytes = 0;
};
ProfileOptions time_and_memory(const TimeAndMemory& least = {});

// What can be said of a graph's nodes without running them: their floating-point operations, the
// lines that made them, and which are trainable variables. Where shapes depend on what is fed,
// those of `metadata` count. `log` is what the program has to say; the rest is added to it.
struct OpLogOptions {
  const tensorflow::RunMetadata* metadata = nullptr;
  const OpLogProto* log = nullptr;
  bool add_trace = true;
  bool add_trainable_variables = true;  // of the default graph
};
OpLogProto default_op_log(const Graph& graph, const OpLogOptions& options = {});
// The same with the ops of the trainable variables given by name.
OpLogProto op_log_of(const Graph& graph, const std::vector<std::string>& trainable_variables,
                     const OpLogOptions& options);

// Writes `directory`/tfprof_log, which `rill profile --op_log_path` reads.
void write_op_log(const Graph& graph, const std::string& directory,
                  const OpLogOptions& options = {});

// Steps of a graph, looked at again and again.
class Profiler {
 public:
  explicit Profiler(const Graph& graph, const OpLogProto* op_log = nullptr);

  void add_step(std::int64_t step, const tensorflow::RunMetadata& metadata);
  void add_step(std::int64_t step, const StepStats& stats);

  // What is meant for standard output is printed there, with the options above it.
  GraphNodeProto profile_name_scope(const ProfileOptions& options) const;
  GraphNodeProto profile_graph(const ProfileOptions& options) const;
  MultiGraphNodeProto profile_operations(const ProfileOptions& options) const;
  MultiGraphNodeProto profile_python(const ProfileOptions& options) const;  // the lines of code
  Advice advise(const std::set<std::string>& checkers = {}) const;
  std::string serialize_to_string() const;  // a ProfileProto, for --profile_path
  const ProfiledModel& model() const { return model_; }

 private:
  const Graph& graph_;
  ProfiledModel model_;
};

// One look. With `metadata` also at times and memory.
struct ProfileArgs {
  const tensorflow::RunMetadata* metadata = nullptr;
  const OpLogProto* op_log = nullptr;
};
GraphNodeProto profile_scope(const Graph& graph, const ProfileOptions& options,
                             const ProfileArgs& args = {});
MultiGraphNodeProto profile_op(const Graph& graph, const ProfileOptions& options,
                               const ProfileArgs& args = {});

// A view of a model between the lines that TensorFlow's Python draws around it.
std::string banner_text(const ProfileOptions& options, const std::string& report);

}  // namespace rill::profiler
