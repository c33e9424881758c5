#include <google/protobuf/stubs/logging.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "rill/base/background.h"
#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/log_sink.h"
#include "rill/base/signals.h"
#include "rill/cli/command.h"
#include "rill/compat/library.h"
#include "rill/serve/flag_options.h"
#include "rill/serve/live_config.h"
#include "rill/tensor/free_memory.h"

namespace rill::cli {
namespace {

constexpr std::int64_t kTickMillis = 200;

// What is told before there is a log with a form of its own.
std::shared_ptr<const serve::ServerLog>& server_log() {
  static std::shared_ptr<const serve::ServerLog> log =
      std::make_shared<serve::ServerLog>(serve::ServerLog::Options{});
  return log;
}

template <class... Part>
void say(const Part&... part) {
  server_log()->write(LogLevel::kInfo, str_cat(part...));
}

// Tells systemd, or who else has set NOTIFY_SOCKET, what became of the server: "READY=1". Without
// one, or when nobody listens, nothing happens.
void notify_service_manager(std::string_view state) {
  const char* const path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address{};
  const std::size_t size = path == nullptr ? 0 : std::strlen(path);
  if (size < 2 || size >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path, size);
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';  // a name that is no file
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return;
  (void)!::sendto(socket, state.data(), state.size(), MSG_NOSIGNAL,
                  reinterpret_cast<const sockaddr*>(&address),
                  static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size));
  ::close(socket);
}

// Signals that are asked for while something else is waited for are kept.
class Orders {
 public:
  explicit Orders(AwaitedSignals signals) : signals_(signals) {}
  void look(std::int64_t millis = 0) {
    const int signal = signals_.wait(millis);
    if (signal == SIGTERM || signal == SIGINT) stop_ = true;
    if (signal == SIGHUP) read_again_ = true;
  }
  bool to_stop() const { return stop_; }
  bool to_read_again() { return std::exchange(read_again_, false); }
  // For who waits.
  std::function<bool()> give_up() {
    return [this] {
      look();
      return stop_;
    };
  }

 private:
  AwaitedSignals signals_;
  bool stop_ = false, read_again_ = false;
};

// Reads configurations when they change or it is told, until it is told to stop.
void attend(serve::LiveConfig& config, Orders& orders) {
  while (!orders.to_stop()) {
    if (orders.to_read_again()) {
      server_log()->reopen();
      config.read_all();
    }
    config.look();
    if (!orders.to_stop()) orders.look(kTickMillis);
  }
}

// Ends the process when draining takes longer than it may, or when it is told to stop once more.
void limit_shutdown(std::int64_t grace_millis, AwaitedSignals signals) {
  run_in_background([grace_millis, signals]() mutable {
    const std::int64_t end = monotonic_nanos() + (grace_millis + 1000) * 1'000'000;
    while (monotonic_nanos() < end) {
      const int signal = signals.wait(kTickMillis);
      if (signal != SIGTERM && signal != SIGINT) continue;
      say("Told to stop a second time: what is in flight is given up");
      _exit(1);
    }
    say("Requests that did not end in time were given up");
    _exit(0);
  });
}

// Calls `make` and says of what it throws that it kept the server from starting.
auto starting(const auto& make) {
  try {
    return make();
  } catch (const Error& error) {
    raise(error.code(), "Failed to start server. Error: ", error.what());
  }
}

int serve_models(std::span<const std::string> arguments) {
  std::vector<std::string> ignored;
  serve::ServerFlags flags;
  try {
    flags = serve::parse_flags(arguments, &ignored);
  } catch (const Error& error) {
    throw UsageError(error.message() + "\n\nFlags:\n" + serve::flags_usage());
  }
  if (flags.version) {
    std::printf("TensorFlow ModelServer: rill-%s\nTensorFlow Library: rill-%s\n", RILL_VERSION,
                RILL_VERSION);
    return 0;
  }
  give_back_large_blocks_at_once();
  for (const std::string_view library : split(flags.custom_ops_library, ','))
    if (!library.empty()) load_op_library(std::string(library));
  // It has a line for every text of a request that is no UTF-8, which clients could fill logs with.
  google::protobuf::SetLogHandler(nullptr);
  AwaitedSignals signals{SIGTERM, SIGINT, SIGHUP};
  const auto options = starting([&] { return serve::server_options(flags); });
  server_log() = options.log;
  set_log_sink([](LogLevel level, std::string_view line) { server_log()->write(level, line); });
  for (const std::string& name : ignored)
    server_log()->write(LogLevel::kWarning, name + " has no effect here");
  Orders orders(signals);
  const auto server = starting([&] {
    return std::make_unique<serve::Server>(options, serve::model_config(flags), orders.give_up());
  });
  if (flags.port != 0)
    say("Running gRPC ModelServer at ", flags.bind_address, ":", server->grpc_port(), " ...");
  if (server->rest_port() != 0)
    say("Exporting HTTP/REST API at:", flags.bind_address, ":", server->rest_port(), " ...");
  serve::LiveConfig config(
      *server, flags, options, [](const std::string& line) { say(line); }, orders.give_up());
  notify_service_manager("READY=1");
  attend(config, orders);
  notify_service_manager("STOPPING=1");
  say("Shutting down: requests in flight have ", flags.shutdown_grace_ms, " ms");
  limit_shutdown(flags.shutdown_grace_ms, signals);
  server->shut_down(flags.shutdown_grace_ms);
  say("Shut down");
  return 0;
}

}  // namespace

const Command kServe{"serve", "answer requests with models, as TensorFlow Serving does",
                     "serve --model_base_path=DIRECTORY [FLAG...]\n\n"
                     "The flags are those of tensorflow_model_server:",
                     serve_models, serve::flags_usage};

}  // namespace rill::cli
