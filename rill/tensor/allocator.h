#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rill {

// Where memory lies. The CPU may touch host memory, and pinned memory, which devices reach as well;
// device memory only through its MemoryCopier.
enum class MemoryKind : std::uint8_t { host, pinned, device };

class MemoryCopier;  // tensor/device_memory.h

// Counters since the start. The CPU's are gathered from threads now and then, so that blocks which
// another thread handed out a moment ago may be missing.
struct AllocatorStats {
  std::int64_t allocation_count = 0;  // blocks handed out
  std::int64_t system_count = 0;      // of these, fetched anew from the system
  std::int64_t live_bytes = 0, peak_bytes = 0, limit_bytes = 0;  // limit 0: none
};

// A cache line, and the width of the widest vector registers.
inline constexpr std::size_t kBlockAlignment = 64;

// Gives memory in blocks aligned to kBlockAlignment. Safe from several threads.
class Allocator {
 public:
  explicit Allocator(MemoryKind kind = MemoryKind::host) : kind_(kind) {}
  virtual ~Allocator() = default;
  Allocator(const Allocator&) = delete;
  Allocator& operator=(const Allocator&) = delete;
  // Throws ResourceExhausted when the system or the limit refuses.
  virtual void* allocate(std::size_t bytes) = 0;
  // `bytes` as it was asked for; blocks carry no size of their own.
  virtual void deallocate(void* block, std::size_t bytes) noexcept = 0;
  virtual AllocatorStats stats() const = 0;
  // The most that may be live at once. Small blocks are counted late, so that each thread may pass
  // it by some kilobytes.
  virtual void set_limit(std::int64_t bytes) = 0;  // 0: none
  virtual std::string name() const = 0;
  MemoryKind kind() const { return kind_; }
  // How bytes get in and out of device memory; nullptr for memory that the CPU may touch.
  virtual MemoryCopier* copier() { return nullptr; }

 private:
  const MemoryKind kind_;
};

// Host memory. Freed blocks are kept for reuse, small ones per thread, so that a warm step asks the
// system for nothing. Sizes are rounded up by at most a quarter. It lives as long as the process.
Allocator& cpu_allocator();

}  // namespace rill
