// How the frame executor sends values to other partitions of its step and receives them.
#include "rill/base/hash64.h"
#include "rill/kernel/rendezvous_key.h"
#include "rill/runtime/executor/frame_run.h"
#include "rill/runtime/executor/node_runner.h"
#include "rill/runtime/step/deadlock_detector.h"
#include "rill/tensor/device_memory.h"

namespace rill {
namespace {

// TensorFlow's name of one execution of a loop: the loop's own, behind those of the loops around it
// and their iterations.
std::string loop_instance(const FrameLayout& layout, const LoopFrame& frame) {
  if (frame.parent == nullptr) return {};
  return str_cat(loop_instance(layout, *frame.parent), ";", frame.parent_iteration->number, ";",
                 layout.frames[at(frame.layout)].name);
}

std::uint64_t newer_loop_number(const FrameLayout& layout, const LoopFrame& frame) {
  if (frame.parent == nullptr) return 0;
  const auto iteration = static_cast<std::uint64_t>(frame.parent_iteration->number);
  const std::uint64_t name = hash64(layout.frames[at(frame.layout)].name);
  return hash64_combine(newer_loop_number(layout, *frame.parent), hash64_combine(iteration, name));
}

// The same number in every partition, and in every process, for the same execution of a loop.
std::uint64_t loop_number(const FrameLayout& layout, const LoopFrame& frame, bool is_newer) {
  if (is_newer) return newer_loop_number(layout, frame);
  return frame.parent == nullptr ? 0 : hash64(loop_instance(layout, frame));
}

bool is_at_home(const KernelNode& receiver, const Tensor& value) {
  const MemoryKind kind = receiver.output_kind(0);
  if (kind != value.memory_kind()) return receiver.attrs.contains(kLeftThere);
  return kind != MemoryKind::device ||
         &value.buffer()->allocator()->copier()->allocator() == &receiver.output_allocator(0);
}

}  // namespace

std::string FrameRun::transfer_key(Ready ready) const {
  if (step_.rendezvous == nullptr)
    throw Error(Code::kFailedPrecondition,
                str_cat("'", name(ready.node), "' has nobody to exchange values with: ",
                        plan_node(ready.node).node->op().name, " is not for programs"));
  const auto& state = static_cast<const TransferState&>(*plan_node(ready.node).kernel->state);
  return rendezvous_key(state.prefix,
                        loop_number(layout_, *ready.frame, options_.newer_loop_numbers),
                        ready.iteration->number);
}

// The lock is given up meanwhile: who receives takes that of another part.
void FrameRun::send(Ready ready, bool dead, Lock& lock) {
  Tensor value;
  if (!dead) {
    try {
      read_references(ready);
    } catch (...) {
      throw node_error(plan_node(ready.node), Pointers(*this, ready).values());
    }
    value = take_input(ready, 0).tensor;
  }
  const std::string key = transfer_key(ready);
  ++running_;
  lock.unlock();
  step_.rendezvous->send(key, std::move(value), dead);
  lock.lock();
  --running_;
}

void FrameRun::receive(Ready ready, Lock& lock) {
  const std::string key = transfer_key(ready);
  ++running_;
  ++receiving_;
  lock.unlock();
  step_.rendezvous->receive(key, [this, ready](std::exception_ptr error, Tensor value, bool dead) {
    Lock relock(mutex_);
    if (resting_) options_.deadlock->wake();
    resting_ = false;
    --receiving_;
    if (error || error_ || dead) return received(ready, error, Tensor(), dead);
    if (is_at_home(plan_node(ready.node).kernel->node, value))
      return received(ready, nullptr, std::move(value), false);
    relock.unlock();
    bring(ready, value);
  });
  lock.lock();
}

// Brings a value into the memory where the _Recv's readers expect it.
void FrameRun::bring(Ready ready, const Tensor& value) {
  const auto there = std::make_shared<Tensor>();
  const auto end = [this, ready, there](std::exception_ptr error) {
    const Lock lock(mutex_);
    received(ready, error, std::move(*there), false);
  };
  try {
    *there = Tensor(value.dtype(), value.shape(),
                    plan_node(ready.node).kernel->node.output_allocator(0));
  } catch (...) {
    return end(std::make_exception_ptr(node_error(plan_node(ready.node), {})));
  }
  start_copy(value, *there, end);
}

// The end of a receive, under the lock.
void FrameRun::received(Ready ready, std::exception_ptr error, Tensor value, bool dead) {
  if (error) fail(error);
  if (!error_) {
    if (!dead) output(*ready.iteration, ready.node, 0).tensor = std::move(value);
    end_node(ready, dead);
  }
  --running_;
  changed_.notify_all();
}

// Reports once that only values from other partitions can make this one go on; true when it did,
// after which something may have come.
bool FrameRun::rests(Lock& lock) {
  if (options_.deadlock == nullptr || resting_ || running_ != receiving_ || helpers_ > 0)
    return false;
  resting_ = true;
  lock.unlock();
  options_.deadlock->rest();
  lock.lock();
  return true;
}

}  // namespace rill
