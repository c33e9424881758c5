#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "rill/base/error.h"
#include "rill/tensor/allocator.h"

namespace rill {

// The memory of the stand-in device. It is mapped twice: at the addresses that tensors have, where
// nobody may touch it, and once more for the device's own kernels and copies. A kernel that follows
// pointers of tensors, as those of variables do, opens the first mapping while it runs.
class StandInMemory {
 public:
  static constexpr std::size_t kBytes = std::size_t{256} << 20;

  StandInMemory() {
    const int file = memfd_create("stand_in", 0);
    if (file < 0 || ftruncate(file, kBytes) != 0)
      raise(Code::kInternal, "no memory for a stand-in device");
    closed_ = map(file, PROT_NONE);
    alias_ = map(file, PROT_READ | PROT_WRITE);
    ::close(file);
  }
  ~StandInMemory() {
    munmap(closed_, kBytes);
    munmap(alias_, kBytes);
  }
  StandInMemory(const StandInMemory&) = delete;
  StandInMemory& operator=(const StandInMemory&) = delete;

  char* begin() const { return closed_; }
  // Where the device itself reaches what lies at `address`.
  char* reach(const void* address) const {
    return alias_ + (static_cast<const char*>(address) - closed_);
  }
  void open() { mprotect(closed_, kBytes, PROT_READ | PROT_WRITE); }
  void close() { mprotect(closed_, kBytes, PROT_NONE); }

 private:
  static char* map(int file, int protection) {
    void* at = mmap(nullptr, kBytes, protection, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) raise(Code::kInternal, "no memory for a stand-in device");
    return static_cast<char*>(at);
  }

  char* closed_;
  char* alias_;
};

// Host memory that counts as page-locked.
class StandInPinned final : public Allocator {
 public:
  StandInPinned() : Allocator(MemoryKind::pinned) {}
  void* allocate(std::size_t bytes) override {
    void* block = cpu_allocator().allocate(bytes);
    const std::lock_guard lock(mutex_);
    blocks_.emplace(static_cast<char*>(block), bytes);
    return block;
  }
  void deallocate(void* block, std::size_t bytes) noexcept override {
    {
      const std::lock_guard lock(mutex_);
      blocks_.erase(static_cast<char*>(block));
    }
    cpu_allocator().deallocate(block, bytes);
  }
  AllocatorStats stats() const override { return {}; }
  void set_limit(std::int64_t) override {}
  std::string name() const override { return "STANDIN_host"; }

  bool holds(const void* address) const {
    const std::lock_guard lock(mutex_);
    const auto* at = static_cast<const char*>(address);
    const auto after = blocks_.upper_bound(const_cast<char*>(at));
    if (after == blocks_.begin()) return false;
    const auto& [block, bytes] = *std::prev(after);
    return at < block + bytes;
  }

 private:
  mutable std::mutex mutex_;
  std::map<char*, std::size_t> blocks_;
};

// Hands out blocks of it. What is freed may be handed out at once, although kernels that were
// enqueued before still use it: whatever is enqueued for the new owner comes after them. Only a
// kernel that allocates while it runs is ahead of those in the queue, and gets no such block.
class StandInBlocks {
 public:
  struct Freed {
    void* block;
    std::uint64_t after;  // the last task that may use it
  };

  explicit StandInBlocks(char* begin) : next_(begin), end_(begin + StandInMemory::kBytes) {}

  // `done`: everything up to that task has run; those who enqueue pass the largest number.
  void* allocate(std::size_t bytes, std::uint64_t done, const std::string& device) {
    const std::size_t size = rounded(bytes);
    const std::lock_guard lock(mutex_);
    const auto live = stats_.live_bytes + static_cast<std::int64_t>(size);
    if (stats_.limit_bytes > 0 && live > stats_.limit_bytes) refuse(bytes, device);
    void* block = reuse(size, done);
    if (block == nullptr) block = carve(size);
    if (block == nullptr) refuse(bytes, device);
    ++stats_.allocation_count;
    stats_.live_bytes = live;
    stats_.peak_bytes = std::max(stats_.peak_bytes, live);
    return block;
  }
  void deallocate(void* block, std::size_t bytes, std::uint64_t after) {
    const std::lock_guard lock(mutex_);
    stats_.live_bytes -= static_cast<std::int64_t>(rounded(bytes));
    free_.emplace(rounded(bytes), Freed{block, after});
  }
  AllocatorStats stats() const {
    const std::lock_guard lock(mutex_);
    return stats_;
  }
  void set_limit(std::int64_t bytes) {
    const std::lock_guard lock(mutex_);
    stats_.limit_bytes = bytes;
  }

 private:
  static std::size_t rounded(std::size_t bytes) {
    return (bytes + kBlockAlignment) / kBlockAlignment * kBlockAlignment;  // never 0
  }
  void* reuse(std::size_t size, std::uint64_t done) {
    const auto [first, last] = free_.equal_range(size);
    for (auto it = first; it != last; ++it) {
      if (it->second.after > done) continue;
      void* block = it->second.block;
      free_.erase(it);
      return block;
    }
    return nullptr;
  }
  void* carve(std::size_t size) {
    if (size > static_cast<std::size_t>(end_ - next_)) return nullptr;
    ++stats_.system_count;
    void* block = next_;
    next_ += size;
    return block;
  }
  [[noreturn]] void refuse(std::size_t bytes, const std::string& device) const {
    raise(Code::kResourceExhausted, "OOM: ", bytes, " bytes wanted from allocator of ", device,
          ", ", stats_.live_bytes, " of ", stats_.limit_bytes, " in use");
  }

  mutable std::mutex mutex_;
  char* next_;
  char* const end_;
  std::multimap<std::size_t, Freed> free_;  // by size
  AllocatorStats stats_;
};

}  // namespace rill
