#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>

#include "rill/net/http/http_request.h"
#include "rill/serve/metrics/metrics.h"
#include "rill/serve/token.h"

namespace rill::serve {

// What stands before the REST interface: whether a request brings the token, and what is told to
// who watches the server. All of it may change while requests come. Safe from several threads at
// once.
class HttpFrontend {
 public:
  // `metrics` and `token` must outlive it.
  HttpFrontend(net::HttpHandler inside, const Metrics& metrics, const Token& token)
      : inside_(std::move(inside)), metrics_(metrics), token_(token) {}

  void handle(net::HttpRequest request, const net::HttpReply& reply) const;
  // Whether this request may ask at all.
  bool lets_in(const net::HttpRequest& head) const {
    return !token_.is_needed() || !token_.refusal(head.authorization);
  }

  void set_prometheus_path(std::string path);  // "": none
  // From now on /debug/profile answers.
  void allow_profiles() { has_profiles_ = true; }
  // From now on the server says that it is not ready.
  void close() { is_closing_ = true; }

 private:
  bool is_prometheus_path(std::string_view path) const;
  net::HttpResponse metrics_answer(const net::HttpRequest& request) const;

  const net::HttpHandler inside_;
  const Metrics& metrics_;
  const Token& token_;
  std::atomic<bool> is_closing_ = false, has_profiles_ = false;
  mutable std::mutex mutex_;
  std::string prometheus_path_;  // guarded by mutex_
};

}  // namespace rill::serve
