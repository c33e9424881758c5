#ifndef TENSORFLOW_SERVING_CORE_SERVABLE_STATE_MONITOR_H_
#define TENSORFLOW_SERVING_CORE_SERVABLE_STATE_MONITOR_H_

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tensorflow_serving/core/manager.h"
#include "tensorflow_serving/core/servable_state.h"
#include "tensorflow_serving/util/event_bus.h"
#include "tensorflow_serving/util/optional.h"

namespace tensorflow {
namespace serving {

// Keeps what an event bus tells of versions.
class ServableStateMonitor {
 public:
  struct ServableStateAndTime {
    ServableState state;
    uint64 event_time_micros;
    string DebugString() const {
      return "state: {" + state.DebugString() +
             "}, event_time_micros: " + std::to_string(event_time_micros);
    }
  };
  // The highest version first.
  typedef std::map<int64, ServableStateAndTime, std::greater<int64>> VersionMap;
  typedef std::map<string, VersionMap> ServableMap;

  explicit ServableStateMonitor(EventBus<ServableState>* bus);
  virtual ~ServableStateMonitor();

  optional<ServableState> GetState(const ServableId& id) const;
  optional<ServableStateAndTime> GetStateAndTime(const ServableId& id) const;
  VersionMap GetVersionStates(const string& servable_name) const;
  ServableMap GetAllServableStates() const;
  ServableMap GetLiveServableStates() const;  // without those at their end

  // Waits until each has reached `goal` or its end; a request for the latest version means any.
  // True when all have reached it.
  bool WaitUntilServablesReachState(const std::vector<ServableRequest>& servables,
                                    ServableState::ManagerState goal,
                                    std::map<ServableId, ServableState::ManagerState>* reached);

 private:
  void Hear(const EventBus<ServableState>::EventAndTime& told);
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  ServableMap states_;
  std::unique_ptr<EventBus<ServableState>::Subscription> subscription_;  // ends first
  TF_DISALLOW_COPY_AND_ASSIGN(ServableStateMonitor);
};

}  // namespace serving
}  // namespace tensorflow

#endif
