#include "rill/runtime/memory/resource_store.h"

#include <vector>

namespace rill {

ResourceStore::Key ResourceStore::key(std::string_view container, std::string_view type,
                                      std::string_view name) const {
  return {std::string(container.empty() ? default_container_ : container), std::string(type),
          std::string(name)};
}

std::shared_ptr<Resource> ResourceStore::find(std::string_view container, std::string_view type,
                                              std::string_view name) const {
  std::lock_guard lock(mutex_);
  const auto it = resources_.find(key(container, type, name));
  return it == resources_.end() ? nullptr : it->second;
}

std::shared_ptr<Resource> ResourceStore::find_or_add(
    std::string_view container, std::string_view type, std::string_view name,
    const std::function<std::shared_ptr<Resource>()>& make) {
  std::lock_guard lock(mutex_);
  auto full_name = key(container, type, name);
  auto it = resources_.find(full_name);
  // Made first: what cannot be made must leave nothing behind.
  if (it == resources_.end()) it = resources_.emplace(std::move(full_name), make()).first;
  used_.store(true, std::memory_order_relaxed);
  return it->second;
}

bool ResourceStore::remove(std::string_view container, std::string_view type,
                           std::string_view name) {
  std::shared_ptr<Resource> removed;  // destroyed outside the lock
  std::lock_guard lock(mutex_);
  const auto it = resources_.find(key(container, type, name));
  if (it == resources_.end()) return false;
  removed = std::move(it->second);
  resources_.erase(it);
  return true;
}

void ResourceStore::clear(std::string_view container) {
  std::vector<std::shared_ptr<Resource>> removed;
  std::lock_guard lock(mutex_);
  const std::string wanted(container.empty() ? default_container_ : container);
  for (auto it = resources_.begin(); it != resources_.end();) {
    if (std::get<0>(it->first) != wanted) {
      ++it;
      continue;
    }
    removed.push_back(std::move(it->second));
    it = resources_.erase(it);
  }
}

void ResourceStore::clear_all() {
  if (!used_.load(std::memory_order_relaxed)) return;
  std::map<Key, std::shared_ptr<Resource>> removed;  // destroyed outside the lock
  std::lock_guard lock(mutex_);
  removed.swap(resources_);
}

std::vector<std::shared_ptr<Resource>> ResourceStore::all() const {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Resource>> found;
  for (const auto& [key, resource] : resources_) found.push_back(resource);
  return found;
}

}  // namespace rill
