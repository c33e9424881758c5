#include "rill/serve/http_frontend.h"

#include <algorithm>

#include "rill/serve/live_profile.h"

namespace rill::serve {
namespace {

// What anybody may ask: whether the server lives, and the page, which asks with the token.
constexpr std::string_view kOpenPaths[] = {
    "/", "/favicon.ico", "/livez", "/readyz", "/healthz", "/v2/health/live", "/v2/health/ready"};
constexpr std::string_view kProfilePath = "/debug/profile";
constexpr std::string_view kReadyPaths[] = {"/readyz", "/healthz", "/v2/health/ready"};

bool is_one_of(std::string_view path, std::span<const std::string_view> paths) {
  return std::ranges::find(paths, path) != paths.end();
}

}  // namespace

void HttpFrontend::set_prometheus_path(std::string path) {
  const std::lock_guard lock(mutex_);
  prometheus_path_ = std::move(path);
}

bool HttpFrontend::is_prometheus_path(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  return !prometheus_path_.empty() && path == prometheus_path_;
}

net::HttpResponse HttpFrontend::metrics_answer(const net::HttpRequest& request) const {
  constexpr std::string_view kOpenMetrics = "application/openmetrics-text";
  const bool is_open = request.header("accept").find(kOpenMetrics) != std::string_view::npos;
  return {.content_type = is_open ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                  : "text/plain; version=0.0.4; charset=utf-8",
          .body = metrics_.prometheus(is_open)};
}

void HttpFrontend::handle(net::HttpRequest request, const net::HttpReply& reply) const {
  const std::string_view path =
      std::string_view(request.target).substr(0, request.target.find('?'));
  const bool is_get = request.method == "GET";
  if (is_get && is_closing_ && is_one_of(path, kReadyPaths))
    return reply(
        {.status = 503, .content_type = "text/plain", .body = "the server is shutting down\n"});
  // Browsers ask what they may send before they send it, without what they may not.
  const bool is_open = (is_get && is_one_of(path, kOpenPaths)) || request.method == "OPTIONS";
  if (!is_open && token_.is_needed())
    if (const auto error = token_.refusal(request.authorization))
      return reply({.status = 401,
                    .body = str_cat("{ \"error\": \"", error->message(), "\" }"),
                    .headers = {{"WWW-Authenticate", "Bearer"}}});
  if (is_get && is_prometheus_path(path)) return reply(metrics_answer(request));
  if (is_get && path == kProfilePath && has_profiles_) return answer_profile(request, reply);
  inside_(std::move(request), reply);
}

}  // namespace rill::serve
