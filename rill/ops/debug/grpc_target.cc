#include "rill/ops/debug/grpc_target.h"

#include <condition_variable>
#include <map>
#include <mutex>

#include "rill/base/environment.h"
#include "rill/base/error.h"
#include "rill/base/hash64.h"
#include "rill/base/text.h"
#include "rill/net/grpc/grpc_client_stream.h"
#include "tensorflow/core/debug/debug_service.pb.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {
namespace {

constexpr const char* kMethod = "/tensorflow.EventListener/SendEvents";
constexpr std::size_t kChunkBytes = std::size_t{4000} * 1024;
constexpr std::int64_t kFinishMillis = 10'000, kReplyMillis = 60'000;

std::int64_t connect_millis() {
  const int seconds = environment_number("TFDBG_GRPC_CONNECT_TIMEOUT_SECS");
  return 1000 * std::int64_t{seconds > 0 ? seconds : 900};
}

using State = tensorflow::EventReply::DebugOpStateChange;

// Which watches of a server want tensors, as its replies say. Kept for the process: a server says
// it in one run and means the next ones as well.
class Gates {
 public:
  void take(const tensorflow::EventReply& reply) {
    const std::lock_guard lock(mutex_);
    for (const State& change : reply.debug_op_state_changes())
      states_[str_cat(change.node_name(), ":", change.output_slot(), ":", change.debug_op())] =
          change.state();
  }
  State::State of(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto it = states_.find(key);
    return it == states_.end() ? State::DISABLED : it->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, State::State> states_;
};

Gates& gates_of(const std::string& address) {
  static std::mutex mutex;
  static auto& all = *new std::map<std::string, Gates>;
  const std::lock_guard lock(mutex);
  return all[address];
}

class GrpcTarget final : public DebugTarget {
 public:
  explicit GrpcTarget(const std::string& address)
      : address_(address.substr(0, address.find('/'))),
        path_(address.find('/') == std::string::npos ? "" : address.substr(address.find('/'))),
        gates_(gates_of(address)) {}

  ~GrpcTarget() override { end(); }

  void run(const DebuggedRun& run) override {
    tensorflow::Event event;
    event.set_wall_time(static_cast<double>(run.micros));
    event.mutable_log_message()->set_message(
        run_description(run, str_cat(",\"grpc_path\":\"", path_, "\"")));
    send(event, true);
  }

  void graph(const std::string& device, const std::string& graph_def,
             std::int64_t micros) override {
    const std::size_t count = std::max<std::size_t>(1, pieces(graph_def.size()));
    const std::string head = str_cat(hash64(graph_def), ",", device, ",", micros);
    for (std::size_t i = 0; i < count; ++i) {
      tensorflow::Event event;
      event.set_wall_time(static_cast<double>(micros));
      event.set_graph_def(
          str_cat(head, "|", i, "|", count, "|", graph_def.substr(i * kChunkBytes, kChunkBytes)));
      send(event, i + 1 == count);
    }
  }

  void tensor(const Watched& watched, const Tensor& value) override {
    tensorflow::Event event;
    write_event(watched, value, &event);
    const bool waits = gates_.of(watched.key()) == State::READ_WRITE;
    if (!value.has_value() || value.byte_size() <= kChunkBytes) return send(event, waits);
    if (value.dtype() == DType::string) return send(event, waits);  // strings are in one piece
    send_pieces(watched, event, waits);
  }

  bool is_open(const Watched& watched) override {
    const auto state = gates_.of(watched.key());
    return state == State::READ_ONLY || state == State::READ_WRITE;
  }

  void end() override {
    const std::lock_guard lock(mutex_);
    if (stream_ != nullptr) stream_->finish(kFinishMillis);
    stream_.reset();
  }

 private:
  static std::size_t pieces(std::size_t bytes) { return (bytes + kChunkBytes - 1) / kChunkBytes; }

  void send_pieces(const Watched& watched, const tensorflow::Event& whole, bool waits) {
    const std::string& content = whole.summary().value(0).tensor().tensor_content();
    const std::size_t count = pieces(content.size());
    tensorflow::Event event = whole;
    auto& item = *event.mutable_summary()->mutable_value(0);
    for (std::size_t i = 0; i < count; ++i) {
      item.mutable_tensor()->set_tensor_content(content.substr(i * kChunkBytes, kChunkBytes));
      item.mutable_metadata()->mutable_plugin_data()->set_content(
          event_description(watched, count, i));
      send(event, waits && i + 1 == count);
    }
  }

  void send(const tensorflow::Event& event, bool waits_for_reply) {
    const std::lock_guard lock(mutex_);
    if (stream_ == nullptr) {
      replies_ = 0;
      stream_ = net::open_rpc_stream(address_, kMethod, connect_millis(),
                                     [this](std::string message) { take(message); });
    }
    const int before = replies();
    if (!stream_->write(event.SerializeAsString()))
      raise(Code::kUnavailable, "the debugger at grpc://", address_, path_, " has left");
    if (waits_for_reply) wait_for_reply(before);
  }

  void take(const std::string& message) {
    tensorflow::EventReply reply;
    if (reply.ParseFromString(message)) gates_.take(reply);
    const std::lock_guard lock(reply_mutex_);
    ++replies_;
    replied_.notify_all();
  }
  int replies() {
    const std::lock_guard lock(reply_mutex_);
    return replies_;
  }
  // A server that says nothing holds the program for a while, not for ever.
  void wait_for_reply(int before) {
    std::unique_lock lock(reply_mutex_);
    if (!replied_.wait_for(lock, std::chrono::milliseconds(kReplyMillis),
                           [&] { return replies_ > before; }))
      raise(Code::kUnavailable, "the debugger at grpc://", address_, path_, " has not replied for ",
            kReplyMillis / 1000, " seconds");
  }

  const std::string address_, path_;
  Gates& gates_;
  std::mutex mutex_, reply_mutex_;
  std::condition_variable replied_;
  int replies_ = 0;
  std::unique_ptr<net::RpcClientStream> stream_;
};

}  // namespace

std::shared_ptr<DebugTarget> make_grpc_target(const std::string& address) {
  return std::make_shared<GrpcTarget>(address);
}

}  // namespace rill
