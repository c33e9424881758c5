#include "rill/net/grpc/grpc_call.h"

#include <google/protobuf/empty.pb.h>
#include <grpcpp/impl/rpc_service_method.h>
#include <grpcpp/server_context.h>

#include <chrono>
#include <limits>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/net/grpc/byte_buffers.h"
#include "rill/net/grpc/reflection.h"

namespace rill::net {
namespace {

// A longer text does not fit into the headers that clients accept.
constexpr std::size_t kLongestMessage = 4000;
const std::string kHealthCheck = "/grpc.health.v1.Health/Check";
const std::string kHealthWatch = "/grpc.health.v1.Health/Watch";

grpc::Status status_of(const Error& error) {
  return {static_cast<grpc::StatusCode>(error.code()), error.message().substr(0, kLongestMessage)};
}
Error shutting_down() { return {Code::kUnavailable, "The server is shutting down"}; }

RpcMethods with_health(RpcMethods methods, const Health& health) {
  methods[kHealthCheck] = [&health](const std::shared_ptr<RpcCall>& call) {
    try {
      std::string bytes;
      const void* piece = nullptr;
      for (int size = 0; call->request().Next(&piece, &size);)
        bytes.append(static_cast<const char*>(piece), static_cast<std::size_t>(size));
      google::protobuf::Empty response;  // whatever the bytes are
      response.ParseFromString(health.check(bytes));
      call->reply(response);
    } catch (...) {
      call->fail(current_error());
    }
  };
  return methods;
}

// One call, from before it comes until everything about it has ended: the answer is sent, and gRPC
// has said that the call is over. It holds on to itself for so long.
template <class Context>
class Call : public std::enable_shared_from_this<Call<Context>> {
 public:
  explicit Call(GrpcHost& host) : host_(host) {}
  // Whoever answered may hold on to it for a moment after that.
  virtual ~Call() {
    if (is_accepted_) --host_.alive;
  }

 protected:
  void begin() {
    self_ = this->shared_from_this();
    over_ = {[](void* call, bool) {
               auto* self = static_cast<Call*>(call);
               self->is_over_ = true;
               self->on_over();
               self->end_one();
             },
             this};
    context_.AsyncNotifyWhenDone(&over_);
  }
  virtual void on_over() {}
  // Whether a call has come, rather than the end of the server.
  bool accept(bool ok) {
    if (!ok) {
      self_.reset();
      return false;
    }
    ++host_.alive;
    is_accepted_ = true;
    received_ = monotonic_nanos();
    return true;
  }
  // What keeps a call from being answered. The call works from now on, whatever is said.
  std::optional<Error> refusal(bool is_open) {
    ++host_.working;
    is_working_ = true;
    if (is_open) return std::nullopt;
    if (host_.is_draining) return shutting_down();
    if (host_.authorizer == nullptr || !host_.authorizer->is_needed()) return std::nullopt;
    const auto header = context_.client_metadata().find("authorization");
    const std::string_view sent =
        header == context_.client_metadata().end()
            ? std::string_view()
            : std::string_view(header->second.data(), header->second.size());
    return host_.authorizer->refusal(sent);
  }
  // The event of an answer being sent.
  GrpcEvent* sent() {
    next_ = {[](void* call, bool) { static_cast<Call*>(call)->end_one(true); }, this};
    return &next_;
  }
  void end_one(bool is_sent = false) {
    if (is_sent && is_working_) --host_.working;
    if (--to_end_ == 0) self_.reset();
  }

  GrpcHost& host_;
  Context context_;
  grpc::ByteBuffer bytes_, response_;
  GrpcEvent next_, over_;
  std::int64_t received_ = 0;
  std::atomic<bool> is_over_ = false;
  std::atomic<int> to_end_ = 2;
  bool is_accepted_ = false, is_working_ = false;
  std::shared_ptr<Call> self_;
};

class UnaryCall final : public Call<grpc::ServerContext>, public RpcCall {
 public:
  UnaryCall(GrpcHost& host, std::size_t method) : Call(host), method_(method) {}

  void await() {
    begin();
    next_ = {
        [](void* call, bool ok) { static_cast<UnaryCall*>(static_cast<Call*>(call))->answer(ok); },
        static_cast<Call*>(this)};
    host_.unary.request(method_, &context_, &bytes_, &writer_, host_.queue.get(), &next_);
  }

  google::protobuf::io::ZeroCopyInputStream& request() override { return *reader_; }

  CallLimits limits() override {
    CallLimits limits;
    limits.is_gone = [call = shared()] { return call->is_over_.load(); };
    limits.received_nanos = received_;
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
    writer_.Finish(response_, grpc::Status::OK, sent());
  }
  void fail(const Error& error) override { writer_.FinishWithError(status_of(error), sent()); }

 private:
  std::shared_ptr<UnaryCall> shared() {
    return std::static_pointer_cast<UnaryCall>(shared_from_this());
  }

  void answer(bool ok) {
    if (!accept(ok)) return;
    await_unary(host_, method_);
    if (const auto error = refusal(host_.unary.is_open(method_))) return fail(*error);
    reader_.emplace(&bytes_);
    try {
      host_.unary.method(method_)(shared());
    } catch (...) {  // methods do not throw but for want of memory
      fail(current_error());
    }
  }

  const std::size_t method_;
  grpc::ServerAsyncResponseWriter<grpc::ByteBuffer> writer_{&context_};
  std::optional<grpc::ProtoBufferReader> reader_;
};

// A stream: messages that are answered one by one, or changes of health that are told.
class StreamCall final : public Call<grpc::GenericServerContext> {
 public:
  using Call::Call;

  void await() {
    begin();
    next_ = event<&StreamCall::open>();
    host_.other.RequestCall(&context_, &stream_, host_.queue.get(), host_.queue.get(), &next_);
  }

 private:
  template <void (StreamCall::*Then)(bool)>
  GrpcEvent event() {
    return {[](void* call, bool ok) {
              (static_cast<StreamCall*>(static_cast<Call*>(call))->*Then)(ok);
            },
            static_cast<Call*>(this)};
  }

  void open(bool ok) {
    if (!accept(ok)) return;
    await_other(host_);
    const std::string& method = context_.method();
    is_watch_ = method == kHealthWatch;
    if (const auto error = refusal(is_watch_)) return finish(status_of(*error));
    const auto found = host_.conversations.find(method);
    if (found == host_.conversations.end() && !is_watch_)
      return finish(status_of(Error(Code::kUnimplemented, str_cat("There is no method ", method))));
    if (!is_watch_) conversation_ = &found->second;
    // Streams do not end by themselves, so that nobody waits for them.
    --host_.working;
    is_working_ = false;
    read();
  }

  void read() {
    next_ = event<&StreamCall::answer>();
    stream_.Read(&bytes_, &next_);
  }

  // Answers a message and waits for the next; without one the stream is over.
  void answer(bool ok) {
    if (host_.is_draining) return finish(status_of(shutting_down()));
    if (!ok) return finish(grpc::Status::OK);
    try {
      if (is_watch_) return watch();
      response_ = buffer_of((*conversation_)(bytes_of(bytes_)));
    } catch (...) {
      return finish(status_of(current_error()));
    }
    next_ = event<&StreamCall::answered>();
    stream_.Write(response_, &next_);
  }
  void answered(bool ok) { ok ? read() : finish(grpc::Status::OK); }

  void watch() {
    watching_ = host_.health.watch(bytes_of(bytes_), [this](std::string response) {
      const std::lock_guard lock(mutex_);
      to_tell_ = std::move(response);
      if (!is_writing_) tell();
    });
    // What was over before there was anything to end.
    const std::lock_guard lock(mutex_);
    is_watching_ = true;
    if (is_over_ && !is_writing_) leave();
  }
  void tell() {  // with the mutex
    is_writing_ = true;
    response_ = buffer_of(*std::exchange(to_tell_, std::nullopt));
    next_ = event<&StreamCall::told>();
    stream_.Write(response_, &next_);
  }
  void told(bool ok) {
    const std::lock_guard lock(mutex_);
    is_writing_ = false;
    if (!ok || is_over_) {
      if (is_watching_) leave();
    } else if (to_tell_) {
      tell();
    }
  }
  void on_over() override {
    const std::lock_guard lock(mutex_);
    if (is_watching_ && !is_writing_) leave();
  }
  void leave() {  // with the mutex, once
    if (std::exchange(has_left_, true)) return;
    is_writing_ = true;  // nothing is told any more
    finish({grpc::StatusCode::CANCELLED, ""});
  }

  void finish(const grpc::Status& status) { stream_.Finish(status, sent()); }

  grpc::GenericServerAsyncReaderWriter stream_{&context_};
  const RpcConversation* conversation_ = nullptr;
  bool is_watch_ = false;
  std::mutex mutex_;  // of what follows
  bool is_writing_ = false, is_watching_ = false, has_left_ = false;
  std::optional<std::string> to_tell_;
  Health::Watching watching_;
};

}  // namespace

UnaryService::UnaryService(const RpcMethods& methods) {
  names_.reserve(methods.size());
  for (const auto& [name, method] : methods) {
    names_.push_back(name);
    methods_.push_back(&method);
    is_open_.push_back(name == kHealthCheck);
    AddMethod(new grpc::internal::RpcServiceMethod(names_.back().c_str(),
                                                   grpc::internal::RpcMethod::NORMAL_RPC, nullptr));
    MarkMethodRaw(static_cast<int>(methods_.size()) - 1);
  }
}

GrpcHost::GrpcHost(RpcMethods given, std::shared_ptr<const Authorizer> who_may)
    : health(given),
      methods(with_health(given, health)),
      conversations(reflection(given)),
      unary(methods),
      authorizer(std::move(who_may)) {}

void await_unary(GrpcHost& host, std::size_t i) { std::make_shared<UnaryCall>(host, i)->await(); }

void await_other(GrpcHost& host) { std::make_shared<StreamCall>(host)->await(); }

}  // namespace rill::net
