#include "rill/tensor/allocator.h"

#include <malloc.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/memory.h"
#include "rill/tensor/allocation_count.h"
#include "rill/tensor/free_memory.h"

namespace rill {
namespace {

// Size classes: four per power of two, from 128 bytes up. Rounding wastes at most a quarter.
constexpr std::size_t kMinClassBytes = 128;
constexpr int kClassCount = 4 * 30;
constexpr std::size_t kThreadBlockLimit = 64 << 10;  // larger blocks go to the shared lists
constexpr std::size_t kThreadListBytes = 1 << 20;    // of free blocks of one size
constexpr std::size_t kLargeBlock = 256 << 20;
constexpr std::size_t kSharedBytesLimit = std::size_t{1} << 31;

int class_of(std::size_t bytes) {
  if (bytes <= kMinClassBytes) return 0;
  const int log = std::bit_width(bytes - 1) - 1;  // 2^log <= bytes - 1 < 2^(log+1)
  const std::size_t quarter = std::size_t{1} << (log - 2);
  const auto step = static_cast<int>((bytes - 1 - (std::size_t{1} << log)) / quarter);
  return (log - 7) * 4 + step + 1;
}

std::size_t class_bytes(int size_class) {
  if (size_class == 0) return kMinClassBytes;
  const int log = 7 + (size_class - 1) / 4;
  return (std::size_t{1} << log) + (std::size_t{1} << (log - 2)) * ((size_class - 1) % 4 + 1);
}

// Free blocks of one size, linked through their own first bytes so that freeing never allocates.
class FreeList {
 public:
  std::size_t size() const { return size_; }
  void push(void* block) {
    head_ = new (block) Link{head_};
    ++size_;
  }
  void* pop() {  // nullptr when empty
    if (head_ == nullptr) return nullptr;
    --size_;
    return std::exchange(head_, head_->next);
  }

 private:
  struct Link {
    Link* next;
  };
  Link* head_ = nullptr;
  std::size_t size_ = 0;
};

using FreeLists = std::array<FreeList, kClassCount>;

struct ThreadCache {
  FreeLists lists;
  // What this thread has not yet added to the allocator's counters: a shared counter that every
  // allocation writes would cost more than the allocation.
  std::int64_t count = 0, live = 0;
  std::int64_t handed_out = 0;  // since the thread began
  ~ThreadCache();
};
thread_local bool thread_cache_alive = true;
constexpr std::int64_t kUncountedBytes = 64 << 10;
constexpr std::int64_t kUncountedBlocks = 1024;

class CpuAllocator final : public Allocator {
 public:
  void* allocate(std::size_t bytes) override {
    if (bytes > memory_capacity()) refuse(bytes);
    const int size_class = class_of(bytes);
    if (size_class < kClassCount) bytes = class_bytes(size_class);
    charge(static_cast<std::int64_t>(bytes));
    void* block = size_class < kClassCount ? pop(size_class, bytes) : nullptr;
    if (block == nullptr) block = from_system(bytes);
    return block;
  }

  void deallocate(void* block, std::size_t bytes) noexcept override {
    const int size_class = class_of(bytes);
    if (size_class < kClassCount) bytes = class_bytes(size_class);
    uncharge(static_cast<std::int64_t>(bytes));
    if (size_class >= kClassCount || !push(size_class, bytes, block)) std::free(block);
  }

  AllocatorStats stats() const override {
    if (thread_cache_alive) settle(cache());
    return {.allocation_count = count_,
            .system_count = system_,
            .live_bytes = live_,
            .peak_bytes = peak_,
            .limit_bytes = limit_};
  }
  void set_limit(std::int64_t bytes) override { limit_ = bytes; }
  std::string name() const override { return "cpu"; }

  bool push_shared(int size_class, std::size_t bytes, void* block) {
    std::lock_guard lock(mutex_);
    if (shared_bytes_ + bytes > kSharedBytesLimit) return false;
    shared_bytes_ += bytes;
    shared_[static_cast<std::size_t>(size_class)].push(block);
    return true;
  }

  void give_back_shared() {
    FreeLists taken;
    {
      std::lock_guard lock(mutex_);
      taken = std::exchange(shared_, {});
      shared_bytes_ = 0;
    }
    for (FreeList& list : taken)  // which takes the system a while
      while (void* block = list.pop()) std::free(block);
  }

  std::int64_t live_bytes() const {
    return live_.load(std::memory_order_relaxed) + (thread_cache_alive ? cache().live : 0);
  }
  static std::int64_t bytes_of_thread() { return thread_cache_alive ? cache().handed_out : 0; }

  void settle(ThreadCache& mine) const {
    count_.fetch_add(std::exchange(mine.count, 0), std::memory_order_relaxed);
    add_live(std::exchange(mine.live, 0));
  }

 private:
  static ThreadCache& cache() {
    thread_local ThreadCache cache;
    return cache;
  }

  // Counts a block that is about to be handed out; throws when that would pass the limit.
  void charge(std::int64_t bytes) {
    if (thread_cache_alive) {
      ThreadCache& mine = cache();
      ++mine.count;
      mine.handed_out += bytes;
      mine.live += bytes;
      if (mine.live < kUncountedBytes && mine.count < kUncountedBlocks) return;
      settle(mine);
    } else {
      count_.fetch_add(1, std::memory_order_relaxed);
      add_live(bytes);
    }
    const std::int64_t live = live_.load(std::memory_order_relaxed);
    const std::int64_t limit = limit_.load(std::memory_order_relaxed);
    if (limit == 0 || live <= limit) return;
    live_.fetch_sub(bytes, std::memory_order_relaxed);
    raise(Code::kResourceExhausted, "OOM: ", bytes, " bytes wanted from allocator cpu, ",
          live - bytes, " of its limit of ", limit, " in use");
  }

  void uncharge(std::int64_t bytes) noexcept {
    if (!thread_cache_alive) return add_live(-bytes);
    ThreadCache& mine = cache();
    mine.live -= bytes;
    if (mine.live <= -kUncountedBytes) settle(mine);
  }

  void add_live(std::int64_t bytes) const {
    const std::int64_t live = live_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::int64_t peak = peak_.load(std::memory_order_relaxed);
    while (live > peak && !peak_.compare_exchange_weak(peak, live, std::memory_order_relaxed)) {
    }
  }

  void* pop(int size_class, std::size_t bytes) {
    const auto i = static_cast<std::size_t>(size_class);
    if (bytes <= kThreadBlockLimit && thread_cache_alive)
      if (void* block = cache().lists[i].pop()) return block;
    std::lock_guard lock(mutex_);
    void* block = shared_[i].pop();
    if (block != nullptr) shared_bytes_ -= bytes;
    return block;
  }

  bool push(int size_class, std::size_t bytes, void* block) {
    if (bytes <= kThreadBlockLimit && thread_cache_alive) {
      FreeList& list = cache().lists[static_cast<std::size_t>(size_class)];
      if (list.size() * bytes < kThreadListBytes) return list.push(block), true;
    }
    return push_shared(size_class, bytes, block);
  }

  void* from_system(std::size_t bytes) {
    system_.fetch_add(1, std::memory_order_relaxed);
    void* block = take_aligned(bytes);
    if (block != nullptr) return block;
    uncharge(static_cast<std::int64_t>(bytes));
    refuse(bytes);
  }

  // Asks the system, and once more after giving it the blocks kept for reuse.
  void* take_aligned(std::size_t bytes) {
    if (void* block = ask_system(bytes)) return block;
    give_back_shared();
    return ask_system(bytes);
  }

  // The system promises large blocks it does not have, so those are weighed first.
  static void* ask_system(std::size_t bytes) {
    if (bytes >= kLargeBlock && bytes > available_memory()) return nullptr;
    const std::size_t rounded = (bytes + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
    void* block = std::aligned_alloc(kBlockAlignment, rounded);
    // Blocks do not begin with a huge page: operands that all do compete for places in the caches.
    if (block != nullptr && rounded >= kHugePage) prefer_huge_pages(block, rounded);
    return block;
  }

  [[noreturn]] void refuse(std::size_t bytes) const {
    raise(Code::kResourceExhausted, "OOM: the system refused ", bytes,
          " bytes to allocator cpu, which has ", live_.load(), " in use");
  }

  mutable std::atomic<std::int64_t> count_{0}, system_{0}, live_{0}, peak_{0}, limit_{0};
  std::mutex mutex_;
  FreeLists shared_;
  std::size_t shared_bytes_ = 0;
};

CpuAllocator& the_cpu_allocator() {
  static CpuAllocator* allocator = new CpuAllocator;  // outlives every thread and static tensor
  return *allocator;
}

ThreadCache::~ThreadCache() {
  thread_cache_alive = false;
  the_cpu_allocator().settle(*this);
  for (int i = 0; i < kClassCount; ++i)
    while (void* block = lists[static_cast<std::size_t>(i)].pop())
      if (!the_cpu_allocator().push_shared(i, class_bytes(i), block)) std::free(block);
}

}  // namespace

Allocator& cpu_allocator() { return the_cpu_allocator(); }

std::int64_t cpu_live_bytes() { return the_cpu_allocator().live_bytes(); }

std::int64_t cpu_bytes_of_thread() { return CpuAllocator::bytes_of_thread(); }

std::int64_t cpu_block_bytes(std::int64_t bytes) {
  const int size_class = class_of(static_cast<std::size_t>(bytes));
  return size_class < kClassCount ? static_cast<std::int64_t>(class_bytes(size_class)) : bytes;
}

void give_back_free_memory() {
  the_cpu_allocator().give_back_shared();
#ifdef __GLIBC__
  // Looking through all blocks of the C library takes long, and others wait for it: now and then.
  constexpr std::int64_t kPauseNanos = 5'000'000'000;
  static std::atomic<std::int64_t> next = 0;
  std::int64_t due = next.load();
  const std::int64_t now = monotonic_nanos();
  if (now >= due && next.compare_exchange_strong(due, now + kPauseNanos)) ::malloc_trim(0);
#endif
}

void give_back_large_blocks_at_once() {
#ifdef __GLIBC__
  constexpr int kLarge = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLarge);  // which also keeps it from growing
#endif
}

}  // namespace rill
