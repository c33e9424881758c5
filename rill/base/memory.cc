#include "rill/base/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>

#include "rill/base/clock.h"

namespace rill {
namespace {

// The number in a control-group file, or SIZE_MAX when there is none ("max", no such file).
std::size_t group_limit(const char* path) {
  std::size_t bytes = 0;
  std::ifstream file(path);
  return file >> bytes ? bytes : SIZE_MAX;
}

// The 512 small pages in place of a huge one take 0.1 to 0.8 milliseconds.
constexpr std::int64_t kSlowFaultNanos = 1'000'000;
constexpr std::int64_t kPauseNanos = 10'000'000'000;
constexpr std::uintptr_t kMaxHugePages = 64;  // in one block

std::size_t measure() {
  const auto pages = static_cast<std::size_t>(std::max(1L, sysconf(_SC_PHYS_PAGES)));
  const auto page_bytes = static_cast<std::size_t>(std::max(1L, sysconf(_SC_PAGESIZE)));
  return std::min({pages * page_bytes, group_limit("/sys/fs/cgroup/memory.max"),
                   group_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

}  // namespace

std::size_t memory_capacity() {
  static const std::size_t bytes = measure();
  return bytes;
}

std::size_t available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string name, unit; file >> name;) {
    std::size_t kilobytes = 0;
    if (name == "MemAvailable:" && file >> kilobytes)
      return std::min(kilobytes * 1024, memory_capacity());
    std::getline(file, unit);
  }
  return memory_capacity();
}

HugePages ask_for_huge_pages(void* block, std::size_t bytes, const TimeFault& time_fault) {
  static std::atomic<std::int64_t> not_before = 0;
  const auto begin = (reinterpret_cast<std::uintptr_t>(block) + kHugePage - 1) & ~(kHugePage - 1);
  const auto whole = (reinterpret_cast<std::uintptr_t>(block) + bytes) & ~(kHugePage - 1);
  const auto end = std::min(whole, begin + kMaxHugePages * kHugePage);
  HugePages pages;
  if (end <= begin || monotonic_nanos() < not_before.load(std::memory_order_relaxed)) return pages;
  if (madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE) != 0) return pages;
  for (std::uintptr_t at = begin; at < end && !pages.given_up; at += kHugePage) {
    ++pages.asked;
    if (time_fault(reinterpret_cast<char*>(at)) <= kSlowFaultNanos) continue;
    madvise(reinterpret_cast<void*>(at), end - at, MADV_NOHUGEPAGE);
    not_before = monotonic_nanos() + kPauseNanos;
    pages.given_up = true;
  }
  return pages;
}

void prefer_huge_pages(void* block, std::size_t bytes) {
  ask_for_huge_pages(block, bytes, [](char* page) {
    const std::int64_t begin = monotonic_nanos();
    *reinterpret_cast<volatile char*>(page) = 0;
    return monotonic_nanos() - begin;
  });
}

}  // namespace rill
