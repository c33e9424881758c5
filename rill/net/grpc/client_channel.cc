#include "rill/net/grpc/client_channel.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "rill/net/grpc/client_connection.h"
#include "rill/net/grpc/client_host.h"
#include "rill/net/socket/connect.h"

namespace rill::net {
namespace {

constexpr int kConnectMillis = 20'000;
constexpr int kMostRefusals = 5;
constexpr std::chrono::milliseconds kFirstPause{100}, kLongestPause{1000};

void deliver(const ClientChannel::Calls& calls) {
  for (const auto& call : calls) {
    client_host().forget_deadline(*call);
    call->deliver();
  }
}

}  // namespace

ClientChannel::ClientChannel(std::string address, std::shared_ptr<const ClientSecurity> security)
    : address_(std::move(address)), security_(std::move(security)) {}

ClientChannel::~ClientChannel() {
  if (connection_ != nullptr) connection_->leave();
}

void ClientChannel::start(const std::shared_ptr<ClientCall>& call) {
  client_host().add_deadline(call);
  Calls ended;
  {
    const std::lock_guard lock(mutex_);
    if (const auto connection = connection_) {
      connection->start(call, &ended);
    } else if (is_connecting_ && !last_failure_.empty() && call->request().fail_fast) {
      if (call->end(Code::kUnavailable, last_failure_)) ended.push_back(call);
    } else {
      call->is_waiting = true;
      waiting_.push_back(call);
      connect();
    }
  }
  deliver(ended);
}

void ClientChannel::give_up(const std::shared_ptr<ClientCall>& call, Code code, const char* why) {
  Calls ended;
  {
    const std::lock_guard lock(mutex_);
    if (!call->end(code, why)) return;
    ended.push_back(call);
    if (std::exchange(call->is_waiting, false)) {
      waiting_.remove(call);
    } else if (const auto connection = call->connection.lock()) {
      connection->reset(*call, &ended);
    }
  }
  deliver(ended);
}

void ClientChannel::forget(const ClientConnection& connection) {
  if (connection_.get() == &connection) connection_ = nullptr;
}

bool ClientChannel::try_again(const std::shared_ptr<ClientCall>& call) {
  if (++call->refusals > kMostRefusals) return false;
  call->stream = 0;
  call->sent = 0;
  call->is_waiting = true;
  waiting_.push_back(call);
  connect();
  return true;
}

// Names may take long to be resolved, so a thread of its own does it.
void ClientChannel::connect() {
  if (std::exchange(is_connecting_, true)) return;
  std::thread([self = shared_from_this()] { make_connection(self); }).detach();
}

void ClientChannel::make_connection(const std::shared_ptr<ClientChannel>& self) {
  for (auto pause = kFirstPause;; pause = std::min(2 * pause, kLongestPause)) {
    std::string why;
    std::shared_ptr<ClientConnection> made;
    try {
      made = ClientConnection::make(self, kConnectMillis, &why);
    } catch (...) {
      why = current_error().message();
    }
    const bool is_there = made != nullptr;
    deliver(is_there ? self->take_connection(made) : self->fail_waiting(why));
    if (is_there) return;
    {
      const std::lock_guard lock(self->mutex_);
      if (self->waiting_.empty()) {
        self->is_connecting_ = false;
        self->last_failure_.clear();
        return;
      }
    }
    std::this_thread::sleep_for(pause);
  }
}

ClientChannel::Calls ClientChannel::take_connection(const std::shared_ptr<ClientConnection>& made) {
  Calls ended;
  const std::lock_guard lock(mutex_);
  is_connecting_ = false;
  last_failure_.clear();
  connection_ = made;
  const auto waiting = std::exchange(waiting_, {});
  for (const auto& call : waiting) call->is_waiting = false;
  made->begin(waiting, &ended);
  return ended;
}

ClientChannel::Calls ClientChannel::fail_waiting(const std::string& why) {
  Calls ended;
  const std::lock_guard lock(mutex_);
  last_failure_ = str_cat("failed to connect to all addresses; last error: ", why);
  std::erase_if(waiting_, [&](const std::shared_ptr<ClientCall>& call) {
    if (!call->request().fail_fast) return false;
    call->is_waiting = false;
    if (call->end(Code::kUnavailable, last_failure_)) ended.push_back(call);
    return true;
  });
  return ended;
}

}  // namespace rill::net
