#include "rill/runtime/eager/eager_batch.h"

#include "rill/base/blocking.h"
#include "rill/base/error_classes.h"

namespace rill {

Error executed_error(const Error& error, const std::string& op, const Device& device) {
  if (!error.node().empty()) return error;
  const std::string where =
      device.memory_kind() == MemoryKind::host ? "" : str_cat(" on ", device.name());
  return error.with_node(op, str_cat(" [Op:", op, "]", where));
}

void throw_late(const std::optional<LateError>& late, const Device& device) {
  if (!late) return;
  try {
    std::rethrow_exception(late->error);
  } catch (...) {
    throw_as_class(executed_error(current_error(), late->node, device));
  }
}

EagerBatch::EagerBatch(Device& device, StepContext step) : device_(device), step_(step) {
  step_.step_resources = &of_step_;
  step_.cancellation = &cancellation_;
}

bool EagerBatch::enter(std::shared_ptr<EagerKernel> kernel) {
  const std::lock_guard lock(mutex_);
  if (closed_) return false;
  kernels_.push_back(std::move(kernel));
  ++running_;
  return true;
}

void EagerBatch::leave() {
  bool is_full = false;
  {
    const std::lock_guard lock(mutex_);
    --running_;
    is_full = kernels_.size() >= kMostOps;
  }
  left_.notify_all();
  if (is_full) settle();
}

void EagerBatch::settle() noexcept {
  const Blocking waits;
  std::unique_lock lock(mutex_);
  closed_ = true;
  left_.wait(lock, [this] { return running_ == 0; });
  if (settled_) return;
  settled_ = true;
  try {
    throw_late(device_.finish(step_.step_id), device_);
  } catch (...) {
    error_ = std::current_exception();
    failed_.store(true, std::memory_order_release);
  }
  kernels_.clear();
  of_step_.clear_all();
}

void EagerBatch::wait() {
  settle();
  check();
}

void EagerBatch::check() const {
  if (failed_.load(std::memory_order_acquire)) std::rethrow_exception(error_);
}

}  // namespace rill
