#include "rill/runtime/step/local_rendezvous.h"

namespace rill {

void LocalRendezvous::send(const std::string& key, Tensor value, bool is_dead) {
  Receive done;
  {
    const std::lock_guard lock(mutex_);
    if (error_) return;  // the step is over
    Meeting& meeting = meetings_[key];
    if (meeting.receivers.empty()) {
      meeting.values.push_back({std::move(value), is_dead});
      return;
    }
    done = std::move(meeting.receivers.front());
    meeting.receivers.pop_front();
    if (meeting.receivers.empty()) meetings_.erase(key);
  }
  done(nullptr, std::move(value), is_dead);
}

void LocalRendezvous::receive(const std::string& key, Receive done) {
  Sent sent;
  std::exception_ptr error;
  {
    const std::lock_guard lock(mutex_);
    error = error_;
    if (!error) {
      Meeting& meeting = meetings_[key];
      if (meeting.values.empty()) {
        meeting.receivers.push_back(std::move(done));
        return;
      }
      sent = std::move(meeting.values.front());
      meeting.values.pop_front();
      if (meeting.values.empty()) meetings_.erase(key);
    }
  }
  done(error, std::move(sent.value), sent.is_dead);
}

void LocalRendezvous::abort(std::exception_ptr error) {
  std::unordered_map<std::string, Meeting> waiting;
  {
    const std::lock_guard lock(mutex_);
    if (error_) return;
    error_ = error;
    waiting = std::move(meetings_);
    meetings_.clear();
  }
  for (auto& [key, meeting] : waiting)
    for (Receive& done : meeting.receivers) done(error, Tensor(), false);
}

}  // namespace rill
