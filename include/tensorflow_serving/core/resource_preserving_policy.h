#ifndef TENSORFLOW_SERVING_CORE_RESOURCE_PRESERVING_POLICY_H_
#define TENSORFLOW_SERVING_CORE_RESOURCE_PRESERVING_POLICY_H_

#include <vector>

#include "tensorflow_serving/core/aspired_version_policy.h"

namespace tensorflow {
namespace serving {

// What is to go goes first: less memory, and a moment without any version.
class ResourcePreservingPolicy final : public AspiredVersionPolicy {
 public:
  optional<ServableAction> GetNextAction(
      const std::vector<AspiredServableStateSnapshot>& all_versions) const override;
};

}  // namespace serving
}  // namespace tensorflow

#endif
