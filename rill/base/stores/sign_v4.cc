#include "rill/base/stores/sign_v4.h"

#include <ctime>

#include "rill/base/stores/digests.h"
#include "rill/base/text.h"

namespace rill::stores {

std::string v4_time(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm utc{};
  ::gmtime_r(&time, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &utc)};
}

std::string sign_v4(const V4Request& request, const AwsKeys& keys, std::string_view region,
                    std::string_view service, std::int64_t seconds) {
  std::string lines, names;
  for (const auto& [name, value] : request.headers) {
    lines += str_cat(name, ":", strip(value), "\n");
    names += str_cat(names.empty() ? "" : ";", name);
  }
  const std::string canonical =
      str_cat(request.method, "\n", request.path, "\n", url_query(request.query), "\n", lines, "\n",
              names, "\n", request.payload_sum);
  const std::string time = v4_time(seconds), day = time.substr(0, 8);
  const std::string scope = str_cat(day, "/", region, "/", service, "/aws4_request");
  const std::string to_sign =
      str_cat("AWS4-HMAC-SHA256\n", time, "\n", scope, "\n", hex_text(sha256_bytes(canonical)));
  std::string key = str_cat("AWS4", keys.secret);
  for (const std::string_view part :
       {std::string_view(day), region, service, std::string_view("aws4_request")})
    key = hmac_sha256(key, part);
  return str_cat("AWS4-HMAC-SHA256 Credential=", keys.id, "/", scope, ", SignedHeaders=", names,
                 ", Signature=", hex_text(hmac_sha256(key, to_sign)));
}

}  // namespace rill::stores
