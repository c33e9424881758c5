#ifndef TENSORFLOW_SERVING_CORE_ASPIRED_VERSION_POLICY_H_
#define TENSORFLOW_SERVING_CORE_ASPIRED_VERSION_POLICY_H_

#include <vector>

#include "tensorflow_serving/core/loader_harness.h"
#include "tensorflow_serving/core/servable_id.h"
#include "tensorflow_serving/util/optional.h"

namespace tensorflow {
namespace serving {

struct AspiredServableStateSnapshot final {
  ServableId id;
  LoaderHarness::State state;
  bool is_aspired;
};

// Decides what is done next with the versions of one servable.
class AspiredVersionPolicy {
 public:
  enum class Action : int { kLoad, kUnload };
  struct ServableAction final {
    Action action;
    ServableId id;
  };
  virtual ~AspiredVersionPolicy() = default;
  // Only versions that are kNew may be loaded, and kReady unloaded.
  virtual optional<ServableAction> GetNextAction(
      const std::vector<AspiredServableStateSnapshot>& all_versions) const = 0;

 protected:
  static optional<ServableId> GetHighestAspiredNewServableId(
      const std::vector<AspiredServableStateSnapshot>& all_versions);
  static optional<ServableId> GetLowestReadyNotAspiredServableId(
      const std::vector<AspiredServableStateSnapshot>& all_versions);
};

inline bool operator==(const AspiredVersionPolicy::ServableAction& a,
                       const AspiredVersionPolicy::ServableAction& b) {
  return a.action == b.action && a.id == b.id;
}

}  // namespace serving
}  // namespace tensorflow

#endif
