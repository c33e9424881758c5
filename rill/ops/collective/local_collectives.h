#pragma once

#include "rill/ops/collective/group_table.h"
#include "rill/ops/collective/mailbox.h"

namespace rill {

// The devices of one step of one process.
class LocalCollectives final : public Collectives {
 public:
  std::string describe() const override { return "collective groups of a step"; }
  void join(const CollectiveGroupId& id, const std::string& device, Joined done) override;
  void find_source(const CollectiveGroupId& id, const CollectiveGroup& group, std::int64_t instance,
                   const std::string& device, bool is_source, Source done) override;
  void end_group(std::int64_t group_key, const CollectiveGroupRef& group,
                 std::exception_ptr error) override;

 private:
  const std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>();
  GroupTable table_{false};
  std::mutex mutex_;
  std::map<std::int64_t, CollectiveGroupRef> groups_;
  std::exception_ptr error_;
};

}  // namespace rill
