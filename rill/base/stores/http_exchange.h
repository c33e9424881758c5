#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rill::stores {

// When a server is given up, and whom to trust. Values of 0 and "" are libcurl's.
struct HttpLimits {
  long connect_ms = 10'000;
  long stall_ms = 30'000;                     // with less than a kilobyte a second for so long
  long whole_ms = 0;                          // of a request; 0: as long as it moves
  bool verifies = true;                       // certificates of https
  std::string authorities = {}, folder = {};  // file and directory of certificates to trust
};

struct HttpRequest {
  std::string method = "GET", url = {};
  std::vector<std::string> headers = {};  // "Name: value"
  std::string_view body = {};             // outlives the request
  std::span<char> into = {};              // where the body of a good answer goes, instead of `body`
};

struct HttpAnswer {
  long status = 0;
  std::map<std::string, std::string, std::less<>> headers;  // names in lower case
  std::string body;
  std::size_t filled = 0;  // bytes of `into`
  bool is_good() const { return status >= 200 && status < 300; }
  std::string header(std::string_view name) const;  // "" where there is none
};

// One request over one of the connections that this process keeps; redirections are answers. Throws
// Unavailable or DeadlineExceeded, without the address, when no whole answer comes.
HttpAnswer http_exchange(const HttpRequest& request, const HttpLimits& limits);

// What a URL may hold as it is stays, the rest becomes %XX; with `keeps_slash` slashes stay, too.
std::string url_encoded(std::string_view text, bool keeps_slash = false);
std::string url_decoded(std::string_view text);
using Query = std::map<std::string, std::string>;
std::string url_query(const Query& query);  // "a=b&c=", in the order of names

}  // namespace rill::stores
