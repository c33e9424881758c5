#include "rill/serve/live_config.h"

#include <sys/stat.h>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/serve/flag_files.h"
#include "rill/serve/flag_options.h"

namespace rill::serve {
namespace {

// What changes when a file is written, or another is put in its place.
std::string state_of(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  return str_cat(found.st_ino, " ", found.st_size, " ", found.st_mtim.tv_sec, " ",
                 found.st_mtim.tv_nsec);
}

}  // namespace

LiveConfig::LiveConfig(Server& server, const ServerFlags& flags, const ServerOptions& options,
                       std::function<void(const std::string&)> say, std::function<bool()> give_up)
    : say_(std::move(say)) {
  follow("monitoring", flags.monitoring_config_file,
         [&server, flags] { server.set_prometheus_path(read_prometheus_path(flags)); });
  follow("the token", flags.auth_token_file,
         [&server, flags] { server.set_token(read_token(flags)); });
  follow("TLS", flags.ssl_config_file,
         [tls = options.grpc.tls, flags] { tls->set(read_tls_files(flags)); });
  if (options.read_batching)
    follow("batching", flags.batching_parameters_file, options.read_batching);
  if (options.read_settings)
    follow("the options of models", flags.serving_options_file, options.read_settings);
  follow(
      "models", flags.model_config_file,
      [&server, flags, give_up] { server.core().reload(model_config(flags), give_up); },
      std::max<std::int64_t>(0, flags.model_config_file_poll_wait_seconds));
}

void LiveConfig::follow(const char* what, const std::string& path, std::function<void()> read,
                        std::int64_t interval_seconds) {
  if (path.empty()) return;
  files_.push_back({what, path, interval_seconds * 1'000'000'000, std::move(read), state_of(path),
                    monotonic_nanos()});
}

void LiveConfig::look() {
  const std::int64_t now = monotonic_nanos();
  for (Followed& file : files_) {
    if (file.interval_nanos == 0 || now - file.looked < file.interval_nanos) continue;
    file.looked = now;
    // While a file is replaced there may be none.
    if (const std::string state = state_of(file.path); !state.empty() && state != file.seen)
      read(file);
  }
}

void LiveConfig::read_all() {
  for (Followed& file : files_) read(file);
}

void LiveConfig::read(Followed& file) {
  file.seen = state_of(file.path);
  try {
    file.read();
    say_(str_cat("The configuration was read again: ", file.what, " of ", file.path));
  } catch (...) {
    say_(str_cat("The configuration could not be read again: ", current_error().what()));
  }
}

}  // namespace rill::serve
