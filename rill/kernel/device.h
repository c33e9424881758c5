#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "rill/base/thread_pool.h"
#include "rill/tensor/allocator.h"

namespace rill {

// Of a kernel that ran after it had returned: the node, what it was given ("f32[2,3]"), what it
// threw.
struct LateError {
  std::string node;
  std::vector<std::string> inputs;
  std::exception_ptr error;
};

// Where kernels run. The runtime makes one per CPU or GPU that a session may use.
//
// The kernels of a device whose memory is its own enqueue their work and return. What one of them
// enqueues comes after what those before it did, so a kernel may be given values that are still
// to be computed; the host gets at them by a copy (tensor/device_memory.h), which waits for them.
class Device {
 public:
  virtual ~Device() = default;
  virtual const std::string& name() const = 0;  // "/job:localhost/replica:0/task:0/device:CPU:0"
  virtual const std::string& type() const = 0;  // "CPU", "GPU"
  virtual Allocator& allocator(MemoryKind kind) = 0;
  virtual ThreadPool& pool() = 0;  // for work split inside one kernel

  // Where the inputs and outputs of its kernels lie, but for those that an entry says are the
  // host's.
  virtual MemoryKind memory_kind() const { return MemoryKind::host; }
  // What tells this device from one of the same name in another process, or before it was lost.
  virtual std::uint64_t incarnation() const { return 0; }
  // Waits until everything that this step has enqueued has run or is given up. The first error that
  // came late, empty if there was none.
  virtual std::optional<LateError> finish(std::int64_t /*step_id*/) { return std::nullopt; }
};

}  // namespace rill
