#ifndef TENSORFLOW_SERVING_CORE_AVAILABILITY_PRESERVING_POLICY_H_
#define TENSORFLOW_SERVING_CORE_AVAILABILITY_PRESERVING_POLICY_H_

#include <vector>

#include "tensorflow_serving/core/aspired_version_policy.h"

namespace tensorflow {
namespace serving {

// At least one version serves at every moment, so that two are in memory for a while.
class AvailabilityPreservingPolicy final : public AspiredVersionPolicy {
 public:
  optional<ServableAction> GetNextAction(
      const std::vector<AspiredServableStateSnapshot>& all_versions) const override;
};

}  // namespace serving
}  // namespace tensorflow

#endif
