#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rill::net {

// What a request was, for logs and traces. The network notes what it knows when the request has
// come, whoever answers the rest before the answer; nobody reads it earlier.
struct CallRecord {
  std::string id;                   // its x-request-id: the client's, or one that was made for it
  std::string traceparent;          // as the client sent it; "" if it did not
  std::string method;               // "/package.Service/Method", "POST /v1/..."
  std::string peer;                 // "127.0.0.1:4711"
  std::int64_t began_micros = 0;    // since the Unix epoch
  std::int64_t received_nanos = 0;  // of monotonic_nanos()

  std::string model, signature;
  std::int64_t version = 0;
  std::int64_t run_began_nanos = 0, run_ended_nanos = 0;  // of its step, waiting included
};

// The id that a request keeps: what the client sent, if it is one that logs and headers can hold,
// or a new one.
std::string request_id(std::string_view given);

}  // namespace rill::net
