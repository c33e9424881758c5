#include "rill/serve/core/version_policy.h"
#include "tensorflow_serving/core/availability_preserving_policy.h"
#include "tensorflow_serving/core/resource_preserving_policy.h"

namespace tensorflow {
namespace serving {
namespace {

using Snapshots = std::vector<AspiredServableStateSnapshot>;
using ServableAction = AspiredVersionPolicy::ServableAction;
using State = LoaderHarness::State;

optional<ServableAction> next(rill::serve::TransitionPolicy policy, const Snapshots& versions) {
  std::vector<rill::serve::VersionFacts> facts;
  for (const AspiredServableStateSnapshot& one : versions)
    facts.push_back({.version = one.id.version,
                     .is_aspired = one.is_aspired,
                     .is_new = one.state == State::kNew,
                     .is_ready = one.state == State::kReady,
                     .is_done = one.state == State::kDisabled || one.state == State::kError});
  const auto action = rill::serve::next_action(policy, facts);
  if (!action) return nullopt;
  const bool loads = action->kind == rill::serve::Action::Kind::kLoad;
  return ServableAction{
      loads ? AspiredVersionPolicy::Action::kLoad : AspiredVersionPolicy::Action::kUnload,
      ServableId{versions.at(0).id.name, action->version}};
}

}  // namespace

optional<ServableId> AspiredVersionPolicy::GetHighestAspiredNewServableId(
    const Snapshots& all_versions) {
  optional<ServableId> highest;
  for (const AspiredServableStateSnapshot& one : all_versions)
    if (one.is_aspired && one.state == State::kNew &&
        (!highest || one.id.version > highest->version))
      highest = one.id;
  return highest;
}

optional<ServableId> AspiredVersionPolicy::GetLowestReadyNotAspiredServableId(
    const Snapshots& all_versions) {
  optional<ServableId> lowest;
  for (const AspiredServableStateSnapshot& one : all_versions)
    if (!one.is_aspired && one.state == State::kReady &&
        (!lowest || one.id.version < lowest->version))
      lowest = one.id;
  return lowest;
}

optional<ServableAction> AvailabilityPreservingPolicy::GetNextAction(
    const Snapshots& all_versions) const {
  return next(rill::serve::TransitionPolicy::kAvailabilityPreserving, all_versions);
}
optional<ServableAction> ResourcePreservingPolicy::GetNextAction(
    const Snapshots& all_versions) const {
  return next(rill::serve::TransitionPolicy::kResourcePreserving, all_versions);
}

}  // namespace serving
}  // namespace tensorflow
