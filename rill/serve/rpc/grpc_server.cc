#include "rill/serve/rpc/grpc_server.h"

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/serve/rpc/reflection.h"
#include "rill/serve/token.h"

namespace rill::serve {
namespace {

// What a queue hands back when something has ended.
struct Event {
  std::function<void(bool ok)> ended;
};

constexpr int kQuietMillis = 30;
// A longer text does not fit into the headers that clients accept.
constexpr std::size_t kLongestMessage = 4000;

grpc::Status status_of(const Error& error) {
  return {static_cast<grpc::StatusCode>(error.code()), error.message().substr(0, kLongestMessage)};
}

// What can be asked.
struct Services {
  Services(RpcMethods given, std::string given_token)
      : methods(std::move(given)),
        conversations(reflection(methods)),
        token(std::move(given_token)) {}
  const RpcMethods methods;
  const RpcConversations conversations;
  const std::string token;
};

struct Traffic {
  std::atomic<int> in_flight = 0;
  std::atomic<bool> draining = false;  // what comes now is sent elsewhere
};

// One call, from before it comes until everything about it has ended: the answer is sent, and gRPC
// has said that the call is over. It holds on to itself for so long.
class Call final : public RpcCall, public std::enable_shared_from_this<Call> {
 public:
  Call(grpc::AsyncGenericService& service, grpc::ServerCompletionQueue& queue,
       const Services& services, Traffic& traffic)
      : service_(service), queue_(queue), services_(services), traffic_(traffic) {}
  // Whoever answered may hold on to it for a moment after that.
  ~Call() override {
    if (is_accepted_) --traffic_.in_flight;
  }

  void await() {
    self_ = shared_from_this();
    over_.ended = [this](bool) {
      is_over_ = true;
      end_one();
    };
    next_.ended = [this](bool ok) { accept(ok); };
    context_.AsyncNotifyWhenDone(&over_);
    service_.RequestCall(&context_, &stream_, &queue_, &queue_, &next_);
  }

  google::protobuf::io::ZeroCopyInputStream& request() override { return *reader_; }

  RequestLimits limits() override {
    RequestLimits limits{.deadline_nanos = 0,
                         .is_gone = [call = shared_from_this()] { return call->is_over_.load(); }};
    const auto deadline = context_.deadline();
    if (deadline != std::chrono::system_clock::time_point::max()) {
      const auto left = deadline - std::chrono::system_clock::now();
      limits.deadline_nanos =
          monotonic_nanos() + std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
    }
    return limits;
  }

  void reply(const google::protobuf::MessageLite& message) override {
    const std::size_t size = message.ByteSizeLong();
    if (size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      return fail(Error(Code::kResourceExhausted, "The answer is larger than a message may be"));
    grpc::Slice slice(size);
    message.SerializeWithCachedSizesToArray(const_cast<std::uint8_t*>(slice.begin()));
    response_ = grpc::ByteBuffer(&slice, 1);
    await_end();
    stream_.WriteAndFinish(response_, grpc::WriteOptions(), grpc::Status::OK, &next_);
  }

  void fail(const Error& error) override {
    await_end();
    stream_.Finish(status_of(error), &next_);
  }

 private:
  void accept(bool ok) {
    if (!ok) return self_.reset();  // the server stops; nothing else will come
    ++traffic_.in_flight;
    is_accepted_ = true;
    std::make_shared<Call>(service_, queue_, services_, traffic_)->await();
    next_.ended = [this](bool read) { answer(read); };
    stream_.Read(&bytes_, &next_);
  }

  void answer(bool ok) {
    if (traffic_.draining) return fail(Error(Code::kUnavailable, "The server is shutting down"));
    if (!is_welcome())
      return fail(Error(Code::kUnauthenticated, "The request brings no token that is known here"));
    const auto stream = services_.conversations.find(context_.method());
    if (stream != services_.conversations.end()) return converse(stream->second, ok);
    const auto method = services_.methods.find(context_.method());
    if (!ok) return fail(Error(Code::kInvalidArgument, "The request has no message"));
    if (method == services_.methods.end())
      return fail(Error(Code::kUnimplemented, str_cat("There is no method ", context_.method())));
    reader_.emplace(&bytes_);
    try {
      method->second(shared_from_this());
    } catch (...) {  // methods do not throw but for want of memory
      fail(current_error());
    }
  }

  bool is_welcome() const {
    const auto header = context_.client_metadata().find("authorization");
    return has_token(header == context_.client_metadata().end()
                         ? std::string_view()
                         : std::string_view(header->second.data(), header->second.size()),
                     services_.token);
  }

  // Answers a message of a stream and waits for the next; without one the stream is over.
  void converse(const RpcConversation& answer_of, bool ok) {
    if (!ok) {
      await_end();
      return stream_.Finish(grpc::Status::OK, &next_);
    }
    std::vector<grpc::Slice> slices;
    std::string message;
    (void)bytes_.Dump(&slices);
    for (const grpc::Slice& slice : slices)
      message.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
    try {
      const grpc::Slice slice(answer_of(message));
      response_ = grpc::ByteBuffer(&slice, 1);
    } catch (...) {
      return fail(current_error());
    }
    next_.ended = [this](bool written) {
      if (!written) return answer(false);
      next_.ended = [this](bool read) { answer(read); };
      stream_.Read(&bytes_, &next_);
    };
    stream_.Write(response_, &next_);
  }

  void await_end() {
    next_.ended = [this](bool) { end_one(); };
  }
  void end_one() {
    if (--to_end_ == 0) self_.reset();
  }

  grpc::AsyncGenericService& service_;
  grpc::ServerCompletionQueue& queue_;
  const Services& services_;
  Traffic& traffic_;
  grpc::GenericServerContext context_;
  grpc::GenericServerAsyncReaderWriter stream_{&context_};
  grpc::ByteBuffer bytes_, response_;
  std::optional<grpc::ProtoBufferReader> reader_;
  Event next_, over_;
  std::atomic<bool> is_over_ = false;
  std::atomic<int> to_end_ = 2;
  bool is_accepted_ = false;
  std::shared_ptr<Call> self_;
};

std::shared_ptr<grpc::ServerCredentials> credentials_of(const GrpcServerOptions& options) {
  if (!options.tls) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions tls(
      options.tls->verify_client ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                                 : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  tls.pem_root_certs = options.tls->client_authority;
  tls.pem_key_cert_pairs.push_back({options.tls->key, options.tls->certificate});
  return grpc::SslServerCredentials(tls);
}

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

int thread_count(int wanted) {
  if (wanted > 0) return wanted;
  return 4 * static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace

struct GrpcServer::Impl {
  Impl(RpcMethods given, const std::string& token) : services(std::move(given), token) {}

  void work() {
    void* tag = nullptr;
    for (bool ok = false; queue->Next(&tag, &ok);) {
      // What happens then may set the next event, or end the call that has this one.
      const auto ended = std::move(static_cast<Event*>(tag)->ended);
      ended(ok);
    }
  }

  const Services services;
  grpc::AsyncGenericService service;
  std::unique_ptr<grpc::ServerCompletionQueue> queue;
  std::unique_ptr<grpc::Server> server;
  std::vector<int> ports;
  Traffic traffic;
  std::vector<std::thread> threads;
};

GrpcServer::GrpcServer(RpcMethods methods, const GrpcServerOptions& options)
    : impl_(std::make_unique<Impl>(std::move(methods), options.token)) {
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder builder;
  const auto credentials = credentials_of(options);
  impl_->ports.resize(options.addresses.size());
  for (std::size_t i = 0; i < options.addresses.size(); ++i)
    builder.AddListeningPort(options.addresses[i], credentials, &impl_->ports[i]);
  builder.SetMaxReceiveMessageSize(
      options.most_request_bytes > 0
          ? static_cast<int>(
                std::min<std::int64_t>(options.most_request_bytes, std::numeric_limits<int>::max()))
          : std::numeric_limits<int>::max());
  builder.SetMaxSendMessageSize(std::numeric_limits<int>::max());
  add_arguments(options, builder);
  builder.RegisterAsyncGenericService(&impl_->service);
  impl_->queue = builder.AddCompletionQueue();
  impl_->server = builder.BuildAndStart();
  if (impl_->server == nullptr) {
    impl_->queue->Shutdown();
    impl_->work();
    raise(Code::kUnavailable, "Cannot listen at ", join(options.addresses, ", "));
  }
  for (int i = 0; i < thread_count(options.threads); ++i)
    std::make_shared<Call>(impl_->service, *impl_->queue, impl_->services, impl_->traffic)->await();
  for (int i = 0; i < thread_count(options.threads); ++i)
    impl_->threads.emplace_back([this] { impl_->work(); });
}

GrpcServer::~GrpcServer() { shut_down(0); }

const std::vector<int>& GrpcServer::ports() const { return impl_->ports; }

void GrpcServer::set_serving(bool serving) {
  if (auto* health = impl_->server->GetHealthCheckService()) health->SetServingStatus(serving);
}

void GrpcServer::shut_down(std::int64_t grace_millis) {
  if (impl_->threads.empty()) return;
  using std::chrono::milliseconds;
  impl_->traffic.draining = true;
  const auto end = std::chrono::steady_clock::now() + milliseconds(grace_millis);
  // gRPC cancels calls that it has not handed out when it is told to stop. So they are taken, and
  // refused, until it is quiet, or there is no end of them.
  int quiet = 0;
  while (quiet < kQuietMillis && std::chrono::steady_clock::now() < end) {
    quiet = impl_->traffic.in_flight == 0 ? quiet + 1 : 0;
    std::this_thread::sleep_for(milliseconds(1));
  }
  impl_->server->Shutdown(std::chrono::system_clock::now() +
                          milliseconds(grace_millis > 0 ? 100 : 0));
  impl_->server->Wait();
  // Steps that go on must find the queue when they answer, although nobody listens.
  while (impl_->traffic.in_flight > 0) std::this_thread::sleep_for(milliseconds(1));
  impl_->queue->Shutdown();
  for (std::thread& thread : impl_->threads) thread.join();
  impl_->threads.clear();
}

}  // namespace rill::serve
