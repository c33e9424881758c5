#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "rill/graph/executed_node.h"
#include "rill/kernel/device.h"
#include "rill/runtime/eager/eager_kernels.h"
#include "rill/runtime/memory/resource_store.h"
#include "rill/runtime/step/step_cancellation.h"

namespace rill {

// Ops that were executed one after the other on a device whose kernels run later: one step, as the
// device sees it. Their values hold it; what the kernels need is kept until they have run. Safe
// from several threads.
class EagerBatch final : public LateValues {
 public:
  // `step`: what the steps of all ops have in common.
  EagerBatch(Device& device, StepContext step);
  ~EagerBatch() override { settle(); }

  // An op begins, whose kernel returns before leave(). False: the batch is over.
  bool enter(std::shared_ptr<EagerKernel> kernel);
  void leave();
  StepContext& step() { return step_; }

  // Waits for the kernels; nothing begins any more.
  void settle() noexcept;
  void wait() override;
  void check() const override;

 private:
  static constexpr std::size_t kMostOps = 64;

  Device& device_;
  ResourceStore of_step_{"step"};
  StepCancellation cancellation_;
  StepContext step_;
  std::mutex mutex_;
  std::condition_variable left_;
  std::vector<std::shared_ptr<EagerKernel>> kernels_;
  int running_ = 0;
  bool closed_ = false, settled_ = false;
  std::exception_ptr error_;  // written before failed_ is
  std::atomic<bool> failed_{false};
};

// Of an op that is executed at once: names the op and the device. `error` is what came.
Error executed_error(const Error& error, const std::string& op, const Device& device);
// What a device has found out late about a step of its own.
void throw_late(const std::optional<LateError>& late, const Device& device);

}  // namespace rill
