#include "rill/net/grpc/grpc_client_stream.h"

#include <grpcpp/channel.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "rill/base/error.h"
#include "rill/net/grpc/byte_buffers.h"

namespace rill::net {
namespace {

using std::chrono::milliseconds;

// What the completion queue tells of: each has one at a time under way.
enum class Step : std::intptr_t { kStart = 1, kRead, kWrite, kWritesDone, kFinish };
void* tag(Step step) { return reinterpret_cast<void*>(step); }

std::shared_ptr<grpc::Channel> connected(const std::string& address, std::int64_t timeout_ms) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  auto channel = grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
  if (!channel->WaitForConnected(std::chrono::system_clock::now() + milliseconds(timeout_ms)))
    raise(Code::kUnavailable, "nobody answers at ", address, " (waited ", timeout_ms, " ms)");
  return channel;
}

class ClientStream final : public RpcClientStream {
 public:
  ClientStream(std::shared_ptr<grpc::Channel> channel, const std::string& method,
               std::function<void(std::string)> on_message)
      : channel_(std::move(channel)), on_message_(std::move(on_message)) {
    call_ = grpc::GenericStub(channel_).PrepareCall(&context_, method, &queue_);
    call_->StartCall(tag(Step::kStart));
    thread_ = std::thread([this] { serve(); });
  }

  ~ClientStream() override {
    context_.TryCancel();
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_over_; });
    }
    queue_.Shutdown();
    thread_.join();
  }

  bool write(const std::string& message) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_over_ || (has_started_ && !is_writing_); });
    if (is_over_) return false;
    is_writing_ = true;
    call_->Write(buffer_of(message), tag(Step::kWrite));
    changed_.wait(lock, [&] { return is_over_ || !is_writing_; });
    return !is_over_;
  }

  void finish(std::int64_t timeout_ms) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_over_ || (has_started_ && !is_writing_); });
    if (is_over_) return;
    is_writing_ = true;
    call_->WritesDone(tag(Step::kWritesDone));
    changed_.wait_for(lock, milliseconds(timeout_ms), [&] { return is_over_; });
  }

 private:
  void serve() {
    void* what = nullptr;
    for (bool ok = false; queue_.Next(&what, &ok);)
      took(static_cast<Step>(reinterpret_cast<std::intptr_t>(what)), ok);
  }

  void took(Step step, bool ok) {
    if (step == Step::kRead && ok) on_message_(bytes_of(received_));
    const std::lock_guard lock(mutex_);
    switch (step) {
      case Step::kStart:
        has_started_ = true;
        if (ok) call_->Read(&received_, tag(Step::kRead));
        break;
      case Step::kRead:
        if (ok) call_->Read(&received_, tag(Step::kRead));
        break;
      case Step::kWrite:
      case Step::kWritesDone:
        is_writing_ = false;
        break;
      case Step::kFinish:
        is_over_ = true;
        break;
    }
    const bool ends = !ok && step != Step::kFinish && !is_ending_;
    if (ends) {
      is_ending_ = true;
      call_->Finish(&status_, tag(Step::kFinish));
    }
    changed_.notify_all();
  }

  const std::shared_ptr<grpc::Channel> channel_;
  const std::function<void(std::string)> on_message_;
  grpc::ClientContext context_;
  grpc::CompletionQueue queue_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;
  grpc::ByteBuffer received_;
  grpc::Status status_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_started_ = false, is_writing_ = false, is_ending_ = false, is_over_ = false;
};

}  // namespace

std::unique_ptr<RpcClientStream> open_rpc_stream(const std::string& address,
                                                 const std::string& method, std::int64_t timeout_ms,
                                                 std::function<void(std::string)> on_message) {
  require(!address.empty() && address.find(' ') == std::string::npos, "\"", address,
          "\" is no address, HOST:PORT");
  return std::make_unique<ClientStream>(connected(address, timeout_ms), method,
                                        std::move(on_message));
}

}  // namespace rill::net
