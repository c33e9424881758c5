#include "rill/net/grpc/grpc_client.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <list>
#include <mutex>

#include "rill/net/grpc/client_channel.h"

namespace rill::net {
namespace {

constexpr std::size_t kChannelsKept = 1024;

struct KeptChannel {
  std::string address;
  std::shared_ptr<const ClientSecurity> security;
  std::shared_ptr<ClientChannel> channel;
};

struct KeptChannels {
  std::mutex mutex;
  std::list<KeptChannel> list;  // the latest first
};

// Of this process: a fork begins with none.
KeptChannels& kept_channels() {
  static std::mutex mutex;
  static std::atomic<KeptChannels*> kept = nullptr;
  if (KeptChannels* const there = kept.load(std::memory_order_acquire)) return *there;
  const std::lock_guard lock(mutex);
  if (kept.load() == nullptr) {
    static const int is_told = ::pthread_atfork(nullptr, nullptr, [] { kept = nullptr; });
    (void)is_told;
    kept.store(new KeptChannels, std::memory_order_release);
  }
  return *kept;
}

// One to each address. Calls of a channel share a connection.
std::shared_ptr<ClientChannel> channel_to(const RpcRequest& request) {
  KeptChannels& kept = kept_channels();
  std::shared_ptr<ClientChannel> gone;  // ends without the lock
  const std::lock_guard lock(kept.mutex);
  const auto found = std::ranges::find_if(kept.list, [&](const KeptChannel& channel) {
    return channel.address == request.address && channel.security == request.security;
  });
  if (found != kept.list.end()) {
    kept.list.splice(kept.list.begin(), kept.list, found);
  } else {
    kept.list.push_front({request.address, request.security,
                          std::make_shared<ClientChannel>(request.address, request.security)});
    if (kept.list.size() > kChannelsKept) {
      gone = std::move(kept.list.back().channel);
      kept.list.pop_back();
    }
  }
  return kept.list.front().channel;
}

// These go into headers, where nothing else may stand.
void require_printable(const std::string& text, const char* what) {
  require(!text.empty(), what, " must not be empty");
  for (const char letter : text)
    require(letter > ' ' && letter <= '~', what, " must be printable ASCII without spaces, is ",
            rill::quoted(text));
}

}  // namespace

std::shared_ptr<PendingCall> start_rpc(RpcRequest request,
                                       std::function<void(RpcResult)> finished) {
  require_printable(request.address, "address");
  require_printable(request.method, "method");
  const auto channel = channel_to(request);
  const auto call = std::make_shared<ClientCall>(channel, std::move(request), std::move(finished));
  channel->start(call);
  return call;
}

}  // namespace rill::net
