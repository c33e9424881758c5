#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rill::net {

// Sends `body` to "http://host[:port]/path" and returns the status of the answer, whose body is not
// kept. Waits, for `timeout_ms` at most. Throws InvalidArgument for another kind of address,
// Unavailable when nobody answers.
int http_post(const std::string& url, std::string_view content_type, std::string_view body,
              std::int64_t timeout_ms);
// Throws InvalidArgument for what http_post() would refuse.
void check_http_url(const std::string& url);

}  // namespace rill::net
