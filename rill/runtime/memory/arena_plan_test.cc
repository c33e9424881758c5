#include "rill/runtime/memory/arena_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace rill {
namespace {

bool met(const LiveInterval& a, const LiveInterval& b) {
  return a.born != 0 && b.born != 0 && a.born < b.died && b.born < a.died;
}

bool share_bytes(const ArenaLayout::Spot& a, const ArenaLayout::Spot& b) {
  return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

bool share_segments(const ArenaLayout::Spot& a, const ArenaLayout::Spot& b) {
  return a.first_segment < b.last_segment && b.first_segment < a.last_segment;
}

void expect_sound(const ArenaLayout& layout, const std::vector<LiveIntervals>& steps) {
  EXPECT_GE(layout.bytes, layout.min_bytes);
  for (std::size_t i = 0; i < layout.spots.size(); ++i) {
    const ArenaLayout::Spot& a = layout.spots[i];
    if (a.bytes == 0) continue;
    EXPECT_EQ(a.offset % 64, 0u);
    EXPECT_LE(a.offset + a.bytes, layout.bytes);
    EXPECT_LE(a.last_segment, layout.segment_count);
    for (const LiveIntervals& lives : steps)
      EXPECT_TRUE(lives[i].born == 0 || a.bytes >= lives[i].bytes) << i;
    for (std::size_t k = 0; k < i; ++k) {
      const ArenaLayout::Spot& b = layout.spots[k];
      if (b.bytes == 0) continue;
      EXPECT_EQ(share_bytes(a, b), share_segments(a, b)) << i << " and " << k;
      for (const LiveIntervals& lives : steps)
        EXPECT_FALSE(met(lives[i], lives[k]) && share_bytes(a, b)) << i << " and " << k;
    }
  }
}

// Births and deaths in any order, each at a tick of its own.
LiveIntervals random_lives(std::mt19937& random, std::size_t count) {
  std::vector<std::uint32_t> ticks(2 * count);
  for (std::size_t i = 0; i < ticks.size(); ++i) ticks[i] = static_cast<std::uint32_t>(i + 1);
  std::ranges::shuffle(ticks, random);
  LiveIntervals lives(count);
  for (std::size_t i = 0; i < count; ++i)
    lives[i] = {.born = std::min(ticks[2 * i], ticks[2 * i + 1]),
                .died = std::max(ticks[2 * i], ticks[2 * i + 1]),
                .bytes = std::size_t{1} << random() % 20};
  return lives;
}

TEST(ArenaPlan, values_alive_together_never_share_bytes) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const std::size_t count = 1 + random() % 80;
    std::vector<LiveIntervals> steps;
    for (unsigned i = 0; i <= seed % 3; ++i) steps.push_back(random_lives(random, count));
    if (seed % 5 == 0) steps.front()[random() % count].born = 0;
    expect_sound(lay_out(steps, std::vector<char>(count)), steps);
  }
}

TEST(ArenaPlan, excluded_values_and_those_that_outlive_a_step_get_no_offset) {
  const std::vector<LiveIntervals> steps{{{.born = 1, .died = 4, .bytes = 100},
                                          {.born = 2, .died = 0, .bytes = 100},
                                          {.born = 3, .died = 5, .bytes = 100},
                                          {.born = 0, .died = 0, .bytes = 0}}};
  const ArenaLayout layout = lay_out(steps, std::vector<char>{0, 0, 1, 0});
  EXPECT_EQ(layout.bytes, 128u);
  EXPECT_EQ(layout.min_bytes, 128u);
  EXPECT_EQ(layout.spots[0].bytes, 128u);
  for (const std::size_t i : {1, 2, 3}) EXPECT_EQ(layout.spots[i].bytes, 0u);
}

// The second step ran its nodes in another order, so there what followed each other met.
TEST(ArenaPlan, values_alive_together_in_any_step_do_not_overlap) {
  const LiveIntervals one_by_one{{.born = 1, .died = 2, .bytes = 640},
                                 {.born = 3, .died = 4, .bytes = 640}};
  const LiveIntervals together{{.born = 1, .died = 3, .bytes = 640},
                               {.born = 2, .died = 4, .bytes = 640}};
  EXPECT_EQ(lay_out(std::vector<LiveIntervals>{one_by_one}, std::vector<char>(2)).bytes, 640u);
  EXPECT_EQ(lay_out(std::vector<LiveIntervals>{one_by_one, together}, std::vector<char>(2)).bytes,
            1280u);
}

// Activations that the backward pass reads in reverse, and gradients that follow each other.
TEST(ArenaPlan, a_training_step_is_near_the_peak_of_live_bytes) {
  std::mt19937 random(7);
  constexpr std::uint32_t kLayers = 120;
  LiveIntervals lives;
  std::uint32_t tick = 1;
  for (std::uint32_t i = 0; i < kLayers; ++i)
    lives.push_back({.born = tick++, .died = 0, .bytes = 4096u * (1 + random() % 64)});
  LiveInterval gradient{.born = tick++, .died = 0, .bytes = 64 << 10};
  for (std::uint32_t i = kLayers; i-- > 0;) {
    const LiveInterval next{.born = tick++, .died = 0, .bytes = lives[i].bytes};
    lives[i].died = tick++;
    gradient.died = tick++;
    lives.push_back(gradient);
    gradient = next;
  }
  gradient.died = tick;
  lives.push_back(gradient);
  const std::vector<LiveIntervals> steps{lives};
  const ArenaLayout layout = lay_out(steps, std::vector<char>(lives.size()));
  expect_sound(layout, steps);
  EXPECT_LE(static_cast<double>(layout.bytes), 1.1 * static_cast<double>(layout.min_bytes));
}

TEST(ArenaPlan, of_very_many_values_the_largest_have_spots) {
  std::mt19937 random(1);
  LiveIntervals lives = random_lives(random, 20'000);
  for (std::size_t i = 0; i < lives.size(); ++i) lives[i].bytes = i == 777 ? 1 << 20 : 64;
  const ArenaLayout layout =
      lay_out(std::vector<LiveIntervals>{lives}, std::vector<char>(lives.size()));
  EXPECT_EQ(layout.spots[777].bytes, 1u << 20);
  const auto spots = std::ranges::count_if(
      layout.spots, [](const ArenaLayout::Spot& spot) { return spot.bytes > 0; });
  EXPECT_GT(spots, 1000);
  EXPECT_LT(spots, 20'000);
}

TEST(ArenaPlan, nothing_seen_is_no_block) {
  const ArenaLayout layout = lay_out({}, std::vector<char>(3));
  EXPECT_EQ(layout.bytes, 0u);
  EXPECT_EQ(layout.segment_count, 0u);
  EXPECT_EQ(layout.spots.size(), 3u);
}

}  // namespace
}  // namespace rill
