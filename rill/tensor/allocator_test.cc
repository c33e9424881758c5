#include "rill/tensor/allocator.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/memory.h"
#include "rill/tensor/free_memory.h"
#include "rill/tensor/tensor.h"

namespace rill {
namespace {

AllocatorStats stats() { return cpu_allocator().stats(); }

// Removes the limit however the test ends.
struct Limit {
  explicit Limit(std::int64_t bytes) { cpu_allocator().set_limit(stats().live_bytes + bytes); }
  ~Limit() { cpu_allocator().set_limit(0); }
};

Code code_of_allocating(std::size_t bytes) {
  try {
    cpu_allocator().deallocate(cpu_allocator().allocate(bytes), bytes);
    return Code::kOk;
  } catch (const Error& error) {
    return error.code();
  }
}

TEST(Allocator, blocks_are_aligned_and_as_large_as_asked) {
  for (std::size_t bytes = 0; bytes < 5000; bytes += 13) {
    void* block = cpu_allocator().allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % kBlockAlignment, 0u);
    std::memset(block, 0xab, bytes);
    cpu_allocator().deallocate(block, bytes);
  }
  for (const int shift : {12, 16, 20, 24})
    for (const int off : {-1, 0, 1}) {
      const std::size_t bytes = (std::size_t{1} << shift) + static_cast<std::size_t>(off);
      void* block = cpu_allocator().allocate(bytes);
      std::memset(block, 0xab, bytes);
      cpu_allocator().deallocate(block, bytes);
    }
}

TEST(Allocator, a_warm_step_asks_the_system_for_nothing) {
  const auto step = [] {
    std::vector<Tensor> tensors;
    for (const std::int64_t size : {1, 10, 100, 1000, 10000, 100000, 1000000})
      tensors.emplace_back(DType::f32, Shape{size});
  };
  step();
  const AllocatorStats before = stats();
  for (int i = 0; i < 100; ++i) step();
  EXPECT_EQ(stats().system_count, before.system_count);
  EXPECT_EQ(stats().allocation_count, before.allocation_count + 700);
  EXPECT_EQ(stats().live_bytes, before.live_bytes);
}

TEST(Allocator, sizes_of_one_class_share_blocks) {
  cpu_allocator().deallocate(cpu_allocator().allocate(100'000), 100'000);
  const auto before = stats().system_count;
  cpu_allocator().deallocate(cpu_allocator().allocate(99'000), 99'000);
  EXPECT_EQ(stats().system_count, before);
}

TEST(Allocator, returns_unused_memory) {
  cpu_allocator().deallocate(cpu_allocator().allocate(1'000'000), 1'000'000);
  give_back_free_memory();
  const auto before = stats().system_count;
  cpu_allocator().deallocate(cpu_allocator().allocate(1'000'000), 1'000'000);
  EXPECT_EQ(stats().system_count, before + 1);
}

TEST(Allocator, blocks_of_a_thread_outlive_it_for_others) {
  std::thread([] { cpu_allocator().deallocate(cpu_allocator().allocate(777), 777); }).join();
  const auto before = stats().system_count;
  std::thread([] { cpu_allocator().deallocate(cpu_allocator().allocate(777), 777); }).join();
  EXPECT_EQ(stats().system_count, before);
}

TEST(Allocator, blocks_may_be_freed_by_another_thread) {
  std::vector<void*> blocks;
  for (int i = 0; i < 1000; ++i) blocks.push_back(cpu_allocator().allocate(4096));
  const auto live = stats().live_bytes;
  std::thread([&] {
    for (void* block : blocks) cpu_allocator().deallocate(block, 4096);
  }).join();
  EXPECT_LE(stats().live_bytes, live - 4096 * 1000);
  const auto before = stats().system_count;
  for (void*& block : blocks) block = cpu_allocator().allocate(4096);
  EXPECT_EQ(stats().system_count, before);
  for (void* block : blocks) cpu_allocator().deallocate(block, 4096);
}

TEST(Allocator, counts_live_and_peak_bytes) {
  const AllocatorStats before = stats();
  {
    const Tensor t(DType::u8, {1 << 20});
    EXPECT_GE(stats().live_bytes, before.live_bytes + (1 << 20));
    EXPECT_GE(stats().peak_bytes, stats().live_bytes);
  }
  EXPECT_EQ(stats().live_bytes, before.live_bytes);
}

TEST(Allocator, refuses_beyond_its_limit_and_recovers) {
  const Limit limit(1 << 20);
  EXPECT_EQ(code_of_allocating(2 << 20), Code::kResourceExhausted);
  EXPECT_EQ(code_of_allocating(1 << 19), Code::kOk);
  const auto live = stats().live_bytes;
  EXPECT_EQ(code_of_allocating(2 << 20), Code::kResourceExhausted);
  EXPECT_EQ(stats().live_bytes, live);
  EXPECT_THROW(Tensor(DType::f64, {1 << 20}), Error);
}

TEST(Allocator, refuses_what_the_machine_does_not_have) {
  const AllocatorStats before = stats();
  for (const std::size_t bytes :
       {memory_capacity() + 1, std::size_t{1} << 62, std::numeric_limits<std::size_t>::max()})
    EXPECT_EQ(code_of_allocating(bytes), Code::kResourceExhausted);
  EXPECT_EQ(stats().live_bytes, before.live_bytes);
  EXPECT_EQ(stats().peak_bytes, before.peak_bytes);
  EXPECT_THROW(Tensor(DType::c128, {std::numeric_limits<std::int64_t>::max()}), Error);
}

TEST(Allocator, serves_many_threads_at_once) {
  const auto live = stats().live_bytes;
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed)
    threads.emplace_back([seed] {
      std::vector<Tensor> kept(16);
      for (unsigned i = 0; i < 4000; ++i) {
        Tensor t(DType::u8, {(i * 7919 + seed) % 70000});
        if (t.element_count() > 0) t.data<std::uint8_t>()[0] = 1;
        kept[i % kept.size()] = std::move(t);
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(stats().live_bytes, live);
}

}  // namespace
}  // namespace rill
