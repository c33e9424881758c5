#include "tensorflow_serving/core/servable_state_monitor.h"

namespace tensorflow {
namespace serving {
namespace {

using ManagerState = ServableState::ManagerState;

// The version that decides about a request: the one that it names, or of any the one that is
// furthest on its way to `goal`. nullptr while nothing is decided.
const ServableState* decided(const ServableStateMonitor::ServableMap& states,
                             const ServableRequest& request, ManagerState goal) {
  const auto servable = states.find(request.name);
  if (servable == states.end()) return nullptr;
  const ServableState* ended = nullptr;
  for (const auto& [version, known] : servable->second) {
    if (request.version && *request.version != version) continue;
    const ManagerState state = known.state.manager_state;
    if (state == goal) return &known.state;
    if (state != ManagerState::kEnd) return nullptr;
    if (ended == nullptr) ended = &known.state;
  }
  return ended;
}

}  // namespace

ServableStateMonitor::ServableStateMonitor(EventBus<ServableState>* bus)
    : subscription_(bus->Subscribe(
          [this](const EventBus<ServableState>::EventAndTime& told) { Hear(told); })) {}

ServableStateMonitor::~ServableStateMonitor() = default;

void ServableStateMonitor::Hear(const EventBus<ServableState>::EventAndTime& told) {
  const std::lock_guard<std::mutex> lock(mutex_);
  states_[told.event.id.name][told.event.id.version] = {told.event, told.event_time_micros};
  changed_.notify_all();
}

optional<ServableStateMonitor::ServableStateAndTime> ServableStateMonitor::GetStateAndTime(
    const ServableId& id) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto servable = states_.find(id.name);
  if (servable == states_.end()) return nullopt;
  const auto version = servable->second.find(id.version);
  if (version == servable->second.end()) return nullopt;
  return version->second;
}

optional<ServableState> ServableStateMonitor::GetState(const ServableId& id) const {
  const auto known = GetStateAndTime(id);
  if (!known) return nullopt;
  return known->state;
}

ServableStateMonitor::VersionMap ServableStateMonitor::GetVersionStates(
    const string& servable_name) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto servable = states_.find(servable_name);
  return servable == states_.end() ? VersionMap() : servable->second;
}

ServableStateMonitor::ServableMap ServableStateMonitor::GetAllServableStates() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return states_;
}

ServableStateMonitor::ServableMap ServableStateMonitor::GetLiveServableStates() const {
  ServableMap live;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [name, versions] : states_)
    for (const auto& [version, known] : versions)
      if (known.state.manager_state != ManagerState::kEnd) live[name][version] = known;
  return live;
}

bool ServableStateMonitor::WaitUntilServablesReachState(
    const std::vector<ServableRequest>& servables, ManagerState goal,
    std::map<ServableId, ManagerState>* reached) {
  std::unique_lock<std::mutex> lock(mutex_);
  std::map<ServableId, ManagerState> states;
  changed_.wait(lock, [&] {
    states.clear();
    for (const ServableRequest& request : servables) {
      const ServableState* state = decided(states_, request, goal);
      if (state == nullptr) return false;
      states[state->id] = state->manager_state;
    }
    return true;
  });
  if (reached != nullptr) *reached = states;
  for (const auto& [id, state] : states)
    if (state != goal) return false;
  return true;
}

}  // namespace serving
}  // namespace tensorflow
