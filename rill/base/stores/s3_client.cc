#include "rill/base/stores/s3_client.h"

#include <cstdlib>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/stores/digests.h"
#include "rill/base/stores/retries.h"
#include "rill/base/stores/settings.h"
#include "rill/base/stores/xml_text.h"

namespace rill::stores {
namespace {

constexpr int kMostMended = 4;
constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

std::string amazon_endpoint(const std::string& region) {
  return region == "us-east-1" ? "https://s3.amazonaws.com"
                               : str_cat("https://s3.", region, ".amazonaws.com");
}

std::string first_of(std::initializer_list<std::string> texts) {
  for (const std::string& text : texts)
    if (!text.empty()) return text;
  return "";
}

std::string given_endpoint() {
  const std::string endpoint =
      first_of({environment_text("S3_ENDPOINT"), environment_text("AWS_ENDPOINT_URL_S3"),
                environment_text("AWS_ENDPOINT_URL")});
  if (endpoint.empty() || endpoint.find("://") != endpoint.npos)
    return endpoint.ends_with('/') ? endpoint.substr(0, endpoint.size() - 1) : endpoint;
  return str_cat(environment_flag("S3_USE_HTTPS", true) ? "https://" : "http://", endpoint);
}

// Some calls answer 200 and find out later that they failed.
bool is_error(const HttpAnswer& answer) {
  return !answer.is_good() || answer.body.find("<Error>") < 200;
}

bool is_told(long status) {
  return status == 304 || status == 404 || status == 412 || status == 416;
}

// Other bytes arrived than were sent, or less.
bool is_other_bytes(const std::string& code) {
  return code == "XAmzContentSHA256Mismatch" || code == "BadDigest" || code == "IncompleteBody";
}

bool is_passing_code(const std::string& code) {
  return code == "SlowDown" || code == "RequestTimeout" || code == "InternalError" ||
         code == "ServiceUnavailable" || code == "Throttling" || code == "RequestLimitExceeded" ||
         is_other_bytes(code);
}

}  // namespace

S3Client::S3Client() {
  const std::string endpoint = given_endpoint();
  has_own_endpoint_ = !endpoint.empty();
  default_.region =
      first_of({environment_text("AWS_REGION"), environment_text("S3_REGION"),
                environment_text("AWS_DEFAULT_REGION"), aws_profile_value("region"), "us-east-1"});
  default_.base = has_own_endpoint_ ? endpoint : amazon_endpoint(default_.region);
  if (!has_own_endpoint_ && !environment_flag("S3_USE_HTTPS", true)) default_.base.erase(4, 1);
  limits_.connect_ms = environment_millis("S3_CONNECT_TIMEOUT_MSEC", limits_.connect_ms);
  limits_.stall_ms = environment_millis("S3_REQUEST_TIMEOUT_MSEC", limits_.stall_ms);
  limits_.verifies = environment_flag("S3_VERIFY_SSL", true);
  limits_.authorities =
      first_of({environment_text("S3_CA_FILE"), environment_text("AWS_CA_BUNDLE")});
  limits_.folder = environment_text("S3_CA_PATH");
}

S3Client::Where S3Client::where_is(const std::string& bucket) {
  const std::lock_guard lock(mutex_);
  const auto found = elsewhere_.find(bucket);
  return found == elsewhere_.end() ? default_ : found->second;
}

HttpAnswer S3Client::exchange(const S3Request& request, const AwsKeys& keys) {
  const Where where = where_is(request.place.bucket);
  V4Request signing{.method = request.method,
                    .path = str_cat("/", url_encoded(request.place.bucket)),
                    .query = request.query,
                    .headers = request.headers,
                    .payload_sum = hex_text(sha256_bytes(request.body))};
  if (!request.names_bucket)
    signing.path += str_cat("/", url_encoded(request.place.key, /*keeps_slash=*/true));
  const std::int64_t now = wall_micros() / 1'000'000 + skew_seconds_;
  signing.headers["host"] = where.base.substr(where.base.find("://") + 3);
  signing.headers["x-amz-content-sha256"] = signing.payload_sum;
  signing.headers["x-amz-date"] = v4_time(now);
  if (!keys.token.empty()) signing.headers["x-amz-security-token"] = keys.token;
  HttpRequest sent{.method = request.method,
                   .url = str_cat(where.base, signing.path),
                   .headers = {},
                   .body = request.body,
                   .into = request.into};
  if (!request.query.empty()) sent.url += "?" + url_query(request.query);
  for (const auto& [name, value] : signing.headers)
    sent.headers.push_back(str_cat(name, ": ", value));
  if (!keys.is_anonymous())
    sent.headers.push_back("authorization: " + sign_v4(signing, keys, where.region, "s3", now));
  HttpAnswer answer = http_exchange(sent, limits_);
  if (answer.is_good() && answer.filled != request.into.size())
    raise(Code::kUnavailable, "the server sent ", answer.filled, " bytes of ", request.into.size());
  return answer;
}

HttpAnswer S3Client::send(const S3Request& request) {
  int mended = 0;
  for (Retries retries;;) {
    const AwsKeys keys = credentials_.keys();
    HttpAnswer answer;
    try {
      answer = exchange(request, keys);
    } catch (const Error& error) {
      if (retries.again()) continue;
      raise(error.code(), request.place.path, "; ", error.message(), " (", request.method, ", ",
            where_is(request.place.bucket).base, ", ", retries.tries(),
            " tries); see S3_ENDPOINT, S3_USE_HTTPS, S3_VERIFY_SSL, S3_CA_FILE");
    }
    if (!is_error(answer) || is_told(answer.status)) return answer;
    if (mended++ < kMostMended && mend(request, answer, keys)) continue;
    const std::string code = xml_text(answer.body, "Code");
    const bool may_pass = is_passing(answer.status) || is_passing_code(code);
    if (may_pass && retries.again(seconds_to_wait(answer))) continue;
    raise_answer(request, answer, retries.tries());
  }
}

bool S3Client::mend(const S3Request& request, const HttpAnswer& answer, const AwsKeys& used) {
  const std::string code = xml_text(answer.body, "Code");
  if (code == "RequestTimeTooSkewed") {
    const std::int64_t theirs = nanos_of_date(answer.header("date"));
    skew_seconds_ = theirs / kNanosPerSecond - wall_micros() / 1'000'000;
    return theirs > 0;
  }
  const bool keys_ended = code == "ExpiredToken" || code == "TokenRefreshRequired" ||
                          code == "InvalidToken" || code == "InvalidAccessKeyId";
  if (keys_ended) return credentials_.renew(used);
  return follow(request.place.bucket, answer, code);
}

bool S3Client::follow(const std::string& bucket, const HttpAnswer& answer,
                      const std::string& code) {
  const bool moves = answer.status == 301 || answer.status == 307 ||
                     code == "AuthorizationHeaderMalformed" || code == "PermanentRedirect";
  if (!moves) return false;
  const Where before = where_is(bucket);
  Where now = before;
  const std::string region =
      first_of({answer.header("x-amz-bucket-region"), xml_text(answer.body, "Region")});
  const std::string location = answer.header("location");
  const std::size_t host = location.find("://");
  if (host != location.npos && answer.status == 307) {
    // Nobody is sent from where others cannot listen to where they can.
    if (before.base.starts_with("https:") && !location.starts_with("https:")) return false;
    now.base = location.substr(0, location.find_first_of("/?", host + 3));
  }
  if (!region.empty()) {
    now.region = region;
    if (!has_own_endpoint_) now.base = amazon_endpoint(region);
  }
  const std::lock_guard lock(mutex_);
  elsewhere_[bucket] = now;
  return now.base != before.base || now.region != before.region;
}

std::string S3Client::hint(const std::string& code, long status, const AwsKeys& keys) const {
  if (status == 403 && keys.is_anonymous())
    return "; no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or "
           "AWS_PROFILE";
  if (code == "InvalidAccessKeyId" || code == "SignatureDoesNotMatch")
    return "; check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
  if (code == "ExpiredToken" || code == "InvalidToken") return "; set a new AWS_SESSION_TOKEN";
  if (status == 301 || code == "AuthorizationHeaderMalformed") return "; check AWS_REGION";
  return "";
}

void S3Client::raise_answer(const S3Request& request, const HttpAnswer& answer, int tries) {
  const AwsKeys keys = credentials_.keys();
  const std::string code = xml_text(answer.body, "Code");
  const std::string text = str_cat(
      code.empty() ? "the server refused it" : code, ": ", xml_text(answer.body, "Message"), " (",
      request.method, ", status ", answer.status, ", request ",
      first_of({answer.header("x-amz-request-id"), xml_text(answer.body, "RequestId"), "unknown"}),
      tries > 1 ? str_cat(", ", tries, " tries") : "", ")", hint(code, answer.status, keys));
  const bool is_ended = code == "ExpiredToken" || code == "InvalidToken";
  const Code kind = is_ended               ? Code::kPermissionDenied
                    : is_other_bytes(code) ? Code::kDataLoss
                    : answer.is_good()     ? Code::kUnavailable
                                           : code_of_status(answer.status);
  raise(kind, request.place.path, "; ", without_secrets(text, {keys.secret, keys.token}));
}

}  // namespace rill::stores
