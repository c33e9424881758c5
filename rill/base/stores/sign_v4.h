#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "rill/base/stores/http_exchange.h"

namespace rill::stores {

struct AwsKeys {
  std::string id, secret, token;  // token: of keys that expire; "" of others
  bool is_anonymous() const { return id.empty(); }
};

// A request before it is signed. Names of headers in lower case, `host` among them.
struct V4Request {
  std::string method, path;  // path: encoded
  Query query;
  std::map<std::string, std::string> headers;
  std::string payload_sum;  // SHA-256 in hexadecimal digits, or UNSIGNED-PAYLOAD
};

// Signature Version 4 of AWS: the value of the header Authorization. `seconds` since the epoch are
// the request's time, which its header x-amz-date has too.
std::string sign_v4(const V4Request& request, const AwsKeys& keys, std::string_view region,
                    std::string_view service, std::int64_t seconds);
std::string v4_time(std::int64_t seconds);  // "20130524T000000Z"

}  // namespace rill::stores
