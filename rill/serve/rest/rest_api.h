#pragma once

#include <string>

#include "rill/serve/rest/http_server.h"
#include "rill/serve/service.h"

namespace rill::serve {

struct RestOptions {
  std::string prometheus_path;  // "": none
  bool cors = false;
  std::string token;  // that requests must bring, but for health checks; "": none
  std::size_t most_body_bytes = std::size_t{1} << 30;  // after unpacking
};

// TensorFlow Serving's REST interface: paths, JSON and status codes. Also /livez, /readyz and
// /healthz, KServe's below /v2, /openapi.json, and a page for people at /.
class RestApi {
 public:
  RestApi(const Service& service, const RestOptions& options)
      : service_(service), options_(options) {}
  void handle(HttpRequest request, HttpReply reply) const;

 private:
  const Service& service_;
  const RestOptions options_;
};

int http_status(Code code);
HttpResponse error_response(const Error& error);

}  // namespace rill::serve
