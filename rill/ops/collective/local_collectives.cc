#include "rill/ops/collective/local_collectives.h"

#include <algorithm>

#include "rill/base/error.h"

namespace rill {

void LocalCollectives::join(const CollectiveGroupId& id, const std::string& device, Joined done) {
  CollectiveGroupRef known;
  std::exception_ptr error;
  {
    const std::lock_guard lock(mutex_);
    error = error_;
    if (const auto found = groups_.find(id.key); found != groups_.end()) known = found->second;
  }
  if (error) return done(error, nullptr);
  if (known != nullptr && std::ssize(known->devices) == id.size) return done(nullptr, known);
  table_.join(id, device,
              [this, id, done = std::move(done)](std::exception_ptr failed,
                                                 const GroupTable::Members& members) {
                if (failed) return done(failed, nullptr);
                auto made = std::make_shared<CollectiveGroup>();
                made->devices = members.devices;
                made->incarnations.assign(members.devices.size(), 1);
                made->generation = members.generation;
                made->exchange = mailbox_;
                CollectiveGroupRef group;
                {
                  const std::lock_guard lock(mutex_);
                  group = groups_.emplace(id.key, std::move(made)).first->second;
                }
                done(nullptr, group);
              });
}

void LocalCollectives::find_source(const CollectiveGroupId& id, const CollectiveGroup& group,
                                   std::int64_t instance, const std::string& device, bool is_source,
                                   Source done) {
  auto devices = group.devices;
  table_.find_source(id.key, group.generation, instance, device, is_source,
                     [devices = std::move(devices), done = std::move(done)](
                         std::exception_ptr error, const std::string& source) {
                       const auto found = std::ranges::find(devices, source);
                       done(error, static_cast<int>(found - devices.begin()));
                     });
}

void LocalCollectives::end_group(std::int64_t group_key, const CollectiveGroupRef&,
                                 std::exception_ptr error) {
  {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
  }
  table_.end_group(group_key, error);
  mailbox_->abort(error);
}

}  // namespace rill
