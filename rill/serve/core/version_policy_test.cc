#include "rill/serve/core/version_policy.h"

#include <gtest/gtest.h>

#include <vector>

namespace rill::serve {
namespace {

constexpr auto kAvailability = TransitionPolicy::kAvailabilityPreserving;
constexpr auto kResources = TransitionPolicy::kResourcePreserving;
constexpr auto kLoad = Action::Kind::kLoad, kUnload = Action::Kind::kUnload;

VersionFacts wanted(std::int64_t version) { return {.version = version, .is_aspired = true}; }
VersionFacts fresh(VersionFacts facts) { return facts.is_new = true, facts; }
VersionFacts ready(VersionFacts facts) { return facts.is_ready = true, facts; }
VersionFacts done(VersionFacts facts) { return facts.is_done = true, facts; }
VersionFacts unwanted(std::int64_t version) { return {.version = version}; }

std::optional<Action> next(TransitionPolicy policy, std::vector<VersionFacts> versions) {
  return next_action(policy, versions);
}

TEST(VersionPolicy, loads_the_highest_first) {
  for (const auto policy : {kAvailability, kResources}) {
    EXPECT_EQ(next(policy, {fresh(wanted(1)), fresh(wanted(3)), fresh(wanted(2))}),
              (Action{kLoad, 3}));
    EXPECT_EQ(next(policy, {ready(wanted(3)), fresh(wanted(2))}), (Action{kLoad, 2}));
    EXPECT_EQ(next(policy, {ready(wanted(3))}), std::nullopt);
    EXPECT_EQ(next(policy, {}), std::nullopt);
  }
}

TEST(VersionPolicy, something_serves_at_every_moment) {
  EXPECT_EQ(next(kAvailability, {ready(unwanted(1)), fresh(wanted(2))}), (Action{kLoad, 2}));
  EXPECT_EQ(next(kAvailability, {ready(unwanted(1)), wanted(2)}), std::nullopt);  // is loading
  EXPECT_EQ(next(kAvailability, {ready(unwanted(1)), ready(wanted(2))}), (Action{kUnload, 1}));
  EXPECT_EQ(next(kAvailability, {ready(unwanted(1)), done(wanted(2))}), std::nullopt);  // failed
}

TEST(VersionPolicy, one_of_the_unwanted_is_enough) {
  EXPECT_EQ(next(kAvailability, {ready(unwanted(2)), ready(unwanted(1)), fresh(wanted(3))}),
            (Action{kUnload, 1}));
  EXPECT_EQ(next(kAvailability, {ready(unwanted(1))}), (Action{kUnload, 1}));  // nothing is wanted
}

TEST(VersionPolicy, memory_is_freed_before_it_is_taken) {
  EXPECT_EQ(next(kResources, {ready(unwanted(1)), fresh(wanted(2))}), (Action{kUnload, 1}));
  EXPECT_EQ(next(kResources, {unwanted(1), fresh(wanted(2))}), std::nullopt);  // is unloading
  EXPECT_EQ(next(kResources, {done(unwanted(1)), fresh(wanted(2))}), (Action{kLoad, 2}));
}

}  // namespace
}  // namespace rill::serve
