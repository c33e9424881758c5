#pragma once

#include <string>

#include "rill/net/http/http_server.h"
#include "rill/serve/service/service.h"

namespace rill::serve {

struct RestOptions {
  std::string prometheus_path;  // "": none
  bool cors = false;
  std::size_t max_body_bytes = std::size_t{1} << 30;  // after unpacking
};

// TensorFlow Serving's REST interface: paths, JSON and status codes. Also /livez, /readyz and
// /healthz, KServe's below /v2, /openapi.json, and a page for people at /. Takes every request:
// HttpFrontend stands before it.
class RestApi {
 public:
  RestApi(const Service& service, const RestOptions& options)
      : service_(service), options_(options) {}
  // An answer for a request that would be refused, whatever is in its body.
  std::optional<net::HttpResponse> early_refusal(const net::HttpRequest& head,
                                                 const RequestLimits& limits) const;
  void handle(net::HttpRequest request, net::HttpReply reply) const;

 private:
  const Service& service_;
  const RestOptions options_;
};

int http_status(Code code);
net::HttpResponse error_response(const Error& error);

}  // namespace rill::serve
