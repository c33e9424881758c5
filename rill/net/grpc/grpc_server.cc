#include "rill/net/grpc/grpc_server.h"

#include <absl/synchronization/mutex.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <thread>

#include "rill/base/error.h"
#include "rill/net/grpc/grpc_call.h"
#include "rill/net/grpc/grpc_credentials.h"
#include "rill/net/socket/client_sockets.h"
#include "rill/net/socket/poller_pool.h"

namespace rill::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kAwaited = 16;         // calls of each method that have been made ready
constexpr int kFarewellMillis = 50;  // for clients to hear that they are refused

void add_arguments(const GrpcServerOptions& options, grpc::ServerBuilder& builder) {
  for (const auto& [name, text] : options.channel_arguments) {
    long long number = 0;
    if (parse_int(text, &number) && number >= std::numeric_limits<int>::min() &&
        number <= std::numeric_limits<int>::max())
      builder.AddChannelArgument(name, static_cast<int>(number));
    else
      builder.AddChannelArgument(name, text);
  }
}

int max_bytes(std::int64_t wanted) {
  constexpr std::int64_t kMax = std::numeric_limits<int>::max();
  return static_cast<int>(wanted > 0 ? std::min(wanted, kMax) : kMax);
}

}  // namespace

struct GrpcServer::Impl {
  Impl(RpcMethods given, const GrpcServerOptions& options)
      : host(std::move(given), options.authorizer) {
    // It costs some of every call, and gRPC does not need it.
    absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
    grpc::EnableDefaultHealthCheckService(false);  // there is one of our own
    grpc::ServerBuilder builder;
    credentials = grpc_credentials(options.tls);
    ports.resize(options.addresses.size());
    for (std::size_t i = 0; i < options.addresses.size(); ++i) {
      const std::string& address = options.addresses[i];
      builder.AddListeningPort(address, credentials, &ports[i]);
      if (address.starts_with("unix:")) paths.push_back(address.substr(5));
    }
    builder.SetMaxReceiveMessageSize(max_bytes(options.max_request_bytes));
    builder.SetMaxSendMessageSize(std::numeric_limits<int>::max());
    add_arguments(options, builder);
    builder.RegisterService(&host.unary);
    builder.RegisterAsyncGenericService(&host.other);
    host.queue = builder.AddCompletionQueue();
    server = builder.BuildAndStart();
    if (server == nullptr) {
      close_queue();
      raise(Code::kUnavailable, "Cannot listen at ", join(options.addresses, ", "));
    }
    for (int i = 0; i < kAwaited; ++i) {
      for (std::size_t method = 0; method < host.unary.size(); ++method) await_unary(host, method);
      await_other(host);
    }
    pool.emplace(options.threads, [this](PollerPool::Turn& turn) { return poll(turn); });
  }

  bool poll(PollerPool::Turn& turn) {
    void* tag = nullptr;
    bool ok = false;
    if (!host.queue->Next(&tag, &ok)) return false;
    turn.begin();
    // What happens then may set the next event, or end the call that has this one.
    const GrpcEvent event = *static_cast<GrpcEvent*>(tag);
    event.ended(event.call, ok);
    turn.end();
    return true;
  }

  void close_queue() {
    host.queue->Shutdown();
    void* tag = nullptr;
    for (bool ok = false; host.queue->Next(&tag, &ok);) {
    }
  }

  GrpcHost host;
  std::shared_ptr<grpc::ServerCredentials> credentials;  // are asked for every connection
  std::unique_ptr<grpc::Server> server;
  std::vector<int> ports;
  std::vector<std::string> paths;  // of sockets of files
  std::optional<PollerPool> pool;
};

GrpcServer::GrpcServer(RpcMethods methods, const GrpcServerOptions& options)
    : impl_(std::make_unique<Impl>(std::move(methods), options)) {}

GrpcServer::~GrpcServer() { shut_down(0); }

const std::vector<int>& GrpcServer::ports() const { return impl_->ports; }
void GrpcServer::set_serving(bool serving) { impl_->host.health.set_serving(serving); }

void GrpcServer::shut_down(std::int64_t grace_millis) {
  if (!impl_->pool) return;
  GrpcHost& host = impl_->host;
  const auto end = steady_clock::now() + milliseconds(grace_millis);
  const auto wait_while = [&](const auto& goes_on, steady_clock::time_point until) {
    while (goes_on() && steady_clock::now() < until) std::this_thread::sleep_for(milliseconds(1));
  };
  host.is_draining = true;
  wait_while([&] { return host.working > 0; }, end);
  if (grace_millis > 0)
    wait_while([&] { return host.alive > 0; },
               std::min(end, steady_clock::now() + milliseconds(kFarewellMillis)));
  // gRPC cancels calls that it has not handed out when it is told to stop, which clients take for
  // an answer. Those whose connection has ended try elsewhere.
  cut_clients_of(impl_->ports, impl_->paths);
  impl_->server->Shutdown(std::chrono::system_clock::now());
  impl_->server->Wait();
  // Steps that go on must find the queue when they answer, although nobody listens.
  while (host.alive > 0) std::this_thread::sleep_for(milliseconds(1));
  host.queue->Shutdown();
  impl_->pool.reset();
}

}  // namespace rill::net
