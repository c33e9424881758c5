#include "rill/runtime/memory/arena.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>

#include "rill/tensor/tensor.h"

namespace rill {
namespace {

constexpr std::size_t kHeader = 64;  // a buffer's, before its data

// Two values one after the other and a third beside both.
LiveIntervals three_lives() {
  return {{.born = 1, .died = 3, .bytes = kHeader + 1024},
          {.born = 4, .died = 6, .bytes = kHeader + 1024},
          {.born = 2, .died = 5, .bytes = kHeader + 512}};
}

Arena::Use use_of(const LiveIntervals& lives) {
  return {.layout = std::make_shared<const ArenaLayout>(
              lay_out(std::vector<LiveIntervals>{lives}, std::vector<char>(lives.size()))),
          .barred = std::make_shared<const std::vector<char>>(lives.size())};
}

Tensor floats(const Arena& arena, std::size_t place, std::int64_t count) {
  return Tensor(DType::f32, Shape({count}), arena.place(place));
}

TEST(Arena, values_with_disjoint_lifetimes_share_bytes) {
  const auto arena = Arena::make(cpu_allocator(), 3);
  arena->begin(use_of(three_lives()));
  const AllocatorStats before = cpu_allocator().stats();
  Tensor first = floats(*arena, 0, 256);
  const Tensor beside = floats(*arena, 2, 128);
  void* const data = first.raw_data();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % kBlockAlignment, 0u);
  EXPECT_NE(beside.raw_data(), data);
  first.clear();
  Tensor second = floats(*arena, 1, 256);
  EXPECT_EQ(second.raw_data(), data);
  EXPECT_EQ(second.memory_kind(), MemoryKind::host);
  EXPECT_EQ(cpu_allocator().stats().allocation_count, before.allocation_count);
  EXPECT_EQ(arena->missed_bytes(), 0u);
}

TEST(Arena, a_value_whose_bytes_are_in_use_is_allocated_elsewhere) {
  const auto arena = Arena::make(cpu_allocator(), 3);
  arena->begin(use_of(three_lives()));
  Tensor first = floats(*arena, 0, 256);
  std::ranges::fill(first.flat<float>(), 1.0f);
  {
    const Tensor second = floats(*arena, 1, 256);
    EXPECT_NE(second.raw_data(), first.raw_data());
    std::ranges::fill(second.flat<float>(), 2.0f);
  }
  EXPECT_EQ(first.flat<float>()[255], 1.0f);
  EXPECT_EQ(arena->blocked_bytes(), kHeader + 1024);
  EXPECT_EQ(arena->missed_bytes(), 0u);
  first.clear();
  EXPECT_TRUE(arena->end());
}

TEST(Arena, a_smaller_value_fits_and_a_larger_one_does_not) {
  const auto arena = Arena::make(cpu_allocator(), 3);
  arena->begin(use_of(three_lives()));
  { const Tensor smaller = floats(*arena, 0, 7); }
  EXPECT_EQ(arena->missed_bytes(), 0u);
  { const Tensor larger = floats(*arena, 0, 300); }
  EXPECT_GT(arena->missed_bytes(), 0u);
  EXPECT_TRUE(arena->end());
}

TEST(Arena, a_value_outlives_its_step_and_its_arena) {
  const std::int64_t live = cpu_allocator().stats().live_bytes;
  Tensor kept;
  {
    auto arena = Arena::make(cpu_allocator(), 3);
    arena->begin(use_of(three_lives()));
    kept = floats(*arena, 2, 128);
    std::ranges::fill(kept.flat<float>(), 3.0f);
    const Tensor gone = floats(*arena, 0, 256);
    EXPECT_EQ(arena->left(), (std::vector<std::size_t>{0, 2}));
    EXPECT_FALSE(arena->end());
  }
  EXPECT_EQ(kept.flat<float>()[127], 3.0f);
  EXPECT_GT(cpu_allocator().stats().live_bytes, live);
  kept.clear();
  EXPECT_EQ(cpu_allocator().stats().live_bytes, live);
}

TEST(Arena, records_live_intervals) {
  const auto arena = Arena::make(cpu_allocator(), 3);
  arena->begin({.barred = std::make_shared<const std::vector<char>>(std::vector<char>{0, 0, 1}),
                .records = true});
  Tensor first = floats(*arena, 0, 256);
  const Tensor second = floats(*arena, 1, 16);
  const Tensor barred = floats(*arena, 2, 16);
  EXPECT_EQ(barred.buffer()->allocator(), &cpu_allocator());
  first.clear();
  const LiveIntervals lives = arena->lives();
  EXPECT_EQ(lives[0].bytes, kHeader + 1024);
  EXPECT_LT(lives[0].born, lives[1].born);
  EXPECT_LT(lives[1].born, lives[0].died);
  EXPECT_EQ(lives[1].died, 0u);
  EXPECT_EQ(lives[2].born, 0u);
}

TEST(Arena, a_step_runs_where_a_limit_refuses_the_block) {
  LiveIntervals lives = three_lives();
  lives[0].bytes = 8 << 20;
  const auto arena = Arena::make(cpu_allocator(), 3);
  cpu_allocator().set_limit(cpu_allocator().stats().live_bytes + (1 << 20));
  arena->begin(use_of(lives));
  const Tensor small = floats(*arena, 2, 128);
  EXPECT_THROW(floats(*arena, 0, 2 << 20), Error);
  cpu_allocator().set_limit(0);
  EXPECT_EQ(small.element_count(), 128);
  EXPECT_EQ(arena->missed_bytes() + arena->blocked_bytes(), 0u);  // there was nothing to miss
}

TEST(Arena, objects_are_made_and_destroyed) {
  const auto arena = Arena::make(cpu_allocator(), 1);
  arena->begin(use_of({{.born = 1, .died = 2, .bytes = 4096}}));
  Tensor strings(DType::string, Shape({4}), arena->place(0));
  strings.flat<std::string>()[2] = std::string(1000, 'x');
  strings.clear();
  EXPECT_TRUE(arena->end());
}

// Whatever threads do, and however wrong the layout, no two values have the same bytes at once.
TEST(Arena, threads_never_share_bytes) {
  std::mt19937 random(3);
  LiveIntervals lives(200);
  for (std::uint32_t i = 0; i < 200; ++i)  // one after the other, so that all overlap
    lives[i] = {.born = 2 * i + 1, .died = 2 * i + 2, .bytes = kHeader + 64 * (1 + random() % 300)};
  const auto arena = Arena::make(cpu_allocator(), lives.size());
  arena->begin(use_of(lives));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < 8'000; i += 4) {
        const std::size_t place = i * 7 % lives.size() / 4 * 4 + t;  // no two threads use one place
        const auto count = static_cast<std::int64_t>(lives[place].bytes - kHeader);
        const Tensor value(DType::u8, Shape({count}), arena->place(place));
        std::memset(value.raw_data(), static_cast<int>(t), static_cast<std::size_t>(count));
        for (const std::uint8_t byte : value.flat<std::uint8_t>()) wrong += byte != t;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(arena->end());
}

}  // namespace
}  // namespace rill
