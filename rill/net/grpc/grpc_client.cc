#include "rill/net/grpc/grpc_client.h"

#include <grpcpp/channel.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <mutex>

#include "rill/net/grpc/byte_buffers.h"

namespace rill::net {
namespace {

constexpr std::size_t kChannelsKept = 64;
constexpr std::int64_t kLongestTimeout = std::int64_t{1000} * 3600 * 24 * 365;

// One channel to each address, the latest first. gRPC shares connections between calls of a
// channel.
std::shared_ptr<grpc::Channel> channel_to(const std::string& address) {
  static std::mutex mutex;
  static auto& kept = *new std::list<std::pair<std::string, std::shared_ptr<grpc::Channel>>>;
  const std::lock_guard lock(mutex);
  const auto found = std::ranges::find(
      kept, address, &std::pair<std::string, std::shared_ptr<grpc::Channel>>::first);
  if (found != kept.end()) {
    kept.splice(kept.begin(), kept, found);
    return kept.front().second;
  }
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  kept.emplace_front(
      address, grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
  if (kept.size() > kChannelsKept) kept.pop_back();
  return kept.front().second;
}

// gRPC takes these into headers, where nothing else may stand.
void require_printable(const std::string& text, const char* what) {
  require(!text.empty(), what, " must not be empty");
  for (const char letter : text)
    require(letter > ' ' && letter <= '~', what, " must be printable ASCII without spaces, is ",
            rill::quoted(text));
}

class ClientCall final : public PendingCall, public std::enable_shared_from_this<ClientCall> {
 public:
  ClientCall(const RpcRequest& request, std::function<void(RpcResult)> finished)
      : channel_(channel_to(request.address)),
        request_(buffer_of(request.body)),
        read_(request.read),
        finished_(std::move(finished)) {
    context_.set_wait_for_ready(!request.fail_fast);
    if (request.timeout_ms > 0)
      context_.set_deadline(
          std::chrono::system_clock::now() +
          std::chrono::milliseconds(std::min(request.timeout_ms, kLongestTimeout)));
  }

  void start(const std::string& method) {
    grpc::GenericStub stub(channel_);
    stub.UnaryCall(&context_, method, grpc::StubOptions(), &request_, &response_,
                   [self = shared_from_this()](grpc::Status status) { self->finish(status); });
  }
  void cancel() override { context_.TryCancel(); }

 private:
  void finish(const grpc::Status& status) {
    RpcResult result{static_cast<Code>(status.error_code()), status.error_message(), {}};
    if (status.ok() && read_) {
      read_answer(result);
    } else if (status.ok()) {
      result.body = bytes_of(response_);
    }
    const auto finished = std::move(finished_);
    finished(std::move(result));
  }

  void read_answer(RpcResult& result) {
    try {
      grpc::ProtoBufferReader bytes(&response_);
      if (read_(bytes)) return;
      result = {Code::kInternal, "The answer is not what it should be", {}};
    } catch (const Error& error) {
      result = {error.code(), error.message(), {}};
    }
  }

  const std::shared_ptr<grpc::Channel> channel_;
  grpc::ClientContext context_;
  grpc::ByteBuffer request_, response_;
  const std::function<bool(google::protobuf::io::ZeroCopyInputStream&)> read_;
  std::function<void(RpcResult)> finished_;
};

}  // namespace

std::shared_ptr<PendingCall> start_rpc(const RpcRequest& request,
                                       std::function<void(RpcResult)> finished) {
  require_printable(request.address, "address");
  require_printable(request.method, "method");
  const auto call = std::make_shared<ClientCall>(request, std::move(finished));
  call->start(request.method);
  return call;
}

}  // namespace rill::net
