#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tensorflow {
class ClusterDef;
}

namespace rill::train {

// The jobs of a cluster and the addresses of their tasks.
//
//   tf::train::ClusterSpec cluster{{"worker", {"a:2222", "b:2222"}}, {"ps", {"c:2222"}}};
//   cluster.task_address("worker", 1);  // "b:2222"
class ClusterSpec {
 public:
  using Tasks = std::map<std::int64_t, std::string>;  // by number; numbers may be left out

  ClusterSpec() = default;
  ClusterSpec(const std::map<std::string, std::vector<std::string>>& jobs);
  ClusterSpec(std::initializer_list<std::pair<const std::string, std::vector<std::string>>> jobs)
      : ClusterSpec(std::map<std::string, std::vector<std::string>>(jobs)) {}
  ClusterSpec(std::map<std::string, Tasks> jobs) : jobs_(std::move(jobs)) {}
  explicit ClusterSpec(const tensorflow::ClusterDef& cluster);

  explicit operator bool() const { return !jobs_.empty(); }
  friend bool operator==(const ClusterSpec&, const ClusterSpec&) = default;

  std::vector<std::string> jobs() const;
  const std::map<std::string, Tasks>& as_dict() const { return jobs_; }
  tensorflow::ClusterDef as_cluster_def() const;
  // These throw InvalidArgument for a job or task that there is not.
  std::int64_t num_tasks(const std::string& job_name) const;
  std::vector<std::int64_t> task_indices(const std::string& job_name) const;
  const std::string& task_address(const std::string& job_name, std::int64_t task_index) const;
  // The addresses by number; none where a number is left out.
  std::vector<std::optional<std::string>> job_tasks(const std::string& job_name) const;

 private:
  const Tasks& tasks_of(const std::string& job_name) const;
  std::map<std::string, Tasks> jobs_;
};

}  // namespace rill::train
