#include "rill/cluster/session_owners.h"

#include <map>
#include <mutex>

#include "rill/base/clock.h"
#include "tensorflow/core/protobuf/master.pb.h"

namespace rill::cluster {
namespace {

constexpr std::int64_t kMinuteNanos = 60'000'000'000;
constexpr std::int64_t kNewNanos = 10 * kMinuteNanos;  // its master may still be opening it
constexpr std::int64_t kSilentNanos = 24 * 60 * kMinuteNanos;
constexpr std::int64_t kPatienceMillis = 10'000;
constexpr int kDenials = 2;

}  // namespace

struct SessionOwners::State {
  struct Session {
    Owner owner;
    std::int64_t made_nanos = 0, heard_nanos = 0;
    int denials = 0;
  };
  std::mutex mutex;
  std::map<std::string, Session> sessions;

  void hear(const std::string& name, const std::optional<Error>& error) {
    const std::lock_guard lock(mutex);
    const auto it = sessions.find(name);
    if (it == sessions.end()) return;
    if (!error) {
      it->second.heard_nanos = monotonic_nanos();
      it->second.denials = 0;
    } else if (error->code() == Code::kAborted) {
      ++it->second.denials;
    }
  }
};

SessionOwners::SessionOwners() : state_(std::make_shared<State>()) {}

std::vector<std::string> SessionOwners::add(const std::string& session, Owner owner) {
  const std::lock_guard lock(state_->mutex);
  std::vector<std::string> left;
  for (const auto& [name, other] : state_->sessions)
    if (other.owner.task == owner.task && other.owner.incarnation != owner.incarnation)
      left.push_back(name);
  const std::int64_t now = monotonic_nanos();
  state_->sessions[session] = {.owner = std::move(owner), .made_nanos = now, .heard_nanos = now};
  return left;
}

void SessionOwners::remove(const std::string& session) {
  const std::lock_guard lock(state_->mutex);
  state_->sessions.erase(session);
}

std::vector<std::string> SessionOwners::ask() {
  std::vector<std::string> unwanted;
  std::map<std::string, std::shared_ptr<Link>> asked;
  {
    const std::lock_guard lock(state_->mutex);
    const std::int64_t now = monotonic_nanos();
    for (const auto& [name, session] : state_->sessions) {
      if (session.owner.link == nullptr || now - session.made_nanos < kNewNanos) continue;
      if (session.denials >= kDenials || now - session.heard_nanos > kSilentNanos)
        unwanted.push_back(name);
      else
        asked.emplace(name, session.owner.link);
    }
  }
  for (const auto& [name, link] : asked) {
    auto request = std::make_shared<tensorflow::ListDevicesRequest>();
    request->set_session_handle(name);
    link->call(
        "/tensorflow.MasterService/ListDevices", request,
        std::make_shared<tensorflow::ListDevicesResponse>(), {.timeout_ms = kPatienceMillis},
        [state = state_, name](const std::optional<Error>& error) { state->hear(name, error); });
  }
  return unwanted;
}

}  // namespace rill::cluster
