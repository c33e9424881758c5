#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace rill::serve {

// What a policy may ask of a version.
struct VersionFacts {
  std::int64_t version = 0;
  std::string name;  // of the servable
  bool is_aspired = false;
  bool is_new = false;    // nothing was done with it yet
  bool is_ready = false;  // serves
  bool is_done = false;   // unloaded, or failed
  bool is_failed = false;
  bool is_loading = false;  // or waits to be tried again
};

struct Action {
  enum class Kind { kLoad, kUnload };
  Kind kind;
  std::int64_t version;
  friend bool operator==(const Action&, const Action&) = default;
};

// How a model goes from some versions to others: one action at a time, of those that it has.
enum class TransitionPolicy {
  // At least one version serves at every moment, so that two are in memory for a while.
  kAvailabilityPreserving,
  // What is to go goes first: less memory, and a gap.
  kResourcePreserving,
};

// A policy of one's own. It may load versions that are new and unload those that are ready.
using NextAction = std::function<std::optional<Action>(std::span<const VersionFacts> versions)>;

// What to do next; nothing when there is nothing, or when something must end first.
std::optional<Action> next_action(TransitionPolicy policy, std::span<const VersionFacts> versions);

}  // namespace rill::serve
