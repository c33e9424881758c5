// What n nodes, feeds, variables, functions, iterations, extensions and threads cost: no more for
// each of them when there are a thousand times as many. Requests of memory are counted here, which
// every table, copy and walk with a list of its own shows; tests/python/test_growth.py counts
// instructions, and `./do bench cpp growth` times.
#include "rill/runtime/session/growth_testing.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rill/runtime/memory/heap_use.h"
#include "rill/runtime/plan/plan_count.h"

namespace rill {
namespace {

HeapUse use_of(const growth::Work& work) {
  const HeapUse before = heap_use();
  work();
  const HeapUse after = heap_use();
  return {after.count - before.count, after.bytes - before.bytes};
}

class Growth : public testing::TestWithParam<growth::Case> {};

// Tables that double leave room for twice as much; more than that is not linear.
constexpr double kMax = 2.1;

TEST_P(Growth, is_linear_or_better) {
  const growth::Case& one = GetParam();
  const int large = one.largest / 10, small = large / 1000;  // the largest is for benchmarks
  const HeapUse few = use_of(one.prepare(small)), some = use_of(one.prepare(10 * small)),
                many = use_of(one.prepare(large));
  // What each of them costs beyond what there is without any.
  const auto each = [](std::int64_t all, std::int64_t less, int n, int m) {
    return std::max(0.0, static_cast<double>(all - less) / (n - m));
  };
  const double count_before = each(some.count, few.count, 10 * small, small),
               bytes_before = each(some.bytes, few.bytes, 10 * small, small),
               count = each(many.count, some.count, large, 10 * small),
               bytes = each(many.bytes, some.bytes, large, 10 * small);
  RecordProperty("requests_for_each", std::to_string(count));
  EXPECT_LE(count, kMax * count_before + 0.5) << one.name << ": requests of memory";
  EXPECT_LE(bytes, kMax * bytes_before + 64) << one.name << ": bytes";
}

INSTANTIATE_TEST_SUITE_P(Runtime, Growth, testing::ValuesIn(growth::kCases),
                         [](const auto& info) { return std::string(info.param.name); });

// However many threads ask, there is one plan, and a thread costs what one costs alone.
TEST(GrowthOfThreads, threads_share_what_is_compiled) {
  growth::Program p;
  const Output y = p.chain(50);
  Session session(p.graph, growth::inline_session());
  const std::vector<Feed> given{{p.x, Tensor::scalar(1.0f)}};
  session.run(y, given);
  const std::int64_t plans = compiled_plan_count();
  const auto most_of = [&](int count) {
    std::vector<std::int64_t> uses(static_cast<std::size_t>(count));
    std::vector<std::thread> threads;
    for (std::int64_t& use : uses)
      threads.emplace_back([&] {
        for (int i = 0; i < 3; ++i) session.run(y, given);  // makes what a thread has of its own
        use = use_of([&] {
                for (int i = 0; i < 20; ++i) session.run(y, given);
              }).count;
      });
    for (std::thread& thread : threads) thread.join();
    std::ranges::sort(uses);
    return uses[uses.size() / 2];
  };
  const std::int64_t alone = most_of(1);
  for (const int count : {10, 100}) EXPECT_LE(most_of(count), alone + 20) << count << " threads";
  EXPECT_EQ(compiled_plan_count(), plans);
}

}  // namespace
}  // namespace rill
