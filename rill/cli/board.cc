#include "rill/board/board.h"

#include <google/protobuf/stubs/logging.h>
#include <signal.h>

#include <cstdio>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/signals.h"
#include "rill/base/text.h"
#include "rill/cli/command.h"

namespace rill::cli {
namespace {

// Flags of TensorBoard that mean nothing here: everything is kept, and read as it comes.
constexpr std::string_view kIgnored[] = {
    "--samples_per_plugin",  "--load_fast",
    "--reload_multifile",    "--reload_multifile_inactive_secs",
    "--purge_orphaned_data", "--reload_task",
    "--generic_data",        "--db",
    "--db_import",           "--extra_data_server_flags",
    "--grpc_creds_type",     "--grpc_data_provider",
    "--verbosity",           "--detect_file_replacement",
    "--reuse_port",          "--master_tpu_unsecure_channel"};

int port_of(const std::string& text) {
  long long port = 0;
  if (text == "default") return 6006;
  if (!parse_int(text, &port) || port < 0 || port > 65535)
    throw UsageError("--port needs a number from 0 to 65535");
  return static_cast<int>(port);
}

// Whether "--flag", "--flag=true" or "--flag=false" was given.
bool truth(Options& given, const char* name) {
  const auto text = given.value_or_true(name);
  return text && *text != "false" && *text != "False" && *text != "0";
}

int inspect(Options& given, const board::BoardOptions& options) {
  const board::InspectOptions wish{.logdir = options.logdir,
                                   .logdir_spec = options.logdir_spec,
                                   .event_file = given.value("--event_file").value_or(""),
                                   .tag = given.value("--tag").value_or("")};
  if (!given.positional().empty()) throw UsageError("board takes flags alone");
  std::fputs(board::inspect_logs(wish).c_str(), stdout);
  return 0;
}

int show(const board::BoardOptions& options) {
  google::protobuf::SetLogHandler(nullptr);
  AwaitedSignals signals{SIGTERM, SIGINT};
  const board::Board shown(options);
  std::fprintf(stderr, "rill board at %s (Press CTRL+C to quit)\n", shown.url().c_str());
  while (signals.wait(60'000) == 0) continue;
  return 0;
}

int board_command(std::span<const std::string> arguments) {
  Options given(arguments);
  board::BoardOptions options;
  options.logdir = given.value("--logdir").value_or("");
  options.logdir_spec = given.value("--logdir_spec").value_or("");
  const bool inspects = truth(given, "--inspect");
  if (inspects) return inspect(given, options);
  options.host = given.value("--host").value_or(options.host);
  if (truth(given, "--bind_all")) options.host = "0.0.0.0";
  const auto port = given.value("--port");
  if (port) options.port = port_of(*port);
  options.tries_next_ports = !port || *port == "default";
  options.path_prefix = given.value("--path_prefix").value_or("");
  options.window_title = given.value("--window_title").value_or("");
  options.token = given.value("--token").value_or("");
  options.allowed_hosts = comma_list(given.value("--allowed_host"));
  if (const auto seconds = given.value("--reload_interval")) {
    double interval = 0;
    if (!parse_float(*seconds, &interval) || interval < 0)
      throw UsageError("--reload_interval needs a number of seconds");
    // TensorBoard's habits are slow; a look costs little here.
    options.reload_seconds = std::clamp(interval, 0.1, 5.0);
  }
  if (const auto threads = given.value("--max_reload_threads")) {
    long long count = 0;
    if (!parse_int(*threads, &count) || count < 1 || count > 1024)
      throw UsageError("--max_reload_threads needs a number");
    options.reading_threads = static_cast<int>(count);
  }
  const auto report = given.value("--report");
  for (const std::string_view name : kIgnored) (void)given.value_or_true(name);
  const std::vector<std::string> rest = given.positional();
  if (rest.size() == 1 && options.logdir.empty() && options.logdir_spec.empty())
    options.logdir = rest[0];
  else if (!rest.empty())
    throw UsageError("board takes one directory");
  if (options.logdir.empty() && options.logdir_spec.empty())
    throw UsageError("board needs a directory of logs: --logdir DIRECTORY");
  if (report) {
    write_file(*report, board::html_report(options));
    return 0;
  }
  return show(options);
}

}  // namespace

const Command kBoard{
    "board", "show logs of trainings in the browser, as TensorBoard does",
    "board --logdir DIRECTORY [FLAG...]\n\n"
    "  --logdir DIRECTORY      runs are the folders below it with event files\n"
    "  --logdir_spec A:DIR,... several directories with names\n"
    "  --port PORT             6006, or one of the next if it is taken; 0: any\n"
    "  --host HOST             where it listens: 127.0.0.1; --bind_all everywhere\n"
    "  --token TOKEN           who brings it may look, where others can connect;\n"
    "                          made anew if left out, none: everybody may\n"
    "  --allowed_host NAME,... names under which a proxy reaches it\n"
    "  --path_prefix /PATH     what a proxy puts before every path\n"
    "  --window_title TITLE    of the browser's window\n"
    "  --reload_interval S     seconds between looks at the files\n"
    "  --report FILE           writes the scalars as one HTML file and ends\n"
    "  --inspect               says what the files hold and ends;\n"
    "                          --tag TAG, --event_file FILE: of one\n\n"
    "Other flags of TensorBoard are taken and do nothing.",
    board_command};

}  // namespace rill::cli
