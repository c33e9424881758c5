#include "rill/base/http_handle.h"

#include "rill/base/error.h"

namespace rill {
namespace {

constexpr long kConnectSeconds = 30;
constexpr long kStallSeconds = 60;  // without a byte for so long, a server is given up
constexpr long kMaxRedirects = 10;

}  // namespace

HttpHandle http_handle(const std::string& url) {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  HttpHandle handle(ready == CURLE_OK ? curl_easy_init() : nullptr);
  if (handle == nullptr) raise(Code::kInternal, url, "; libcurl could not be started");
  set_http_defaults(handle.get(), url);
  return handle;
}

void set_http_defaults(CURL* curl, const std::string& url) {
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, kMaxRedirects);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, kStallSeconds);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "rill");
}

void raise_http_status(const std::string& url, long status) {
  const Code code = status == 404 || status == 410   ? Code::kNotFound
                    : status == 401 || status == 403 ? Code::kPermissionDenied
                    : status == 408 || status == 504 ? Code::kDeadlineExceeded
                    : status == 429 || status >= 500 ? Code::kUnavailable
                                                     : Code::kFailedPrecondition;
  raise(code, url, "; the server answered with status ", status);
}

void raise_http_failure(const std::string& url, CURLcode result) {
  raise(result == CURLE_OPERATION_TIMEDOUT ? Code::kDeadlineExceeded : Code::kUnavailable, url,
        "; ", curl_easy_strerror(result));
}

}  // namespace rill
