#include "rill/serve/flag_files.h"

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/serve/config/config_file.h"
#include "tensorflow_serving/config/monitoring_config.pb.h"
#include "tensorflow_serving/config/ssl_config.pb.h"

namespace rill::serve {
namespace {

constexpr const char* kPrometheusPath = "/monitoring/prometheus/metrics";

}  // namespace

net::TlsFiles read_tls_files(const ServerFlags& flags) {
  tensorflow::serving::SSLConfig config;
  read_text_config(flags.ssl_config_file, &config);
  return {config.server_key(), config.server_cert(), config.custom_ca(), config.client_verify()};
}

std::string read_token(const ServerFlags& flags) {
  if (flags.auth_token_file.empty()) return {};
  std::string token(strip(read_file(flags.auth_token_file)));
  require(!token.empty(), flags.auth_token_file, " holds no token");
  return token;
}

std::string read_prometheus_path(const ServerFlags& flags) {
  if (flags.monitoring_config_file.empty()) return {};
  tensorflow::serving::MonitoringConfig config;
  read_text_config(flags.monitoring_config_file, &config);
  if (!config.prometheus_config().enable()) return {};
  const std::string& path = config.prometheus_config().path();
  require(path.empty() || path.starts_with('/'), flags.monitoring_config_file, ": the path ", path,
          " does not begin with /");
  return path.empty() ? kPrometheusPath : path;
}

}  // namespace rill::serve
