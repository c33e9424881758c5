#include "rill/board/graph/graph_cache.h"

#include <algorithm>

namespace rill::board {

GraphCache::Model GraphCache::get(const std::string& key, const std::function<Model()>& make) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(made_, key, &Entry::key);
    if (found != made_.end()) return found->model;
  }
  Model model = make();
  const std::lock_guard lock(mutex_);
  made_.push_front({key, model});
  if (made_.size() > kMost) made_.pop_back();
  return model;
}

std::string GraphCache::keep(Model model) {
  const std::lock_guard lock(mutex_);
  kept_.push_front({std::to_string(next_++), std::move(model)});
  if (kept_.size() > kMost) kept_.pop_back();
  return kept_.front().key;
}

GraphCache::Model GraphCache::kept(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(kept_, key, &Entry::key);
  return found == kept_.end() ? nullptr : found->model;
}

}  // namespace rill::board
