// What TF_CONFIG says: the tasks of a cluster, and which of them this process is.
#include <algorithm>

#include "rill/api/estimator/core/run_config.h"
#include "rill/base/error.h"
#include "rill/base/json.h"

namespace rill::estimator {
namespace {

using Kind = Json::Kind;

std::string text_member(const Json& json, std::string_view name, std::string_view otherwise = {}) {
  const Json* member = json.find(name);
  return member ? member->text : std::string(otherwise);
}

std::string json_text(const Json& json) {
  switch (json.kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return json.boolean ? "true" : "false";
    case Kind::number:
      return json.text;
    case Kind::string:
      return json_quoted(json.text);
    case Kind::array: {
      std::string text;
      for (const Json& item : json.items)
        text += str_cat(text.empty() ? "" : ", ", json_text(item));
      return str_cat("[", text, "]");
    }
    case Kind::object: {
      std::string text;
      for (const auto& [name, value] : json.members)
        text += str_cat(text.empty() ? "" : ", ", json_quoted(name), ": ", json_text(value));
      return str_cat("{", text, "}");
    }
  }
  return {};
}

const char* python_kind(Kind kind) {
  constexpr const char* kNames[] = {"NoneType", "bool", "int", "str", "list", "dict"};
  return kNames[static_cast<int>(kind)];
}

std::string cluster_text(const Cluster& cluster) {
  std::string text;
  for (const auto& [job, tasks] : cluster) {
    std::string list;
    for (const std::string& task : tasks) list += str_cat(list.empty() ? "'" : ", '", task, "'");
    text += str_cat(text.empty() ? "'" : ", '", job, "': [", list, "]");
  }
  return str_cat("ClusterSpec({", text, "})");
}

Cluster cluster_of(const Json* json) {
  Cluster cluster;
  if (json == nullptr) return cluster;
  require_type(json->kind == Kind::object,
               "`cluster` must be a dictionary mapping one or more job names to lists of network "
               "addresses, or a `ClusterDef` protocol buffer");
  for (const auto& [job, tasks] : json->members) {
    require_type(tasks.kind == Kind::array, "The tasks for job '", job,
                 "' must be a list or dictionary from integers to strings.");
    for (const Json& task : tasks.items) {
      require_type(task.kind == Kind::string, "Task address ", json_text(task),
                   " must be bytes or unicode");
      cluster[job].push_back(task.text);
    }
  }
  return cluster;
}

std::int64_t task_index(const Json& index) {
  long long value = 0;
  try {
    std::size_t end = 0;
    value = std::stoll(index.text, &end);
    if (end == index.text.size()) return value;
  } catch (const std::logic_error&) {
  }
  raise(Code::kInvalidArgument, "invalid literal for int() with base 10: '", index.text, "'");
}

constexpr const char* kFromEnvironment =
    "\n\nNote that these values may be coming from the TF_CONFIG environment variable.";

// Which task of the cluster this is.
void read_task(const Json& task, const char* chief, TaskConfig& config) {
  const Cluster& cluster = config.cluster_spec;
  require(cluster.contains(chief), "If \"cluster\" is set in TF_CONFIG, it must have one \"", chief,
          "\" node.");
  require(cluster.at(chief).size() <= 1, "The \"cluster\" in TF_CONFIG must have only one \"",
          chief, "\" node.");
  config.task_type = text_member(task, "type");
  require(!config.task_type.empty(), "If \"cluster\" is set in TF_CONFIG, task type must be set.");
  const Json* index = task.find("index");
  require(index && index->kind != Kind::null,
          "If \"cluster\" is set in TF_CONFIG, task index must be set.");
  config.task_id = task_index(*index);
  require(config.task_id >= 0, "Task index must be non-negative number.");
  if (config.task_type == TaskType::EVALUATOR) return;
  const auto job = cluster.find(config.task_type);
  require(job != cluster.end(), config.task_type,
          " is not a valid task_type in the cluster_spec:\n", cluster_text(cluster),
          kFromEnvironment);
  require(config.task_id < static_cast<std::int64_t>(job->second.size()), config.task_id,
          " is not a valid task_id for task_type ", config.task_type, " in the cluster_spec:\n",
          cluster_text(cluster), kFromEnvironment);
}

std::int64_t task_count(const Cluster& cluster, const char* job) {
  const auto found = cluster.find(job);
  return found == cluster.end() ? 0 : static_cast<std::int64_t>(found->second.size());
}

// A cluster of one task trains without servers.
std::string session_master(const Json& json, const TaskConfig& config) {
  if (const Json* given = json.find("session_master")) return given->text;
  const Cluster& cluster = config.cluster_spec;
  if (cluster.size() == 1 && cluster.begin()->second.size() == 1) return "";
  return "grpc://" + cluster.at(config.task_type).at(static_cast<std::size_t>(config.task_id));
}

// The chief is the first, the parameter servers are the last, the others stand in order of their
// names.
std::int64_t global_id(const TaskConfig& config, const char* chief) {
  std::vector<std::string> jobs = {chief};
  for (const auto& [job, tasks] : config.cluster_spec)
    if (job != chief && job != TaskType::PS) jobs.push_back(job);
  jobs.push_back(TaskType::PS);
  std::int64_t before = 0;
  for (const std::string& job : jobs) {
    if (job == config.task_type) break;
    before += task_count(config.cluster_spec, job.c_str());
  }
  return before + config.task_id;
}

void read_alone(const Json& json, const Json& task, TaskConfig& config) {
  config.task_type = text_member(task, "type", TaskType::WORKER);
  if (const Json* index = task.find("index")) config.task_id = task_index(*index);
  require(config.task_type == TaskType::WORKER,
          "If \"cluster\" is not set in TF_CONFIG, task type must be WORKER.");
  require(config.task_id == 0, "If \"cluster\" is not set in TF_CONFIG, task index must be 0.");
  config.master = text_member(json, "session_master");
  config.evaluation_master = text_member(json, "eval_session_master");
}

void become_evaluator(TaskConfig& config) {
  config.cluster_spec.clear();  // it is no part of the cluster that trains
  config.global_id_in_cluster.reset();
  config.num_worker_replicas = 0;
  config.is_chief = false;
}

void read_cluster(const Json& json, const Json& task, TaskConfig& config) {
  const bool has_master = config.cluster_spec.contains(TaskType::MASTER);
  require(!has_master || !config.cluster_spec.contains(TaskType::CHIEF),
          "If `master` node exists in `cluster`, job `chief` is not supported.");
  const char* const chief = has_master ? TaskType::MASTER : TaskType::CHIEF;
  read_task(task, chief, config);
  const bool evaluates = config.task_type == TaskType::EVALUATOR;
  require(!has_master || !evaluates,
          "If `master` node exists in `cluster`, task_type `evaluator` is not supported.");
  if (evaluates) {
    config.evaluation_master = text_member(json, "eval_session_master");
    return become_evaluator(config);
  }
  config.master = session_master(json, config);
  config.num_ps_replicas = task_count(config.cluster_spec, TaskType::PS);
  config.num_worker_replicas =
      task_count(config.cluster_spec, TaskType::WORKER) + task_count(config.cluster_spec, chief);
  config.global_id_in_cluster = global_id(config, chief);
  config.is_chief = config.task_type == chief;
}

}  // namespace

TaskConfig parse_tf_config(std::string_view tf_config) {
  TaskConfig config;
  if (tf_config.empty()) return config;
  const Json json = parse_json(tf_config);
  require(json.kind == Kind::object, "TF_CONFIG must be a JSON object, given: ", tf_config);
  if (const Json* service = json.find("service"); service && service->kind != Kind::null) {
    require_type(service->kind == Kind::object,
                 "If \"service\" is set in TF_CONFIG, it must be a dict. Given <class '",
                 python_kind(service->kind), "'>");
    config.service = json_text(*service);
  }
  if (const Json* model_dir = json.find("model_dir")) {
    require(!model_dir->text.empty() || model_dir->kind == Kind::null,
            "model_dir in TF_CONFIG should be non-empty.");
    config.model_dir = model_dir->text;
  }
  config.cluster_spec = cluster_of(json.find("cluster"));
  static const Json none{.kind = Kind::object};
  const Json* task = json.find("task");
  if (config.cluster_spec.empty())
    read_alone(json, task ? *task : none, config);
  else
    read_cluster(json, task ? *task : none, config);
  return config;
}

}  // namespace rill::estimator
