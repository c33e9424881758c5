#include "rill/inspect/debugger/sent_sources.h"

#include <future>
#include <map>
#include <shared_mutex>

#include "rill/base/environment.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/inspect/debugger/source_lines.h"
#include "rill/net/grpc/grpc_client.h"
#include "tensorflow/core/debug/debug_service.pb.h"

namespace rill::debugger {
namespace {

constexpr std::int64_t kTimeoutMillis = 60'000;

void call(const std::string& address, const char* method,
          const google::protobuf::Message& message) {
  std::promise<net::RpcResult> answer;
  net::start_rpc({.address = address.substr(0, address.find('/')),
                  .method = str_cat("/tensorflow.EventListener/", method),
                  .body = message.SerializeAsString(),
                  .fail_fast = false,
                  .timeout_ms = kTimeoutMillis},
                 [&](net::RpcResult result) { answer.set_value(std::move(result)); });
  const net::RpcResult result = answer.get_future().get();
  if (result.code != Code::kOk)
    raise(Code::kUnavailable, "the debugger at grpc://", address, ": ", result.message);
}

// Numbers texts, as messages of traces do.
class Texts {
 public:
  std::int64_t operator()(const std::string& text) {
    return numbers_.emplace(text, static_cast<std::int64_t>(numbers_.size())).first->second;
  }
  void write(google::protobuf::Map<std::int64_t, std::string>* to) const {
    for (const auto& [text, number] : numbers_) (*to)[number] = text;
  }

 private:
  std::map<std::string, std::int64_t> numbers_{{"none", 0}};
};

}  // namespace

void send_sources(const Graph& graph, const std::string& address, const std::string& call_key) {
  tensorflow::CallTraceback traceback;
  traceback.set_call_type(tensorflow::CallTraceback::GRAPH_EXECUTION);
  traceback.set_call_key(call_key);
  Texts texts;
  std::map<std::string, bool> files;
  {
    const std::shared_lock lock(graph.mutex());
    traceback.set_graph_version(graph.node_count());
    for (int i = 0; i < graph.node_count(); ++i) {
      auto& entry = *traceback.mutable_graph_traceback()->add_log_entries();
      entry.set_name(graph.node(i).name());
      const std::vector<Frame> frames = frames_of(graph.node(i));
      for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
        auto& trace = *entry.mutable_code_def()->add_traces();
        trace.set_file_id(texts(frame->file));
        trace.set_function_id(texts(frame->function));
        trace.set_lineno(frame->line);
        files[frame->file] = true;
      }
    }
  }
  texts.write(traceback.mutable_graph_traceback()->mutable_id_to_string());
  call(address, "SendTracebacks", traceback);
  tensorflow::DebuggedSourceFiles sources;
  for (const auto& [path, is_used] : files) {
    if (!file_exists(path)) continue;
    auto& file = *sources.add_source_files();
    const std::string text = read_file(path);
    file.set_host(host_name());
    file.set_file_path(path);
    file.set_last_modified(file_system_of(path).facts(path).modified_nanos / 1'000'000'000);
    file.set_bytes(static_cast<std::int64_t>(text.size()));
    for (const std::string_view line : split(text, '\n')) file.add_lines(std::string(line));
  }
  call(address, "SendSourceFiles", sources);
}

}  // namespace rill::debugger
