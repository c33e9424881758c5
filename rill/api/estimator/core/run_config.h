#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rill/graph/scope.h"
#include "rill/runtime/session/session.h"

namespace tensorflow {
class ConfigProto;
}  // namespace tensorflow

namespace rill::distribute {
class StrategyExtended;
}

namespace rill::estimator {

// How an estimator runs, as programs say it. Numbers must not be negative, else InvalidArgument
// when a RunConfig is made of them.
struct RunConfigOptions {
  std::string model_dir = {};  // "": the estimator's, else a temporary one
  std::optional<std::int64_t> tf_random_seed = {};
  std::int64_t save_summary_steps = 100;  // 0: never
  // One of the two; none: every 600 seconds. 0: never.
  std::optional<std::int64_t> save_checkpoints_steps = {};
  std::optional<double> save_checkpoints_secs = {};
  std::optional<SessionOptions> session_config = {};  // none: with soft placement
  std::int64_t keep_checkpoint_max = 5;               // 0: all
  double keep_checkpoint_every_n_hours = 10000;
  std::int64_t log_step_count_steps = 100;  // 0: never
  DeviceFunction device_fn = {};            // none: variables go to the parameter servers in turn
  std::string protocol = {};                // "", "grpc" or "grpc+verbs"
  std::optional<std::int64_t> experimental_max_worker_delay_secs = {};
  double session_creation_timeout_secs = 7200;
  // Of training: Strategy::ref(). Evaluations run on one device, with the same results.
  std::shared_ptr<distribute::StrategyExtended> train_distribute = {}, eval_distribute = {};
};

// The kinds of tasks that TF_CONFIG names.
struct TaskType {
  static constexpr const char* MASTER = "master";
  static constexpr const char* PS = "ps";
  static constexpr const char* WORKER = "worker";
  static constexpr const char* CHIEF = "chief";
  static constexpr const char* EVALUATOR = "evaluator";
};

// The jobs of a cluster and the addresses of their tasks.
using Cluster = std::map<std::string, std::vector<std::string>>;

// What the environment variable TF_CONFIG says of this process.
struct TaskConfig {
  Cluster cluster_spec = {};  // empty: this process trains alone, or is the evaluator
  std::string task_type = TaskType::WORKER;
  std::int64_t task_id = 0;
  std::optional<std::int64_t> global_id_in_cluster = 0;  // none: the evaluator
  std::string master = {}, evaluation_master = {};
  bool is_chief = true;
  std::int64_t num_ps_replicas = 0, num_worker_replicas = 1;
  std::string service = {};    // JSON; "": none
  std::string model_dir = {};  // "": it names none
};
// `tf_config` is JSON; empty: nothing is said. Throws InvalidArgument where it contradicts itself.
TaskConfig parse_tf_config(std::string_view tf_config);

// The options, and what TF_CONFIG says of this process:
//
//   RunConfig config({.model_dir = "models/first", .save_checkpoints_steps = 500});
//
// Throws InvalidArgument for values that make no sense, for both of save_checkpoints_steps and
// _secs, and where TF_CONFIG names another model_dir.
struct RunConfig : RunConfigOptions, TaskConfig {
  using RunConfigOptions::model_dir;

  RunConfig(RunConfigOptions options = {});
  RunConfig(RunConfigOptions options, TaskConfig task);  // whatever TF_CONFIG says
  // The same task with other options.
  RunConfig replace(RunConfigOptions options) const;
};

// Throws InvalidArgument for values that make no sense.
void check_run_config(const RunConfigOptions& options);
// What sessions are opened with where the configuration does not say; in a cluster a worker sees
// the parameter servers and itself only.
tensorflow::ConfigProto default_session_config(const TaskConfig& task);
SessionOptions session_options_of(const RunConfig& config);

}  // namespace rill::estimator
