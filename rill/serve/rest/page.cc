#include "rill/serve/rest/page.h"

#include <cstdio>
#include <random>

#include "rill/base/text.h"

namespace rill::serve {
namespace {

constexpr std::string_view kPage =
#include "rill/serve/rest/page.html.inc"
    ;
constexpr std::string_view kNonce = "@NONCE@";

std::string fresh_nonce() {
  std::random_device random;
  std::string nonce;
  for (int i = 0; i < 4; ++i) {
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(random()));
    nonce += digits;
  }
  return nonce;
}

}  // namespace

net::HttpResponse page_response() {
  const std::string nonce = fresh_nonce();
  std::string page(kPage);
  for (std::size_t at = page.find(kNonce); at != std::string::npos; at = page.find(kNonce, at))
    page.replace(at, kNonce.size(), nonce);
  // Nothing but what came with the page runs, and it talks to this server alone.
  const std::string policy =
      str_cat("default-src 'none'; script-src 'nonce-", nonce, "'; style-src 'nonce-", nonce,
              "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; ",
              "frame-ancestors 'none'");
  return {.content_type = "text/html; charset=utf-8",
          .body = std::move(page),
          .headers = {{"Content-Security-Policy", policy},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cache-Control", "no-store"}}};
}

}  // namespace rill::serve
