#ifndef TENSORFLOW_SERVING_CORE_SERVABLE_STATE_H_
#define TENSORFLOW_SERVING_CORE_SERVABLE_STATE_H_

#include <ostream>
#include <string>

#include "tensorflow/core/lib/core/status.h"
#include "tensorflow_serving/core/servable_id.h"

namespace tensorflow {
namespace serving {

// How far a version is.
struct ServableState {
  enum class ManagerState : int {
    kStart = 10,  // known, nothing done yet
    kLoading = 20,
    kAvailable = 30,  // answers requests
    kUnloading = 40,
    kEnd = 50,  // unloaded, or `health` says why it never came
  };

  ServableId id;
  ManagerState manager_state;
  Status health;

  static string ManagerStateString(ManagerState state) {
    switch (state) {
      case ManagerState::kStart:
        return "Start";
      case ManagerState::kLoading:
        return "Loading";
      case ManagerState::kAvailable:
        return "Available";
      case ManagerState::kUnloading:
        return "Unloading";
      case ManagerState::kEnd:
        return "End";
    }
    return "Unknown";
  }
  string DebugString() const {
    return "id: " + id.DebugString() + " manager_state: " + ManagerStateString(manager_state) +
           " health: " + health.ToString();
  }
};

inline bool operator==(const ServableState& a, const ServableState& b) {
  return a.id == b.id && a.manager_state == b.manager_state && a.health == b.health;
}
inline bool operator!=(const ServableState& a, const ServableState& b) { return !(a == b); }
inline std::ostream& operator<<(std::ostream& out, const ServableState& state) {
  return out << state.DebugString();
}

}  // namespace serving
}  // namespace tensorflow

#endif
