#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rill/kernel/rendezvous.h"
#include "rill/tensor/resource_handle.h"

namespace rill {

// Devices that run the same collective ops. Safe from several threads.
struct CollectiveGroup {
  std::vector<std::string> devices;         // in order of their names: the rank is the place here
  std::vector<std::uint64_t> incarnations;  // of the devices
  std::uint64_t generation = 0;             // of groups under this key
  std::shared_ptr<Rendezvous> exchange;     // where members leave what others take

  int rank_of(const std::string& device) const;  // throws Internal where it is no member
  // Under which `from` leaves a value for `to`.
  std::string key(int from, int to, std::int64_t instance, const std::string& part) const;
};
using CollectiveGroupRef = std::shared_ptr<const CollectiveGroup>;

struct CollectiveGroupId {
  std::int64_t key = 0, size = 0;
};

// How the members of groups find each other. Values that one member leaves for another under one
// key are taken in the order in which they were left.
class Collectives : public Resource {
 public:
  static constexpr const char* kTypeName = "rill::Collectives";
  static constexpr const char* kContainer = "rill.collectives";  // where a task keeps its own

  // Calls `done` when as many devices have joined as the group has. Fails for another size than
  // others have told.
  using Joined = std::function<void(std::exception_ptr, CollectiveGroupRef)>;
  virtual void join(const CollectiveGroupId& id, const std::string& device, Joined done) = 0;
  // Tells all members which one of them sends, once that one has said so.
  using Source = std::function<void(std::exception_ptr, int rank)>;
  virtual void find_source(const CollectiveGroupId& id, const CollectiveGroup& group,
                           std::int64_t instance, const std::string& device, bool is_source,
                           Source done) = 0;
  // Fails what the members of `group` wait for, here; the next ones to join make a new group.
  virtual void end_group(std::int64_t group_key, const CollectiveGroupRef& group,
                         std::exception_ptr error) = 0;
};

// The collectives of the process itself, whatever session runs an op of this group, and the device
// that this process is in it.
inline constexpr std::int64_t kProcessGroup = 0x52494c4c;
struct ProcessCollectives {
  std::shared_ptr<Collectives> collectives;  // none: the process is alone
  std::string device;
};
void set_process_collectives(ProcessCollectives collectives);
ProcessCollectives process_collectives();

}  // namespace rill
