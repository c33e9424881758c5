#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rill/net/http/http_request.h"

namespace rill::board {

// Who may ask. A page of another site must not read the logs through the browser of who looks at
// it: so the name in the Host header is one of this server's, what changes something comes from a
// page of its own, and where others than this machine can connect a token is wanted, in the address
// of the first request and in a cookie of later ones.
class Gate {
 public:
  struct Options {
    std::string host;   // that it listens at
    std::string token;  // "": none is needed
    std::vector<std::string> allowed_hosts;
    std::string cookie_path = "/";
  };
  explicit Gate(Options options) : options_(std::move(options)) {}

  // The answer to who may not; nullopt for who may.
  std::optional<net::HttpResponse> refusal(const net::HttpRequest& request) const;

  static bool is_loopback(std::string_view host);
  static std::string fresh_token();

 private:
  bool knows_host(std::string_view header) const;
  bool has_token(const net::HttpRequest& request) const;

  const Options options_;
};

}  // namespace rill::board
