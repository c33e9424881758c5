#include "rill/ops/collective/group_table.h"

#include <iterator>

#include "rill/base/error.h"

namespace rill {
namespace {

std::exception_ptr begun_again() {
  return std::make_exception_ptr(
      Error(Code::kAborted, "A member of the collective group has joined it anew"));
}

}  // namespace

std::vector<GroupTable::Source> GroupTable::begin_again(Group& group) {
  std::vector<Source> lost;
  for (auto& [instance, waiting] : group.wanting)
    for (Source& one : waiting) lost.push_back(std::move(one));
  group.devices.clear();
  group.sources.clear();
  group.wanting.clear();
  return lost;
}

void GroupTable::join(const CollectiveGroupId& id, const std::string& device, Joined done) {
  require(id.size >= 1, "group_size must be at least 1, got ", id.size);
  std::vector<Joined> complete;
  std::vector<Source> lost;
  Members members;
  {
    const std::lock_guard lock(mutex_);
    Group& group = groups_[id.key];
    const auto size = static_cast<std::size_t>(id.size);
    if (renews_ && group.devices.size() == static_cast<std::size_t>(group.size))
      lost = begin_again(group);
    if (group.devices.empty()) {
      group.size = id.size;
      group.generation = next_generation_++;
    }
    require(group.size == id.size, "Device ", device, " is joining a group with size ", id.size,
            ", but that group has size ", group.size, " (group_key=", id.key, ")");
    require(group.devices.size() < size || group.devices.contains(device), "Device ", device,
            " is joining a group with size ", id.size, " that is complete (group_key=", id.key,
            ")");
    group.devices.insert(device);
    group.waiting.push_back(std::move(done));
    if (group.devices.size() == size) {
      complete = std::move(group.waiting);
      group.waiting.clear();
      members = {{group.devices.begin(), group.devices.end()}, group.generation};
    }
  }
  for (const Source& one : lost) one(begun_again(), "");
  for (const Joined& one : complete) one(nullptr, members);
}

void GroupTable::find_source(std::int64_t group_key, std::uint64_t generation,
                             std::int64_t instance, const std::string& device, bool is_source,
                             Source done) {
  std::vector<Source> waiting;
  std::string source;
  {
    const std::lock_guard lock(mutex_);
    Group& group = groups_[group_key];
    if (generation != 0 && group.generation != generation) {
      waiting.push_back(std::move(done));
    } else {
      if (is_source) group.sources[instance] = device;
      const auto known = group.sources.find(instance);
      if (known == group.sources.end()) {
        group.wanting[instance].push_back(std::move(done));
        return;
      }
      source = known->second;
      waiting = std::move(group.wanting[instance]);
      group.wanting.erase(instance);
      waiting.push_back(std::move(done));
    }
  }
  for (const Source& one : waiting) one(source.empty() ? begun_again() : nullptr, source);
}

int GroupTable::rank(std::int64_t group_key, const std::string& device) {
  const std::lock_guard lock(mutex_);
  const auto& devices = groups_[group_key].devices;
  return static_cast<int>(std::distance(devices.begin(), devices.find(device)));
}

void GroupTable::end_group(std::int64_t group_key, std::exception_ptr error) {
  Group gone;
  {
    const std::lock_guard lock(mutex_);
    const auto found = groups_.find(group_key);
    if (found == groups_.end()) return;
    gone = std::move(found->second);
    groups_.erase(found);
  }
  for (const Joined& one : gone.waiting) one(error, {});
  for (const auto& [instance, waiting] : gone.wanting)
    for (const Source& one : waiting) one(error, "");
}

}  // namespace rill
