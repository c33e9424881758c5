#pragma once

#include <string>

#include "rill/base/thread_pool.h"
#include "rill/tensor/allocator.h"

namespace rill {

// Where kernels run. The runtime makes one per CPU or GPU that a session may use.
class Device {
 public:
  virtual ~Device() = default;
  virtual const std::string& name() const = 0;  // "/job:localhost/replica:0/task:0/device:CPU:0"
  virtual const std::string& type() const = 0;  // "CPU", "GPU"
  virtual Allocator& allocator(MemoryKind kind) = 0;
  virtual ThreadPool& pool() = 0;  // for work split inside one kernel
};

}  // namespace rill
