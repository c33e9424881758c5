// Replaces the global operators of the test binary. Their own file, so that no caller inlines half
// of a pair.
#include "rill/runtime/memory/heap_use.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

namespace {
thread_local rill::HeapUse use;
}

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++use.count;
  use.bytes += static_cast<std::int64_t>(bytes);
  if (void* block = std::malloc(bytes == 0 ? 1 : bytes)) return block;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++use.count;
  use.bytes += static_cast<std::int64_t>(bytes);
  return std::malloc(bytes == 0 ? 1 : bytes);
}
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace rill {

HeapUse heap_use() { return use; }

TEST(HeapUse, counts_what_a_vector_takes) {
  const HeapUse before = heap_use();
  const std::vector<char> vector(1000);
  EXPECT_EQ(heap_use().count, before.count + 1);
  EXPECT_EQ(heap_use().bytes, before.bytes + 1000);
}

}  // namespace rill
