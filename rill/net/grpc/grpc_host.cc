#include "rill/net/grpc/grpc_host.h"

#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "rill/base/clock.h"
#include "rill/net/grpc/channelz.h"
#include "rill/net/grpc/grpc_call.h"
#include "rill/net/grpc/reflection.h"
#include "rill/net/long_work.h"

namespace rill::net {
namespace {

constexpr std::int64_t kLongNanos = 200'000;  // for which answers may wait for others

// Connections with answers that a thread has made and not sent yet.
class Gatherer {
 public:
  explicit Gatherer(GrpcHost& host) : host_(host), hooks_(long_work_hooks()) {
    long_work_hooks().send = [](void* self) {
      auto& gatherer = *static_cast<Gatherer*>(self);
      gatherer.send();
      if (gatherer.host_.has_queued()) gatherer.host_.wake();
    };
    long_work_hooks().sender = this;
    current() = this;
  }
  ~Gatherer() {
    current() = nullptr;
    long_work_hooks() = hooks_;
    send();
  }
  static Gatherer*& current() {
    thread_local Gatherer* gatherer = nullptr;
    return gatherer;
  }
  const GrpcHost& host() const { return host_; }
  void add(std::shared_ptr<GrpcConnection> connection) {
    if (std::ranges::find(connections_, connection) == connections_.end())
      connections_.push_back(std::move(connection));
  }
  void send() {
    began_ = monotonic_nanos();
    for (const auto& connection : std::exchange(connections_, {})) connection->send();
  }
  bool is_late() const { return monotonic_nanos() - began_ > kLongNanos; }

 private:
  GrpcHost& host_;
  const LongWorkHooks hooks_;
  std::vector<std::shared_ptr<GrpcConnection>> connections_;
  std::int64_t began_ = monotonic_nanos();
};

// Health checks, as calls of one message and as streams, and reflection.
void add_health(const Health& health, RpcMethods* methods) {
  (*methods)["/grpc.health.v1.Health/Check"] = [&health](const std::shared_ptr<RpcCall>& call) {
    answer_check(health, *call);
  };
}

}  // namespace

GrpcHost::GrpcHost(RpcMethods given_methods, RpcStreams given_streams,
                   std::shared_ptr<const Authorizer> who_may)
    : health(given_methods, given_streams),
      methods(std::move(given_methods)),
      streams(std::move(given_streams)),
      authorizer(std::move(who_may)) {
  methods.merge(channelz(*this));
  for (auto& [name, conversation] : reflection(methods, streams))
    streams[name] = stream_of(conversation);
  add_health(health, &methods);
  streams["/grpc.health.v1.Health/Watch"] = health.watching();
}

GrpcHost::~GrpcHost() {
  if (epoll >= 0) ::close(epoll);
  if (wakes >= 0) ::close(wakes);
}

void GrpcHost::enqueue(std::shared_ptr<GrpcCall> call) {
  {
    const std::lock_guard lock(queue_mutex_);
    queue_.push_back(std::move(call));
    queued_ = queue_.size();
  }
  if (Gatherer::current() == nullptr || LongWork::is_here()) wake();
}

std::shared_ptr<GrpcCall> GrpcHost::dequeue() {
  if (queued_ == 0) return nullptr;
  const std::lock_guard lock(queue_mutex_);
  if (queue_.empty()) return nullptr;
  auto call = std::move(queue_.front());
  queue_.pop_front();
  queued_ = queue_.size();
  return call;
}

void GrpcHost::wake() {
  const std::uint64_t one = 1;
  (void)!::write(wakes, &one, sizeof one);
}

void GrpcHost::run_queued(const std::function<void()>& first) {
  Gatherer gatherer(*this);
  if (first) first();
  while (const auto call = dequeue()) {
    call->work();
    if (!gatherer.is_late()) continue;
    gatherer.send();
    if (has_queued()) wake();
  }
}

bool GrpcHost::gather(const std::shared_ptr<GrpcConnection>& connection) {
  Gatherer* const gatherer = Gatherer::current();
  if (gatherer == nullptr || &gatherer->host() != this || LongWork::is_here()) return false;
  gatherer->add(connection);
  return true;
}

// Conversations: each message is answered before the next is read.
RpcStreamMethod stream_of(RpcConversation conversation) {
  return [conversation = std::move(conversation)](const std::shared_ptr<RpcStream>& stream) {
    stream->read();
    return RpcStreamEvents{.on_message =
                               [conversation, stream](const std::string& message) {
                                 stream->write(conversation(message));
                                 stream->read();
                               },
                           .on_end = [stream] { stream->finish(); },
                           .on_over = {}};
  };
}

}  // namespace rill::net
