#include "rill/ops/queue/queue.h"

#include <algorithm>

#include "rill/ops/queue/type_list.h"

namespace rill {

void Queue::Options::check_same(const Options& wanted) const {
  require(kind == wanted.kind, "Shared queue '", name, "' is a ", kind, " but a ", wanted.kind,
          " was requested");
  require(capacity == wanted.capacity, "Shared queue '", name, "' has capacity ", capacity,
          " but requested capacity was ", wanted.capacity);
  require(types == wanted.types, "Shared queue '", name, "' has component types ", type_list(types),
          " but requested component types were ", type_list(wanted.types));
  require(shapes == wanted.shapes, "Shared queue '", name, "' has component shapes ",
          shape_list(shapes), " but requested component shapes were ", shape_list(wanted.shapes));
  require(min_after_dequeue == wanted.min_after_dequeue, "Shared queue '", name,
          "' has min_after_dequeue ", min_after_dequeue, " but requested min_after_dequeue was ",
          wanted.min_after_dequeue, ".");
  require(seed == wanted.seed && seed2 == wanted.seed2, "Shared queue '", name,
          "' has random seeds (", seed, ", ", seed2, ") but requested seeds are (", wanted.seed,
          ", ", wanted.seed2, ").");
}

void Queue::put(const std::shared_ptr<Putter>& putter) {
  wait(putter, [&] { putters_.push_back(putter); });
}

void Queue::take(const std::shared_ptr<Taker>& taker) {
  wait(taker, [&] { takers_.push_back(taker); });
}

void Queue::close_at_once() {
  change([&] {
    closed_ = true;
    for (const auto& putter : putters_)
      end(putter, error_of(Code::kCancelled, putter->cancelled_text()));
    putters_.clear();
  });
}

std::int64_t Queue::size() const {
  const std::lock_guard lock(mutex_);
  return store_->size();
}

bool Queue::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

std::int64_t Queue::waiting() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::int64_t>(putters_.size() + takers_.size());
}

std::string Queue::describe() const {
  return str_cat(options_.kind, " ", options_.name, " of ", type_list(options_.types));
}

std::int64_t Queue::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  return store_->memory_bytes();
}

void Queue::serve() {
  for (bool moved = true; moved;) {
    moved = false;
    while (!putters_.empty() && serve_putter()) moved = true;
    while (!takers_.empty() && serve_taker()) moved = true;
  }
}

bool Queue::serve_putter() {
  const auto putter = putters_.front();
  const auto finish = [&](std::exception_ptr error) {
    putters_.pop_front();
    end(putter, std::move(error));
    return true;
  };
  if (putter->closes) {
    if (std::exchange(closed_, true))
      return finish(error_of(Code::kCancelled, "Queue '", options_.name, "' is already closed."));
    return finish(nullptr);
  }
  if (closed_)
    return finish(error_of(Code::kCancelled, options_.kind, " '", options_.name, "' is closed."));
  const std::size_t before = putter->next;
  while (putter->next < putter->elements.size() &&
         (options_.capacity < 0 || store_->size() < options_.capacity))
    store_->put(std::move(putter->elements[putter->next++]));
  if (putter->next == putter->elements.size()) return finish(nullptr);
  return putter->next > before;
}

bool Queue::serve_taker() {
  const auto taker = takers_.front();
  const auto finish = [&](std::exception_ptr error) {
    takers_.pop_front();
    end(taker, std::move(error));
    return true;
  };
  if (const std::int64_t size = store_->size(); closed_ && size < taker->missing) {
    taker->missing += static_cast<std::int64_t>(taker->taken.size());
    const auto error = too_few(*taker, size);
    store_->put_back(std::exchange(taker->taken, {}));
    if (!taker->fewer_do || store_->size() == 0) return finish(error);
    taker->missing = std::min(taker->missing, store_->size());
  }
  const std::size_t before = taker->taken.size();
  const std::int64_t kept = closed_ ? 0 : options_.min_after_dequeue;
  for (; taker->missing > 0 && store_->size() > kept; --taker->missing)
    taker->taken.push_back(store_->take());
  if (taker->missing == 0) return finish(nullptr);
  return taker->taken.size() > before;
}

// As TensorFlow counts: without what the taker had taken already.
std::exception_ptr Queue::too_few(const Taker& taker, std::int64_t size) const {
  const auto requested = taker.missing - static_cast<std::int64_t>(taker.taken.size());
  return error_of(Code::kOutOfRange, options_.kind, " '", options_.name,
                  "' is closed and has insufficient elements (requested ", requested,
                  ", current size ", size, ")");
}

void Queue::leave(Waiter& waiter) {
  std::erase_if(putters_, [&](const auto& putter) { return putter.get() == &waiter; });
  std::erase_if(takers_, [&](const auto& taker) {
    if (taker.get() != &waiter) return false;
    store_->put_back(std::exchange(taker->taken, {}));
    return true;
  });
}

}  // namespace rill
