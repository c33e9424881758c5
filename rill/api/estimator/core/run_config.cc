#include "rill/api/estimator/core/run_config.h"

#include <cstdlib>

#include "rill/api/logging/tf_logging.h"
#include "rill/base/error.h"
#include "rill/runtime/session/config.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::estimator {
namespace {

constexpr double kDefaultSaveSecs = 600;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

std::vector<std::string> device_filters(const TaskConfig& task) {
  if (task.task_type == TaskType::MASTER) return {"/job:ps", "/job:master"};
  if (task.task_type == TaskType::CHIEF) return {"/job:ps", "/job:chief"};
  if (task.task_type == TaskType::WORKER)
    return {"/job:ps", str_cat("/job:worker/task:", task.task_id)};
  if (task.task_type == TaskType::PS)
    return {"/job:ps", "/job:worker", "/job:chief", "/job:master"};
  return {};
}

}  // namespace

void check_run_config(const RunConfigOptions& options) {
  require(!options.save_checkpoints_steps || !options.save_checkpoints_secs,
          "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set.");
  require(options.save_summary_steps >= 0, "save_summary_steps should be >= 0");
  require(options.save_checkpoints_steps.value_or(0) >= 0, "save_checkpoints_steps should be >= 0");
  require(options.save_checkpoints_secs.value_or(0) >= 0, "save_checkpoints_secs should be >= 0");
  require(options.keep_checkpoint_max >= 0, "keep_checkpoint_max should be >= 0");
  require(options.keep_checkpoint_every_n_hours > 0, "keep_checkpoint_every_n_hours should be > 0");
  require(options.log_step_count_steps >= 0, "log_step_count_steps should be > 0");
  require(options.session_creation_timeout_secs > 0, "session_creation_timeout_secs should be > 0");
  require(
      options.protocol.empty() || options.protocol == "grpc" || options.protocol == "grpc+verbs",
      "protocol should be grpc or grpc+verbs");
}

RunConfig::RunConfig(RunConfigOptions options)
    : RunConfig(std::move(options), parse_tf_config(environment("TF_CONFIG"))) {}

RunConfig::RunConfig(RunConfigOptions options, TaskConfig task)
    : RunConfigOptions(std::move(options)), TaskConfig(std::move(task)) {
  if (!save_checkpoints_steps && !save_checkpoints_secs) save_checkpoints_secs = kDefaultSaveSecs;
  check_run_config(*this);
  if (TaskConfig::model_dir.empty()) return;
  require(model_dir.empty() || model_dir == TaskConfig::model_dir,
          "`model_dir` provided in RunConfig construct, if set, must have the same value as the "
          "model_dir in TF_CONFIG. model_dir: ",
          model_dir, "\nTF_CONFIG[\"model_dir\"]: ", TaskConfig::model_dir, ".\n");
  logging::info("Using model_dir in TF_CONFIG: ", TaskConfig::model_dir);
  model_dir = TaskConfig::model_dir;
}

RunConfig RunConfig::replace(RunConfigOptions options) const {
  check_run_config(options);
  RunConfig changed = *this;
  static_cast<RunConfigOptions&>(changed) = std::move(options);
  return changed;
}

tensorflow::ConfigProto default_session_config(const TaskConfig& task) {
  tensorflow::ConfigProto config;
  config.set_allow_soft_placement(true);
  config.mutable_graph_options()->mutable_rewrite_options()->set_meta_optimizer_iterations(
      tensorflow::RewriterConfig::ONE);
  if (!task.cluster_spec.empty())
    for (const std::string& filter : device_filters(task)) config.add_device_filters(filter);
  return config;
}

SessionOptions session_options_of(const RunConfig& config) {
  return config.session_config ? *config.session_config
                               : rill::session_options(default_session_config(config));
}

}  // namespace rill::estimator
