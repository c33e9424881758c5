#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rill/inspect/debugger/dump_datum.h"
#include "rill/net/grpc/grpc_server.h"
#include "rill/ops/debug/dump.h"
#include "tensorflow/core/debug/debug_service.pb.h"

namespace rill::debugger {

struct EventServerOptions {
  std::string address = "localhost:0";  // others than this machine get in only if told so here
  std::string dump_directory = {};      // where streams are dumped, below their path; "": nowhere
  std::int64_t max_message_bytes = std::int64_t{64} << 20;
  // Told of each tensor, of a stream's path ("/run7", or ""); on the server's threads.
  std::function<void(const std::string& path, const Watched& watched, const DumpedValue& value)>
      on_tensor = {};
};

// TensorFlow's EventListener: what GrpcDebugWrapperSession streams to. Says to its clients which
// gated watches are open.
class EventServer {
 public:
  // Begins to listen. Throws Unavailable where it cannot.
  explicit EventServer(EventServerOptions options = {});
  ~EventServer();

  int port() const;

  enum class Gate : std::uint8_t { closed = 1, read_only = 2, breakpoint = 3 };
  // For "node", slot and debug op, from the next answer to each client on. At a breakpoint the
  // program waits for an answer to each tensor, which comes when the callback has returned.
  void set_gate(const std::string& node, int slot, const std::string& debug_op, Gate gate);

  // What clients said of where their programs made nodes, and their files by path.
  std::vector<tensorflow::CallTraceback> tracebacks() const;
  std::map<std::string, std::vector<std::string>> sources() const;

 private:
  class Stream;
  struct State;
  std::shared_ptr<State> state_;
  std::unique_ptr<net::GrpcServer> server_;
};

}  // namespace rill::debugger
