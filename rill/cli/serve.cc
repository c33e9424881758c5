#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <thread>

#include "rill/base/background.h"
#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/signals.h"
#include "rill/cli/command.h"
#include "rill/compat/library.h"
#include "rill/serve/flag_options.h"
#include "rill/tensor/free_memory.h"

namespace rill::cli {
namespace {

constexpr std::int64_t kTickMillis = 200;

template <class... Part>
void say(const Part&... part) {
  std::fprintf(stderr, "%s\n", str_cat(part...).c_str());
}

// Reads the configuration again and has the server follow it. Failures leave what there was.
void reload(serve::Server& server, const serve::ServerFlags& flags, bool only_if_changed) {
  try {
    const auto config = serve::model_config(flags);
    if (only_if_changed && config.SerializeAsString() == server.core().config().SerializeAsString())
      return;
    server.core().reload(config);
    say("The configuration was read again");
  } catch (...) {
    say("The configuration could not be read again: ", current_error().what());
  }
}

// Waits for signals until one says to stop, reading the configuration when it is time to.
void attend(serve::Server& server, const serve::ServerFlags& flags, AwaitedSignals& signals) {
  const std::int64_t poll_nanos = flags.model_config_file_poll_wait_seconds * 1'000'000'000;
  std::int64_t looked = monotonic_nanos();
  while (true) {
    const int signal = signals.wait(kTickMillis);
    if (signal == SIGTERM || signal == SIGINT) return;
    if (signal == SIGHUP) reload(server, flags, false);
    if (poll_nanos <= 0 || flags.model_config_file.empty()) continue;
    if (monotonic_nanos() - looked < poll_nanos) continue;
    reload(server, flags, true);
    looked = monotonic_nanos();
  }
}

// Ends the process when draining takes longer than it may.
void limit_shutdown(std::int64_t grace_millis) {
  run_in_background([grace_millis] {
    std::this_thread::sleep_for(std::chrono::milliseconds(grace_millis + 2000));
    say("Requests that did not end in time were given up");
    _exit(0);
  });
}

// The server, unless a signal comes while the models are loaded.
std::unique_ptr<serve::Server> started(const serve::ServerFlags& flags, AwaitedSignals& signals) {
  try {
    return std::make_unique<serve::Server>(serve::server_options(flags), serve::model_config(flags),
                                           [&] {
                                             const int signal = signals.wait(0);
                                             return signal == SIGTERM || signal == SIGINT;
                                           });
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
  for (const std::string& name : ignored) say(name, " has no effect here");
  for (const std::string_view library : split(flags.custom_ops_library, ','))
    if (!library.empty()) load_op_library(std::string(library));
  AwaitedSignals signals{SIGTERM, SIGINT, SIGHUP};
  const auto server = started(flags, signals);
  if (flags.port != 0)
    say("Running gRPC ModelServer at ", flags.bind_address, ":", server->grpc_port(), " ...");
  if (server->rest_port() != 0)
    say("Exporting HTTP/REST API at:", flags.bind_address, ":", server->rest_port(), " ...");
  attend(*server, flags, signals);
  limit_shutdown(flags.shutdown_grace_ms);
  server->shut_down(flags.shutdown_grace_ms);
  return 0;
}

}  // namespace

const Command kServe{
    "serve", "answer requests with models, as TensorFlow Serving does",
    "serve --model_base_path=DIRECTORY [FLAG...]\n\n"
    "The flags are those of tensorflow_model_server; an unknown one lists them all.",
    serve_models};

}  // namespace rill::cli
