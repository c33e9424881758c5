#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "rill/kernel/resource_manager.h"

namespace rill {

// The resource manager of a session.
class ResourceStore final : public ResourceManager {
 public:
  explicit ResourceStore(std::string default_container)
      : default_container_(std::move(default_container)) {}

  const std::string& default_container() const override { return default_container_; }
  std::shared_ptr<Resource> find(std::string_view container, std::string_view type,
                                 std::string_view name) const override;
  std::shared_ptr<Resource> find_or_add(
      std::string_view container, std::string_view type, std::string_view name,
      const std::function<std::shared_ptr<Resource>()>& make) override;
  bool remove(std::string_view container, std::string_view type, std::string_view name) override;
  void clear(std::string_view container) override;
  std::vector<std::shared_ptr<Resource>> all() const override;
  void clear_all();  // every container; costs nothing when there is nothing

 private:
  using Key = std::tuple<std::string, std::string, std::string>;
  Key key(std::string_view container, std::string_view type, std::string_view name) const;

  const std::string default_container_;
  std::atomic<bool> used_{false};
  mutable std::mutex mutex_;
  std::map<Key, std::shared_ptr<Resource>> resources_;
};

}  // namespace rill
