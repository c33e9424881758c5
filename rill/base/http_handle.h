#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>

namespace rill {

struct HttpHandleDeleter {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
using HttpHandle = std::unique_ptr<CURL, HttpHandleDeleter>;

// A handle of libcurl for requests to one address: redirections are followed, a server that says
// nothing is given up, proxies are those of the environment (http_proxy, https_proxy, no_proxy).
HttpHandle http_handle(const std::string& url);
// Makes a handle that was reset such a one again.
void set_http_defaults(CURL* curl, const std::string& url);

// Raises what a status of 300 and above means, with the address.
[[noreturn]] void raise_http_status(const std::string& url, long status);
// Raises what went wrong with a request.
[[noreturn]] void raise_http_failure(const std::string& url, CURLcode result);

}  // namespace rill
