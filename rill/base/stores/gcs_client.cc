#include "rill/base/stores/gcs_client.h"

#include "rill/base/error.h"
#include "rill/base/json.h"
#include "rill/base/stores/retries.h"
#include "rill/base/stores/settings.h"

namespace rill::stores {
namespace {

constexpr long kMillisPerSecond = 1000;

bool is_told_by_gcs(long status) {
  return status == 308 || status == 404 || status == 412 || status == 416;
}

std::string server_address() {
  const std::string given = environment_text("CLOUD_STORAGE_EMULATOR_ENDPOINT",
                                             environment_text("STORAGE_EMULATOR_HOST").c_str());
  if (given.empty()) return "https://storage.googleapis.com";
  std::string address = given.find("://") == given.npos ? "http://" + given : given;
  while (address.ends_with('/')) address.pop_back();
  return address;
}

std::string message_of(const HttpAnswer& answer) {
  try {
    const Json json = parse_json(answer.body);
    const Json* const error = json.find("error");
    const Json* const message = error == nullptr ? nullptr : error->find("message");
    return message == nullptr ? "the server refused it" : message->text;
  } catch (const Error&) {  // some other page
    return "the server refused it";
  }
}

}  // namespace

GcsClient::GcsClient()
    : base_(server_address()),
      // "name:value", as TensorFlow has it
      extra_header_(environment_text("GCS_ADDITIONAL_REQUEST_HEADER")) {
  limits_.connect_ms = environment_millis("GCS_REQUEST_CONNECTION_TIMEOUT_SECS", limits_.connect_ms,
                                          kMillisPerSecond);
  limits_.stall_ms =
      environment_millis("GCS_REQUEST_IDLE_TIMEOUT_SECS", limits_.stall_ms, kMillisPerSecond);
  metadata_ms_ = environment_millis("GCS_METADATA_REQUEST_TIMEOUT_SECS", 0, kMillisPerSecond);
  read_ms_ = environment_millis("GCS_READ_REQUEST_TIMEOUT_SECS", 0, kMillisPerSecond);
  write_ms_ = environment_millis("GCS_WRITE_REQUEST_TIMEOUT_SECS", 0, kMillisPerSecond);
}

HttpAnswer GcsClient::exchange(const GcsRequest& request, const std::string& token) {
  HttpRequest sent{.method = request.method,
                   .url = request.path.starts_with('/') ? base_ + request.path : request.path,
                   .headers = request.headers,
                   .body = request.body,
                   .into = request.into};
  if (!request.query.empty()) sent.url += "?" + url_query(request.query);
  if (!token.empty()) sent.headers.push_back("Authorization: Bearer " + token);
  if (!extra_header_.empty()) sent.headers.push_back(extra_header_);
  HttpLimits limits = limits_;
  limits.whole_ms = !request.into.empty()   ? read_ms_
                    : !request.body.empty() ? write_ms_
                                            : metadata_ms_;
  HttpAnswer answer = http_exchange(sent, limits);
  if (answer.is_good() && answer.filled != request.into.size())
    raise(Code::kUnavailable, "the server sent ", answer.filled, " bytes of ", request.into.size());
  return answer;
}

HttpAnswer GcsClient::send(const GcsRequest& request) {
  bool is_renewed = false;
  for (Retries retries;;) {
    const std::string token = tokens_.token();
    HttpAnswer answer;
    try {
      answer = exchange(request, token);
    } catch (const Error& error) {
      if (!request.is_once && retries.again()) continue;
      raise(error.code(), request.place.path, "; ", error.message(), " (", request.method, ", ",
            base_, ", ", retries.tries(), " tries)");
    }
    if (answer.is_good() || is_told_by_gcs(answer.status)) return answer;
    if (answer.status == 401 && !is_renewed) {
      is_renewed = true;
      if (tokens_.renew(token)) continue;
    }
    if (is_passing(answer.status) && !request.is_once && retries.again(seconds_to_wait(answer)))
      continue;
    raise_answer(request, answer, retries.tries());
  }
}

HttpAnswer GcsClient::must(const GcsRequest& request) {
  HttpAnswer answer = send(request);
  if (!answer.is_good()) raise_answer(request, answer, 1);
  return answer;
}

void GcsClient::raise_answer(const GcsRequest& request, const HttpAnswer& answer, int tries) {
  const std::string token = tokens_.token();
  const bool is_refused = answer.status == 401 || answer.status == 403;
  const std::string id = answer.header("x-guploader-uploadid");
  const std::string text =
      str_cat(message_of(answer), " (", request.method, ", status ", answer.status, ", request ",
              id.empty() ? "unknown" : id, tries > 1 ? str_cat(", ", tries, " tries") : "", ")",
              is_refused && token.empty()
                  ? "; no credentials were found: set GOOGLE_APPLICATION_CREDENTIALS"
                  : "");
  raise(is_refused ? Code::kPermissionDenied : code_of_status(answer.status), request.place.path,
        "; ", without_secrets(text, {token}));
}

}  // namespace rill::stores
