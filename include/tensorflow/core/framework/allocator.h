#ifndef TENSORFLOW_CORE_FRAMEWORK_ALLOCATOR_H_
#define TENSORFLOW_CORE_FRAMEWORK_ALLOCATOR_H_

#include <cstddef>
#include <string>

#include "tensorflow/core/platform/types.h"

namespace tensorflow {

struct AllocatorAttributes {
  void set_on_host(bool v) { value = v ? (value | 1u) : (value & ~1u); }
  bool on_host() const { return (value & 1u) != 0; }
  void set_gpu_compatible(bool) {}
  void set_nic_compatible(bool) {}
  uint32 value = 0;
};

struct AllocationAttributes {
  bool no_retry_on_failure = false;
  bool allocation_will_be_logged = false;
};

// What an allocator has given out so far.
struct AllocatorStats {
  int64 num_allocs = 0;
  int64 bytes_in_use = 0;
  int64 peak_bytes_in_use = 0;
  int64 largest_alloc_size = 0;
  int64 bytes_limit = 0;  // 0: none
  string DebugString() const;
};

class Allocator {
 public:
  static constexpr size_t kAllocatorAlignment = 64;
  virtual ~Allocator() {}
  virtual string Name() = 0;
  virtual void* AllocateRaw(size_t alignment, size_t num_bytes) = 0;  // nullptr when there is none
  virtual void DeallocateRaw(void* ptr) = 0;
  virtual void GetStats(AllocatorStats* stats) { *stats = AllocatorStats(); }
  virtual void ClearStats() {}
};

Allocator* cpu_allocator();

}  // namespace tensorflow

#endif
