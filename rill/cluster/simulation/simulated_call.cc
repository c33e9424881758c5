#include "rill/cluster/simulation/simulated_call.h"

#include <string_view>
#include <utility>

namespace rill::cluster {
namespace {

using google::protobuf::io::ArrayInputStream;

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return hash;
}

std::string short_name(const std::string& method) { return method.substr(method.rfind('/') + 1); }

}  // namespace

class SimulatedCall::Answering final : public net::RpcCall {
 public:
  explicit Answering(std::shared_ptr<SimulatedCall> call)
      : call_(std::move(call)),
        bytes_(call_->wanted_.body.data(), static_cast<int>(call_->wanted_.body.size())) {}

  google::protobuf::io::ZeroCopyInputStream& request() override { return bytes_; }
  net::CallLimits limits() override {
    return {.deadline_nanos = call_->deadline_nanos_,
            .is_gone = [gone = call_->is_gone_] { return *gone; }};
  }
  void reply(const google::protobuf::MessageLite& message) override {
    send(Code::kOk, {}, message.SerializeAsString());
  }
  void reply_bytes(std::string head, std::string_view body, std::shared_ptr<const void>) override {
    send(Code::kOk, {}, head.append(body));
  }
  void fail(const Error& error) override { send(error.code(), error.message(), {}); }

 private:
  void send(Code code, std::string message, std::string bytes) {
    SimulatedNetwork& network = call_->network_;
    network.send(
        {call_->to_, call_->from_,
         [call = call_, code, message = std::move(message), bytes = std::move(bytes)] {
           call->answer(code, message, bytes);
         },
         [call = call_] { call->give_up(Code::kUnavailable, "Connection reset by peer"); }});
  }

  const std::shared_ptr<SimulatedCall> call_;
  ArrayInputStream bytes_;
};

SimulatedCall::SimulatedCall(SimulatedNetwork& network, Wanted wanted)
    : network_(network),
      id_(network.next_call_++),
      from_(network.threads_.process()),
      wanted_(std::move(wanted)) {}

void SimulatedCall::start() {
  network_.calls_.emplace(id_, shared_from_this());
  if (network_.has_ended(from_)) return end(Code::kCancelled, "The process has ended", {});
  const std::string method = short_name(wanted_.method);
  if (network_.planted.dropped_methods.contains(method)) return end(Code::kOk, {}, {});
  if (wanted_.options.timeout_ms > 0 && !network_.planted.no_timeouts) {
    deadline_nanos_ = network_.threads_.now_nanos() + wanted_.options.timeout_ms * 1'000'000;
    network_.threads_.start_at(deadline_nanos_, from_, [self = shared_from_this()] {
      self->give_up(Code::kDeadlineExceeded, "Deadline Exceeded");
    });
  }
  connect();
}

void SimulatedCall::connect() {
  if (is_over_) return;
  SimulatedThreads& threads = network_.threads_;
  if (const auto* const listener = network_.listener(wanted_.address))
    return send_request(*listener);
  if (!wanted_.options.wait_for_ready) {
    threads.start_at(threads.now_nanos() + network_.delay(), from_, [self = shared_from_this()] {
      self->give_up(Code::kUnavailable, "Connection refused");
    });
    return;
  }
  const auto pause = static_cast<std::int64_t>(100'000'000 + threads.below(900'000'000));
  threads.start_at(threads.now_nanos() + pause, from_,
                   [self = shared_from_this()] { self->connect(); });
}

void SimulatedCall::send_request(const SimulatedNetwork::Listener& listener) {
  to_ = listener.process;
  const auto methods = listener.methods;
  const int copies = network_.planted.doubled_methods.contains(short_name(wanted_.method)) ? 2 : 1;
  for (int copy = 0; copy < copies; ++copy)
    network_.send(
        {from_, to_, [self = shared_from_this(), methods] { self->arrive(methods); },
         [self = shared_from_this()] { self->give_up(Code::kUnavailable, "Connection lost"); }});
}

// What has come over a connection that was broken since is not read any more.
void SimulatedCall::arrive(const std::shared_ptr<const net::RpcMethods>& methods) {
  if (is_broken_ || *is_gone_) return;
  network_.threads_.note(hash_of(wanted_.method));
  const auto answering = std::make_shared<Answering>(shared_from_this());
  const auto method = methods->find(wanted_.method);
  if (method == methods->end())
    return answering->fail(Error(Code::kUnimplemented, "There is no such method"));
  if (network_.planted.rewrite)
    wanted_.body = network_.planted.rewrite(wanted_.method, std::move(wanted_.body));
  method->second(answering);
}

void SimulatedCall::answer(Code code, std::string message, std::string bytes) {
  if (is_over_ || is_broken_) return;
  end(code, std::move(message), std::move(bytes));
}

void SimulatedCall::cancel() { give_up(Code::kCancelled, "Cancelled"); }

void SimulatedCall::give_up(Code code, const char* why) {
  if (is_over_) return;
  tell_that_it_is_over();
  end(code, why, {});
}

// It comes behind the request, as all that is said on one connection.
void SimulatedCall::tell_that_it_is_over() {
  if (to_ == 0 || network_.planted.no_departures) return;
  network_.send({from_, to_, [gone = is_gone_] { *gone = true; }, {}});
}

void SimulatedCall::end(Code code, std::string message, std::string bytes) {
  const auto kept = shared_from_this();
  is_over_ = true;
  network_.calls_.erase(id_);
  if (network_.planted.wrong_errors && code == Code::kUnavailable) code = Code::kInternal;
  network_.threads_.start_in(from_, [self = shared_from_this(), code, message = std::move(message),
                                     bytes = std::move(bytes)] {
    const Done done = std::exchange(self->wanted_.done, nullptr);
    const Link::Read read = std::exchange(self->wanted_.read, nullptr);
    if (code != Code::kOk) return done(Error(code, message));
    ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
    try {
      if (!read(stream)) return done(Error(Code::kInternal, "The answer is not what it should be"));
    } catch (const Error& error) {
      return done(error);
    }
    done({});
  });
}

}  // namespace rill::cluster
