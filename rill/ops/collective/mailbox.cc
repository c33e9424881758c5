#include "rill/ops/collective/mailbox.h"

#include <vector>

namespace rill {

void Mailbox::send(const std::string& key, Tensor value, bool) {
  Receive waiting;
  {
    const std::lock_guard lock(mutex_);
    if (error_) return;
    Slot& slot = slots_[key];
    if (slot.waiting.empty()) {
      slot.values.push_back(std::move(value));
      return;
    }
    waiting = std::move(slot.waiting.front());
    slot.waiting.pop_front();
    if (slot.waiting.empty()) slots_.erase(key);
  }
  waiting(nullptr, std::move(value), false);
}

void Mailbox::receive(const std::string& key, Receive done) {
  std::exception_ptr error;
  Tensor value;
  {
    const std::lock_guard lock(mutex_);
    error = error_;
    if (!error) {
      Slot& slot = slots_[key];
      if (slot.values.empty()) {
        slot.waiting.push_back(std::move(done));
        return;
      }
      value = std::move(slot.values.front());
      slot.values.pop_front();
      if (slot.values.empty()) slots_.erase(key);
    }
  }
  done(error, std::move(value), false);
}

void Mailbox::abort(std::exception_ptr error) {
  std::vector<Receive> waiting;
  {
    const std::lock_guard lock(mutex_);
    if (error_) return;
    error_ = error;
    for (auto& [key, slot] : slots_)
      for (Receive& one : slot.waiting) waiting.push_back(std::move(one));
    slots_.clear();
  }
  for (const Receive& one : waiting) one(error, Tensor(), false);
}

}  // namespace rill
