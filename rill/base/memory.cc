#include "rill/base/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

namespace rill {
namespace {

// The number in a control-group file, or SIZE_MAX when there is none ("max", no such file).
std::size_t group_limit(const char* path) {
  std::size_t bytes = 0;
  std::ifstream file(path);
  return file >> bytes ? bytes : SIZE_MAX;
}

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

void prefer_huge_pages(void* block, std::size_t bytes) {
  const auto begin = (reinterpret_cast<std::uintptr_t>(block) + kHugePage - 1) & ~(kHugePage - 1);
  const auto end = (reinterpret_cast<std::uintptr_t>(block) + bytes) & ~(kHugePage - 1);
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace rill
