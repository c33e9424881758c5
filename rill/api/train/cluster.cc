#include "rill/api/train/cluster.h"

#include "rill/base/error.h"
#include "tensorflow/core/protobuf/cluster.pb.h"

namespace rill::train {

ClusterSpec::ClusterSpec(const std::map<std::string, std::vector<std::string>>& jobs) {
  for (const auto& [name, addresses] : jobs) {
    Tasks& tasks = jobs_[name];
    for (const std::string& address : addresses) tasks.emplace(std::ssize(tasks), address);
  }
}

ClusterSpec::ClusterSpec(const tensorflow::ClusterDef& cluster) {
  for (const auto& job : cluster.job())
    jobs_[job.name()] = Tasks(job.tasks().begin(), job.tasks().end());
}

std::vector<std::string> ClusterSpec::jobs() const {
  std::vector<std::string> names;
  for (const auto& [name, tasks] : jobs_) names.push_back(name);
  return names;
}

tensorflow::ClusterDef ClusterSpec::as_cluster_def() const {
  tensorflow::ClusterDef cluster;
  for (const auto& [name, tasks] : jobs_) {
    auto* job = cluster.add_job();
    job->set_name(name);
    for (const auto& [number, address] : tasks)
      (*job->mutable_tasks())[static_cast<std::int32_t>(number)] = address;
  }
  return cluster;
}

const ClusterSpec::Tasks& ClusterSpec::tasks_of(const std::string& job_name) const {
  const auto found = jobs_.find(job_name);
  require(found != jobs_.end(), "No such job in cluster: '", job_name, "'");
  return found->second;
}

std::int64_t ClusterSpec::num_tasks(const std::string& job_name) const {
  return std::ssize(tasks_of(job_name));
}
std::vector<std::int64_t> ClusterSpec::task_indices(const std::string& job_name) const {
  std::vector<std::int64_t> numbers;
  for (const auto& [number, address] : tasks_of(job_name)) numbers.push_back(number);
  return numbers;
}
const std::string& ClusterSpec::task_address(const std::string& job_name,
                                             std::int64_t task_index) const {
  const Tasks& tasks = tasks_of(job_name);
  const auto found = tasks.find(task_index);
  require(found != tasks.end(), "No task with index ", task_index, " in job '", job_name, "'");
  return found->second;
}
std::vector<std::optional<std::string>> ClusterSpec::job_tasks(const std::string& job_name) const {
  const Tasks& tasks = tasks_of(job_name);
  std::vector<std::optional<std::string>> addresses;
  if (tasks.empty()) return addresses;
  require(tasks.rbegin()->first < 1 << 20, "the job '", job_name, "' has the task ",
          tasks.rbegin()->first);
  for (std::int64_t number = 0; number <= tasks.rbegin()->first; ++number) {
    const auto found = tasks.find(number);
    addresses.push_back(found == tasks.end() ? std::nullopt : std::optional(found->second));
  }
  return addresses;
}

}  // namespace rill::train
