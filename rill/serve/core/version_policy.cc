#include "rill/serve/core/version_policy.h"

#include <algorithm>

namespace rill::serve {
namespace {

using Versions = std::span<const VersionFacts>;

std::optional<Action> load_highest(Versions versions) {
  std::optional<Action> action;
  for (const VersionFacts& facts : versions)
    if (facts.is_aspired && facts.is_new && (!action || facts.version > action->version))
      action = Action{Action::Kind::kLoad, facts.version};
  return action;
}

std::optional<Action> unload_lowest(Versions versions) {
  std::optional<Action> action;
  for (const VersionFacts& facts : versions)
    if (!facts.is_aspired && facts.is_ready && (!action || facts.version < action->version))
      action = Action{Action::Kind::kUnload, facts.version};
  return action;
}

std::optional<Action> preserve_availability(Versions versions) {
  const bool any_aspired = std::ranges::any_of(versions, &VersionFacts::is_aspired);
  const bool aspired_serves = std::ranges::any_of(
      versions, [](const VersionFacts& facts) { return facts.is_aspired && facts.is_ready; });
  const auto others_serve = std::ranges::count_if(
      versions, [](const VersionFacts& facts) { return !facts.is_aspired && facts.is_ready; });
  if (!any_aspired || aspired_serves || others_serve > 1)
    if (const auto unload = unload_lowest(versions)) return unload;
  return load_highest(versions);
}

std::optional<Action> preserve_resources(Versions versions) {
  if (const auto unload = unload_lowest(versions)) return unload;
  const bool going = std::ranges::any_of(
      versions, [](const VersionFacts& facts) { return !facts.is_aspired && !facts.is_done; });
  return going ? std::nullopt : load_highest(versions);
}

}  // namespace

std::optional<Action> next_action(TransitionPolicy policy, Versions versions) {
  return policy == TransitionPolicy::kAvailabilityPreserving ? preserve_availability(versions)
                                                             : preserve_resources(versions);
}

}  // namespace rill::serve
