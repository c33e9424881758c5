#include "rill/board/gate.h"

#include <algorithm>
#include <cstdio>
#include <random>

#include "rill/base/text.h"
#include "rill/board/plugin/question.h"

namespace rill::board {
namespace {

constexpr std::string_view kCookie = "rill_board_token";

// "name" of "name:80" and "::1" of "[::1]:80", in lower case.
std::string name_of_host(std::string_view host) {
  if (host.starts_with('[')) return lower(host.substr(1, host.find(']') - 1));
  return lower(host.substr(0, host.find(':')));
}

bool is_number_address(std::string_view name) {
  return !name.empty() && (name.find_first_not_of("0123456789.") == std::string_view::npos ||
                           name.find(':') != std::string_view::npos);
}

// Takes as long for a wrong one as for a right one.
bool is_equal(std::string_view given, std::string_view token) {
  unsigned char difference = given.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned char>(given[i] ^ token[i % token.size()]);
  return difference == 0;
}

std::string_view cookie_of(std::string_view cookies) {
  for (const std::string_view one : split(cookies, ';')) {
    const std::string_view cookie = strip(one);
    if (cookie.starts_with(kCookie) && cookie.substr(kCookie.size()).starts_with('='))
      return cookie.substr(kCookie.size() + 1);
  }
  return "";
}

net::HttpResponse refused(int status, std::string text) {
  return {.status = status, .content_type = "text/plain; charset=utf-8", .body = std::move(text)};
}

}  // namespace

bool Gate::is_loopback(std::string_view host) {
  const std::string name = lower(host);
  return name == "localhost" || name == "::1" || name.starts_with("127.") ||
         name == "ip6-localhost" || name.starts_with("unix:");
}

std::string Gate::fresh_token() {
  std::random_device random;
  std::string token;
  for (int i = 0; i < 4; ++i) {
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(random()));
    token += digits;
  }
  return token;
}

bool Gate::knows_host(std::string_view header) const {
  const std::string name = name_of_host(header);
  const auto is_name = [&](const std::string& known) { return lower(known) == name; };
  if (name.empty() || is_loopback(name) || is_name(options_.host) ||
      std::ranges::any_of(options_.allowed_hosts, is_name))
    return true;
  // Names can be made to lead anywhere; numbers lead where they say. With a token a name is no
  // danger: who rebinds it does not have the cookie.
  return !is_loopback(options_.host) && (is_number_address(name) || !options_.token.empty());
}

bool Gate::has_token(const net::HttpRequest& request) const {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view authorization = request.authorization;
  if (authorization.starts_with(kScheme))
    return is_equal(authorization.substr(kScheme.size()), options_.token);
  if (is_equal(cookie_of(request.header("cookie")), options_.token)) return true;
  return is_equal(Question(request, request.target).parameter_or("token", ""), options_.token);
}

std::optional<net::HttpResponse> Gate::refusal(const net::HttpRequest& request) const {
  const std::string_view host = request.header("host");
  if (!knows_host(host))
    return refused(
        403, "This server is not known under that name. If a proxy uses it: --allowed_host.\n");
  const bool changes = request.method != "GET" && request.method != "HEAD";
  if (changes && !request.origin.empty()) {
    const std::size_t scheme = request.origin.find("://");
    const std::string_view origin =
        scheme == std::string::npos ? "" : std::string_view(request.origin).substr(scheme + 3);
    if (origin != host &&
        !std::ranges::any_of(options_.allowed_hosts, [&](const std::string& known) {
          return lower(known) == name_of_host(origin);
        }))
      return refused(403, "Pages of other sites may not ask.\n");
  }
  if (options_.token.empty() || has_token(request)) return std::nullopt;
  return refused(401, "This page needs the token that was printed when the server started.\n");
}

}  // namespace rill::board
