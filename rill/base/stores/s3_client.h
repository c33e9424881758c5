#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include "rill/base/stores/aws_credentials.h"
#include "rill/base/stores/http_exchange.h"
#include "rill/base/stores/object_store.h"

namespace rill::stores {

struct S3Request {
  std::string method = "GET";
  const Place& place;
  Query query = {};
  std::map<std::string, std::string> headers = {};  // names in lower case
  std::string_view body = {};
  std::span<char> into = {};
  bool names_bucket = false;  // the bucket itself, not the key
};

// Requests to S3 and to what speaks its language, signed, and tried again where that may help: when
// the connection or the server fails, keys expire, clocks differ, or a bucket is in another region.
//
// S3_ENDPOINT (or AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL), S3_USE_HTTPS, S3_VERIFY_SSL, S3_CA_FILE,
// S3_CA_PATH, S3_CONNECT_TIMEOUT_MSEC, S3_REQUEST_TIMEOUT_MSEC, AWS_REGION.
class S3Client {
 public:
  S3Client();
  // The answer: a good one, or one of status 304, 404, 412 or 416. Everything else is thrown.
  HttpAnswer send(const S3Request& request);
  // Raises what an answer says.
  [[noreturn]] void raise_answer(const S3Request& request, const HttpAnswer& answer, int tries);

 private:
  struct Where {
    std::string base, region;  // base: "https://host:port"
  };
  Where where_is(const std::string& bucket);
  HttpAnswer exchange(const S3Request& request, const AwsKeys& keys);
  // Whether something was wrong that is right now.
  bool mend(const S3Request& request, const HttpAnswer& answer, const AwsKeys& used);
  bool follow(const std::string& bucket, const HttpAnswer& answer, const std::string& code);
  std::string hint(const std::string& code, long status, const AwsKeys& keys) const;

  bool has_own_endpoint_ = false;
  Where default_;
  HttpLimits limits_;
  AwsCredentials credentials_;
  std::atomic<std::int64_t> skew_seconds_ = 0;  // the server's clock less ours
  std::mutex mutex_;
  std::map<std::string, Where> elsewhere_;  // buckets; guarded by mutex_
};

}  // namespace rill::stores
