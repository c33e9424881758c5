#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace tensorflow {
class ClusterDef;
}

namespace rill::cluster {

// "/job:worker/replica:0/task:1".
std::string task_name(std::string_view job, int task);
// The task of a device that is named in full; throws InvalidArgument where the name says none.
std::string task_of_device(std::string_view device);

// The tasks of a cluster and where each of them listens.
class ClusterSpec {
 public:
  ClusterSpec() = default;
  // Throws InvalidArgument for a task that is there twice, below 0 or without an address.
  explicit ClusterSpec(const tensorflow::ClusterDef& def);

  bool empty() const { return addresses_.empty(); }
  const std::map<std::string, std::string>& addresses() const { return addresses_; }  // by task
  const std::string& address(const std::string& task) const;  // throws InvalidArgument
  // True where no filter is given, or one of them ("/job:ps", "/job:worker/task:1") covers the
  // task.
  static bool passes(const std::string& task, std::span<const std::string> filters);

 private:
  std::map<std::string, std::string> addresses_;
};

}  // namespace rill::cluster
