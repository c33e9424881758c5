#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rill/net/call_limits.h"

namespace rill::net {

struct HttpRequest {
  std::string method;  // "GET"
  std::string target;  // as it was sent: path and query
  std::string body;
  std::string content_type, content_encoding, origin, authorization;
  std::int64_t deadline_nanos = 0;  // of monotonic_nanos()
  std::function<bool()> is_gone;    // whether the client has left
  std::int64_t received_nanos = 0;  // when the whole of it had come, of monotonic_nanos()

  std::shared_ptr<CallRecord> record;  // never null in requests that a server has

  CallLimits limits() const { return {deadline_nanos, is_gone, received_nanos, record}; }
  // Any header, by a name in lower case; "" when there is none, the first of several.
  std::string_view header(std::string_view name) const;

  struct Field {
    std::uint32_t name = 0, name_size = 0, value = 0, value_size = 0;
  };
  std::string head;           // the request line and the headers, as they were sent
  std::vector<Field> fields;  // where the headers are in it
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

using HttpReply = std::function<void(HttpResponse)>;

// Answers a request by calling `reply` once, from any thread, possibly before it returns. Does not
// throw.
using HttpHandler = std::function<void(HttpRequest, HttpReply reply)>;

// What is sent before the body: status line and headers.
std::string response_head(const HttpResponse& response, bool keep_alive);

}  // namespace rill::net
