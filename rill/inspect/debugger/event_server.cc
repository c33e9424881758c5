#include "rill/inspect/debugger/event_server.h"

#include <re2/re2.h>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/net/grpc/typed_method.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::debugger {
namespace {

constexpr std::size_t kMostTracebacks = 64;  // of clients that send them again and again
constexpr std::size_t kMostTensorBytes = std::size_t{2} << 30;  // of a tensor in pieces

std::string text_in_json(const std::string& json, const char* key) {
  std::string text;
  re2::RE2::PartialMatch(json, str_cat("\"", key, "\":\\s*\"([^\"]*)\""), &text);
  return text;
}

int number_in_json(const std::string& json, const char* key) {
  int number = 0;
  re2::RE2::PartialMatch(json, str_cat("\"", key, "\":\\s*(\\d+)"), &number);
  return number;
}

}  // namespace

struct EventServer::State {
  EventServerOptions options;
  mutable std::mutex mutex;
  std::map<std::tuple<std::string, int, std::string>, Gate> gates;
  std::vector<tensorflow::CallTraceback> tracebacks;
  std::map<std::string, std::vector<std::string>> sources;

  tensorflow::EventReply reply() const {
    tensorflow::EventReply reply;
    const std::lock_guard lock(mutex);
    for (const auto& [watch, gate] : gates) {
      auto& change = *reply.add_debug_op_state_changes();
      change.set_node_name(std::get<0>(watch));
      change.set_output_slot(std::get<1>(watch));
      change.set_debug_op(std::get<2>(watch));
      change.set_state(static_cast<tensorflow::EventReply::DebugOpStateChange::State>(gate));
    }
    return reply;
  }
};

// What one client streams: first the run, then its graphs, then tensors.
class EventServer::Stream {
 public:
  explicit Stream(std::shared_ptr<State> state) : state_(std::move(state)) {}

  // Whether the client waits for an answer.
  bool take(const std::string& message) {
    tensorflow::Event event;
    require(event.ParseFromString(message), "the message is no Event");
    if (event.has_log_message()) return take_run(event);
    if (!event.graph_def().empty()) return take_graph(event.graph_def());
    if (event.summary().value_size() > 0) return take_tensor(event);
    return false;
  }

 private:
  std::string directory() const {
    return path_.size() > 1 ? join_path(state_->options.dump_directory, path_.substr(1))
                            : state_->options.dump_directory;
  }
  bool dumps() const { return !state_->options.dump_directory.empty(); }

  bool take_run(const tensorflow::Event& event) {
    const std::string& json = event.log_message().message();
    path_ = text_in_json(json, "grpc_path");
    require(path_.find("..") == std::string::npos, "\"", path_, "\" is no path of a stream");
    if (!dumps()) return true;
    const auto micros = static_cast<std::int64_t>(event.wall_time());
    dump_message(directory(), str_cat("_tfdbg_core_metadata_sessionrun00000000000000_", micros),
                 json);
    return true;
  }

  // "HASH,DEVICE,MICROS|PIECE|PIECES|BYTES"
  bool take_graph(const std::string& piece) {
    const auto first = piece.find('|'), second = piece.find('|', first + 1),
               third = piece.find('|', second + 1);
    require(third != std::string::npos, "the piece of a graph has no head");
    long long number = 0, count = 0;
    require(parse_int(piece.substr(first + 1, second - first - 1), &number) &&
                parse_int(piece.substr(second + 1, third - second - 1), &count),
            "the piece of a graph has no number");
    graph_ = (number == 0 ? "" : graph_) + piece.substr(third + 1);
    require(graph_.size() < kMostTensorBytes, "the graph is too large");
    if (number + 1 < count) return false;
    const std::string head = piece.substr(0, first);
    const auto comma = head.find(','), last = head.rfind(',');
    long long micros = 0;
    require(comma != std::string::npos && last > comma && parse_int(head.substr(last + 1), &micros),
            "the piece of a graph has no head");
    if (dumps()) dump_graph(directory(), head.substr(comma + 1, last - comma - 1), graph_, micros);
    graph_.clear();
    return true;
  }

  bool take_tensor(const tensorflow::Event& event) {
    const auto& value = event.summary().value(0);
    const std::string& json = value.metadata().plugin_data().content();
    const int pieces = std::max(1, number_in_json(json, "numChunks"));
    const int piece = number_in_json(json, "chunkIndex");
    if (piece == 0) tensor_ = event;
    if (piece > 0) {
      auto& whole = *tensor_.mutable_summary()->mutable_value(0)->mutable_tensor();
      whole.mutable_tensor_content()->append(value.tensor().tensor_content());
      require(whole.tensor_content().size() < kMostTensorBytes, "the tensor is too large");
    }
    if (piece + 1 < pieces) return false;
    const std::string& key = value.node_name();
    const auto colon = key.rfind(':');
    require(colon != std::string::npos, "\"", key, "\" is no watch: NODE:SLOT:OP");
    const Watched watched{.device = text_in_json(json, "device"),
                          .tensor = TensorName(key.substr(0, colon)),
                          .debug_op = key.substr(colon + 1),
                          .micros = static_cast<std::int64_t>(event.wall_time())};
    const DumpedValue shown = value_of(tensor_);
    if (dumps()) dump_tensor(directory(), watched, shown.tensor);
    if (state_->options.on_tensor) state_->options.on_tensor(path_, watched, shown);
    const std::lock_guard lock(state_->mutex);
    const auto gate =
        state_->gates.find({watched.tensor.node, watched.tensor.slot, watched.debug_op});
    return gate != state_->gates.end() && gate->second == Gate::breakpoint;
  }

  const std::shared_ptr<State> state_;
  std::string path_, graph_;
  tensorflow::Event tensor_;
};

EventServer::EventServer(EventServerOptions options) : state_(std::make_shared<State>()) {
  state_->options = std::move(options);
  const auto state = state_;
  net::RpcStreams streams;
  streams["/tensorflow.EventListener/SendEvents"] =
      [state](const std::shared_ptr<net::RpcStream>& stream) {
        const auto events = std::make_shared<Stream>(state);
        stream->read();
        return net::RpcStreamEvents{.on_message =
                                        [state, events, stream](const std::string& message) {
                                          if (events->take(message))
                                            stream->write(state->reply().SerializeAsString());
                                          stream->read();
                                        },
                                    .on_end = [stream] { stream->finish(); },
                                    .on_over = {}};
      };
  net::RpcMethods methods;
  methods["/tensorflow.EventListener/SendTracebacks"] =
      net::method_of<tensorflow::CallTraceback, tensorflow::EventReply>(
          [state](const tensorflow::CallTraceback& request, tensorflow::EventReply*,
                  const net::CallLimits&, const auto& done) {
            {
              const std::lock_guard lock(state->mutex);
              state->tracebacks.push_back(request);
              if (state->tracebacks.size() > kMostTracebacks)
                state->tracebacks.erase(state->tracebacks.begin());
            }
            done(std::nullopt);
          });
  methods["/tensorflow.EventListener/SendSourceFiles"] =
      net::method_of<tensorflow::DebuggedSourceFiles, tensorflow::EventReply>(
          [state](const tensorflow::DebuggedSourceFiles& request, tensorflow::EventReply*,
                  const net::CallLimits&, const auto& done) {
            {
              const std::lock_guard lock(state->mutex);
              for (const auto& file : request.source_files())
                state->sources[file.file_path()] = {file.lines().begin(), file.lines().end()};
            }
            done(std::nullopt);
          });
  server_ = std::make_unique<net::GrpcServer>(
      std::move(methods),
      net::GrpcServerOptions{.addresses = {state_->options.address},
                             .tls = nullptr,
                             .threads = 4,
                             .channel_arguments = {},
                             .max_request_bytes = state_->options.max_message_bytes,
                             .authorizer = nullptr,
                             .on_end = {}},
      std::move(streams));
}

EventServer::~EventServer() = default;

int EventServer::port() const { return server_->ports().front(); }

void EventServer::set_gate(const std::string& node, int slot, const std::string& debug_op,
                           Gate gate) {
  const std::lock_guard lock(state_->mutex);
  state_->gates[{node, slot, debug_op}] = gate;
}

std::vector<tensorflow::CallTraceback> EventServer::tracebacks() const {
  const std::lock_guard lock(state_->mutex);
  return state_->tracebacks;
}

std::map<std::string, std::vector<std::string>> EventServer::sources() const {
  const std::lock_guard lock(state_->mutex);
  return state_->sources;
}

}  // namespace rill::debugger
