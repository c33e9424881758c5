#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "rill/ops/collective/collectives.h"

namespace rill {

// Who has joined which group, and who waits for that. Safe from several threads.
class GroupTable {
 public:
  // `renews`: a device that joins a complete group has lost the old one, and the group begins
  // again.
  explicit GroupTable(bool renews) : renews_(renews) {}

  struct Members {
    std::vector<std::string> devices;  // by name
    std::uint64_t generation = 0;
  };
  using Joined = std::function<void(std::exception_ptr, const Members&)>;
  void join(const CollectiveGroupId& id, const std::string& device, Joined done);

  using Source = std::function<void(std::exception_ptr, const std::string& device)>;
  // The device of `instance` that sends.
  void find_source(std::int64_t group_key, std::uint64_t generation, std::int64_t instance,
                   const std::string& device, bool is_source, Source done);
  int rank(std::int64_t group_key, const std::string& device);  // among the members
  // Fails all who wait.
  void end_group(std::int64_t group_key, std::exception_ptr error);

 private:
  struct Group {
    std::int64_t size = 0;
    std::uint64_t generation = 0;
    std::set<std::string> devices;
    std::vector<Joined> waiting;
    std::map<std::int64_t, std::string> sources;
    std::map<std::int64_t, std::vector<Source>> wanting;
  };
  static std::vector<Source> begin_again(Group& group);

  const bool renews_;
  std::mutex mutex_;
  std::map<std::int64_t, Group> groups_;
  std::uint64_t next_generation_ = 1;
};

}  // namespace rill
