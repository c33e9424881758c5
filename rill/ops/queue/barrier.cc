#include "rill/ops/queue/barrier.h"

#include <algorithm>

#include "rill/ops/queue/type_list.h"

namespace rill {

void BarrierResource::Options::check_same(const Options& wanted) const {
  require(types == wanted.types, "Shared barrier '", name, "' has component types ",
          type_list(types), " but requested component types were ", type_list(wanted.types));
  require(shapes == wanted.shapes, "Shared barrier '", name, "' has component shapes ",
          shape_list(shapes), " but requested component shapes were ", shape_list(wanted.shapes));
}

void BarrierResource::insert(std::span<const std::string> keys, std::size_t component,
                             std::vector<Tensor> values) {
  bool any_new = false;
  const auto insert_all = [&] {
    if (given_up_)
      raise(Code::kCancelled, "Barrier ", options_.name,
            " is closed.  Pending enqueues cancelled: 1.  Number of new insertions: ", keys.size(),
            ".  Number of incomplete keys: ", incomplete_.size(), ".");
    for (std::size_t i = 0; i < keys.size(); ++i) {
      Tuple& whole = element(keys[i], i, &any_new);
      require(!whole[component + 2].has_value(), "Key ", keys[i],
              " already has a value for component ", component, " in barrier ", options_.name);
      whole[component + 2] = std::move(values[i]);
      if (!std::ranges::all_of(whole, &Tensor::has_value)) continue;
      ready_->put(std::move(whole));
      incomplete_.erase(keys[i]);
    }
  };
  std::exception_ptr error;
  change([&] {
    try {
      insert_all();
    } catch (...) {
      error = std::current_exception();  // what came before it may serve somebody
    }
    if (any_new && !error) ++next_place_;
  });
  if (error) std::rethrow_exception(error);
}

Tuple& BarrierResource::element(const std::string& key, std::size_t position, bool* is_new) {
  const auto it = incomplete_.find(key);
  if (it != incomplete_.end()) return it->second;
  if (closed_)
    raise(Code::kCancelled, "Barrier ", options_.name,
          " is closed, but attempted to insert a brand new key: ", key,
          ".  Pending enqueues cancelled: 0.  Insertion index: ", position,
          ".  Number of incomplete keys: ", incomplete_.size(), ".");
  *is_new = true;
  Tuple whole(options_.types.size() + 2);
  whole[0] = Tensor::scalar(next_place_);
  whole[1] = Tensor::scalar(key);
  return incomplete_.emplace(key, std::move(whole)).first->second;
}

void BarrierResource::take(const std::shared_ptr<BarrierTaker>& taker) {
  wait(taker, [&] { takers_.push_back(taker); });
}

void BarrierResource::close(bool gives_up_incomplete) {
  change([&] {
    if (given_up_ || (closed_ && !gives_up_incomplete))
      raise(Code::kCancelled, "Barrier '", options_.name, "' is already closed.");
    closed_ = true;
    if (!gives_up_incomplete) return;
    given_up_ = true;
    incomplete_.clear();
  });
}

std::int64_t BarrierResource::ready_size() const {
  const std::lock_guard lock(mutex_);
  return ready_->size();
}

std::int64_t BarrierResource::incomplete_size() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::int64_t>(incomplete_.size());
}

std::int64_t BarrierResource::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  std::int64_t bytes = ready_->memory_bytes();
  for (const auto& [key, whole] : incomplete_) bytes += rill::memory_bytes(whole);
  return bytes;
}

void BarrierResource::serve() {
  while (!takers_.empty() && serve_taker(takers_.front())) takers_.pop_front();
}

// True when the taker has ended.
bool BarrierResource::serve_taker(const std::shared_ptr<BarrierTaker>& taker) {
  const std::int64_t ready = ready_->size();
  const auto coming = static_cast<std::int64_t>(incomplete_.size());
  std::int64_t count = taker->count, total = ready + coming;
  if (closed_ && taker->fewer_do) {
    if (!taker->waits_for_incomplete) total = ready;
    count = std::min(count, total);
  }
  if (closed_ && (total < count || (count == 0 && taker->count > 0))) {
    end(taker, error_of(Code::kOutOfRange, "Barrier '", options_.name,
                        "' is closed and has insufficient elements (requested ", count,
                        ", total size ", total, ")"));
    return true;
  }
  if (ready < count) return false;
  for (std::int64_t i = 0; i < count; ++i) taker->taken.push_back(ready_->take());
  end(taker);
  return true;
}

void BarrierResource::leave(Waiter& waiter) {
  std::erase_if(takers_, [&](const auto& taker) { return taker.get() == &waiter; });
}

}  // namespace rill
