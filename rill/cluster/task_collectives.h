#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "rill/cluster/step_rendezvous.h"
#include "rill/ops/collective/group_table.h"

namespace tensorflow {
class CompleteGroupRequest;
class CompleteGroupResponse;
class CompleteInstanceRequest;
class CompleteInstanceResponse;
}  // namespace tensorflow

namespace rill::cluster {

struct TaskCollectivesOptions {
  std::string task;                                   // this one
  std::string leader;                                 // the task that groups are kept by
  std::shared_ptr<const Links> links;                 // to all tasks
  std::map<std::string, std::uint64_t> incarnations;  // of the devices here
  // What members of a group exchange, by the group's generation; and its end.
  std::function<std::shared_ptr<StepRendezvous>(std::int64_t id)> open;
  std::function<void(std::int64_t id, const char* why)> close;
};

// Collective groups of devices of several tasks: the leader tells who is in a group, values are
// pulled from the tasks that made them. The leader's methods are TensorFlow's.
class TaskCollectives final : public Collectives,
                              public std::enable_shared_from_this<TaskCollectives> {
 public:
  explicit TaskCollectives(TaskCollectivesOptions options) : options_(std::move(options)) {}

  std::string describe() const override { return "collective groups of " + options_.task; }
  void join(const CollectiveGroupId& id, const std::string& device, Joined done) override;
  void find_source(const CollectiveGroupId& id, const CollectiveGroup& group, std::int64_t instance,
                   const std::string& device, bool is_source, Source done) override;
  void end_group(std::int64_t group_key, const CollectiveGroupRef& group,
                 std::exception_ptr error) override;
  void close();  // fails all that wait

  // The leader's side.
  void complete_group(const tensorflow::CompleteGroupRequest& request,
                      tensorflow::CompleteGroupResponse* response, const Done& done);
  void complete_instance(const tensorflow::CompleteInstanceRequest& request,
                         tensorflow::CompleteInstanceResponse* response, const Done& done);

 private:
  // A group as the devices here know it.
  struct Known {
    CollectiveGroupRef group;                            // once it is complete
    std::map<std::string, std::vector<Joined>> waiting;  // by device: it has asked the leader
    std::vector<std::shared_ptr<net::PendingCall>> calls;
  };

  void ask_leader(const CollectiveGroupId& id, const std::string& device);
  void meet_members(std::int64_t key, const tensorflow::CompleteGroupResponse& response);
  void complete(std::int64_t key, std::exception_ptr error, CollectiveGroupRef group);
  Link* link_of(const std::string& task) const;

  const TaskCollectivesOptions options_;
  std::mutex mutex_;
  std::map<std::int64_t, Known> groups_;
  GroupTable leads_{true};
};

}  // namespace rill::cluster
