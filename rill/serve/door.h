#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>

#include "rill/serve/metrics.h"
#include "rill/serve/rest/http_request.h"
#include "rill/serve/token.h"

namespace rill::serve {

// What stands before the REST interface: whether a request brings the token, and what is told to
// who watches the server. All of it may change while requests come. Safe from several threads at
// once.
class Door {
 public:
  Door(HttpHandler inside, const Metrics& metrics)
      : inside_(std::move(inside)), metrics_(metrics) {}

  void handle(HttpRequest request, const HttpReply& reply) const;

  Token& token() { return token_; }
  void set_prometheus_path(std::string path);  // "": none
  // From now on the server says that it is not ready.
  void close() { is_closing_ = true; }

 private:
  bool is_prometheus_path(std::string_view path) const;

  const HttpHandler inside_;
  const Metrics& metrics_;
  Token token_;
  std::atomic<bool> is_closing_ = false;
  mutable std::mutex mutex_;
  std::string prometheus_path_;  // guarded by mutex_
};

}  // namespace rill::serve
