#include "rill/tensor/device_memory.h"

#include <condition_variable>
#include <mutex>

#include "rill/tensor/tensor.h"

namespace rill {

constinit thread_local bool DeviceMemoryAccess::allowed_ = false;

namespace {

MemoryCopier* copier_of(const Tensor& tensor) {
  return tensor.memory_kind() == MemoryKind::device ? tensor.buffer()->allocator()->copier()
                                                    : nullptr;
}

void copy_between_devices(const Tensor& from, const Tensor& to, const MemoryCopier::Done& done) {
  const Tensor staging(from.dtype(), from.shape());
  start_copy(from, staging, [staging, to, done](std::exception_ptr error) {
    if (error) return done(error);
    start_copy(staging, to, done);
  });
}

}  // namespace

void start_copy(const Tensor& from, const Tensor& to, MemoryCopier::Done done) {
  MemoryCopier* const source = copier_of(from);
  MemoryCopier* const target = copier_of(to);
  if (source != nullptr && target != nullptr && source != target)
    return copy_between_devices(from, to, done);
  const std::size_t bytes = from.byte_size();
  if (bytes == 0 || (source == nullptr && target == nullptr)) {
    if (bytes > 0) copy_tensor(from, to);
    return done(nullptr);
  }
  // Both are kept until the end, and let go of before anybody hears of it: whoever then takes over
  // the copy has it alone.
  auto kept = [from = Tensor(from), to = Tensor(to),
               done = std::move(done)](std::exception_ptr error) mutable {
    from.clear();
    to.clear();
    done(error);
  };
  if (source == nullptr)
    return target->from_host(to.raw_data(), from.raw_data(), bytes, std::move(kept));
  if (target == nullptr)
    return source->to_host(to.raw_data(), from.raw_data(), bytes, std::move(kept));
  source->within(to.raw_data(), from.raw_data(), bytes, std::move(kept));
}

void copy_device_tensor(const Tensor& from, const Tensor& to) {
  struct Waiting {
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    std::exception_ptr error;
  };
  const auto waiting = std::make_shared<Waiting>();
  start_copy(from, to, [waiting](std::exception_ptr error) {
    const std::lock_guard lock(waiting->mutex);
    waiting->error = error;
    waiting->done = true;
    waiting->ended.notify_all();
  });
  std::unique_lock lock(waiting->mutex);
  waiting->ended.wait(lock, [&] { return waiting->done; });
  if (waiting->error) std::rethrow_exception(waiting->error);
}

}  // namespace rill
