#include "rill/base/stores/azure_client.h"

#include <openssl/evp.h>

#include <ctime>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/stores/digests.h"
#include "rill/base/stores/retries.h"
#include "rill/base/stores/settings.h"
#include "rill/base/stores/xml_text.h"

namespace rill::stores {
namespace {

constexpr const char* kServiceVersion = "2019-12-12";
// Of the emulator that everybody may start, as its documentation gives them.
constexpr const char* kEmulatorKey =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
constexpr const char* kEmulatorAddress = "http://127.0.0.1:10000";

std::string http_date() {
  const std::time_t now = wall_micros() / 1'000'000;
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  char rest[32];
  const std::size_t size = std::strftime(rest, sizeof rest, " %Y %H:%M:%S GMT", &utc);
  return str_cat(kDays[utc.tm_wday], ", ", utc.tm_mday < 10 ? "0" : "", utc.tm_mday, " ",
                 kMonths[utc.tm_mon], std::string_view(rest, size));
}

std::string base64_bytes(const std::string& text) {
  std::string bytes(text.size() / 4 * 3 + 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  require(size >= 0,
          "the key of the Azure storage account is not base64; see TF_AZURE_STORAGE_KEY");
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return bytes;
}

// "AccountName=a;AccountKey=b==;BlobEndpoint=http://..."
std::string part_of_connection(std::string_view name) {
  const std::string connection = environment_text("AZURE_STORAGE_CONNECTION_STRING");
  for (const std::string_view part : split(connection, ';')) {
    const std::size_t equals = part.find('=');
    if (equals != part.npos && lower(part.substr(0, equals)) == name)
      return std::string(part.substr(equals + 1));
  }
  return "";
}

std::string first_known(std::initializer_list<std::string> texts) {
  for (const std::string& text : texts)
    if (!text.empty()) return text;
  return "";
}

bool is_told_by_azure(long status) { return status == 404 || status == 412 || status == 416; }

}  // namespace

std::string container_of(const Place& place) { return place.key.substr(0, place.key.find('/')); }

std::string blob_of(const Place& place) {
  const std::size_t slash = place.key.find('/');
  return slash == place.key.npos ? "" : place.key.substr(slash + 1);
}

std::string shared_key_text(const std::string& method, const std::string& account,
                            const std::string& path, const Query& query,
                            const std::map<std::string, std::string>& headers, std::size_t length) {
  const auto value = [&](const char* name) {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  };
  std::string text = str_cat(method, "\n", value("content-encoding"), "\n",
                             value("content-language"), "\n", length > 0 ? str_cat(length) : "");
  for (const char* name : {"content-md5", "content-type", "date", "if-modified-since", "if-match",
                           "if-none-match", "if-unmodified-since", "range"})
    text += str_cat("\n", value(name));
  text += "\n";
  for (const auto& [name, header] : headers)
    if (name.starts_with("x-ms-")) text += str_cat(name, ":", strip(header), "\n");
  text += str_cat("/", account, path);
  for (const auto& [name, asked] : query) text += str_cat("\n", lower(name), ":", asked);
  return text;
}

AzureClient::AzureClient()
    : endpoint_(first_known({environment_text("TF_AZURE_STORAGE_BLOB_ENDPOINT"),
                             part_of_connection("blobendpoint")})),
      is_local_(environment_flag("TF_AZURE_STORAGE_USE_DEV_STORAGE", false)),
      uses_https_(!environment_flag("TF_AZURE_STORAGE_USE_HTTP", false)) {
  const std::string key =
      first_known({environment_text("TF_AZURE_STORAGE_KEY"), environment_text("AZURE_STORAGE_KEY"),
                   part_of_connection("accountkey"), is_local_ ? kEmulatorKey : ""});
  if (!key.empty()) key_ = base64_bytes(key);
  signature_ = first_known(
      {environment_text("AZURE_STORAGE_SAS_TOKEN"), part_of_connection("sharedaccesssignature")});
  if (signature_.starts_with('?')) signature_.erase(0, 1);
  if (is_local_ && endpoint_.empty()) endpoint_ = kEmulatorAddress;
  if (!endpoint_.empty() && endpoint_.find("://") == endpoint_.npos)
    endpoint_ = str_cat(uses_https_ && !is_local_ ? "https://" : "http://", endpoint_);
  while (endpoint_.ends_with('/')) endpoint_.pop_back();
}

// Servers of one's own have the account in the path.
std::string AzureClient::base_of(const std::string& account) const {
  if (endpoint_.empty())
    return str_cat(uses_https_ ? "https://" : "http://", account, ".blob.core.windows.net");
  const bool is_named = endpoint_.ends_with("/" + account) ||
                        endpoint_.find(str_cat("://", account, ".")) != endpoint_.npos;
  return is_named ? endpoint_ : str_cat(endpoint_, "/", account);
}

std::string AzureClient::address_of(const Place& place) const {
  return str_cat(base_of(place.bucket), "/", url_encoded(container_of(place)), "/",
                 url_encoded(blob_of(place), /*keeps_slash=*/true),
                 key_.empty() && !signature_.empty() ? "?" + signature_ : "");
}

HttpAnswer AzureClient::exchange(const AzureRequest& request) const {
  const std::string base = base_of(request.place.bucket);
  std::string path = str_cat("/", url_encoded(container_of(request.place)));
  if (!request.names_container)
    path += str_cat("/", url_encoded(blob_of(request.place), /*keeps_slash=*/true));
  HttpRequest sent{.method = request.method,
                   .url = base + path,
                   .headers = {},
                   .body = request.body,
                   .into = request.into};
  const bool is_shared = key_.empty() && !signature_.empty();
  const std::string query = url_query(request.query);
  for (const std::string& part : {query, is_shared ? signature_ : std::string()})
    if (!part.empty()) sent.url += str_cat(sent.url.find('?') == base.npos ? "?" : "&", part);
  auto headers = request.headers;
  headers["x-ms-version"] = kServiceVersion;
  headers["x-ms-date"] = http_date();
  if (!key_.empty()) {
    const std::size_t host = base.find("://") + 3, slash = base.find('/', host);
    const std::string before = slash == base.npos ? "" : base.substr(slash);
    const std::string text = shared_key_text(request.method, request.place.bucket, before + path,
                                             request.query, headers, request.body.size());
    headers["authorization"] =
        str_cat("SharedKey ", request.place.bucket, ":", base64_text(hmac_sha256(key_, text)));
  }
  for (const auto& [name, value] : headers) sent.headers.push_back(str_cat(name, ": ", value));
  sent.headers.push_back("Content-Type:");  // none of libcurl's own, which would be signed, too
  HttpAnswer answer = http_exchange(sent, limits_);
  if (answer.is_good() && answer.filled != request.into.size())
    raise(Code::kUnavailable, "the server sent ", answer.filled, " bytes of ", request.into.size());
  return answer;
}

HttpAnswer AzureClient::send(const AzureRequest& request) const {
  for (Retries retries;;) {
    HttpAnswer answer;
    try {
      answer = exchange(request);
    } catch (const Error& error) {
      if (retries.again()) continue;
      raise(error.code(), request.place.path, "; ", error.message(), " (", request.method, ", ",
            base_of(request.place.bucket), ", ", retries.tries(),
            " tries); see TF_AZURE_STORAGE_BLOB_ENDPOINT, TF_AZURE_STORAGE_USE_HTTP");
    }
    if (answer.is_good() || is_told_by_azure(answer.status)) return answer;
    if (is_passing(answer.status) && retries.again(seconds_to_wait(answer))) continue;
    raise_answer(request, answer, retries.tries());
  }
}

HttpAnswer AzureClient::must(const AzureRequest& request) const {
  HttpAnswer answer = send(request);
  if (!answer.is_good()) raise_answer(request, answer, 1);
  return answer;
}

void AzureClient::raise_answer(const AzureRequest& request, const HttpAnswer& answer,
                               int tries) const {
  const std::string code =
      first_known({answer.header("x-ms-error-code"), xml_text(answer.body, "Code")});
  const bool is_refused = answer.status == 401 || answer.status == 403;
  const bool is_anonymous = key_.empty() && signature_.empty();
  const std::string text =
      str_cat(code.empty() ? "the server refused it" : code, ": ", xml_text(answer.body, "Message"),
              " (", request.method, ", status ", answer.status, ", request ",
              first_known({answer.header("x-ms-request-id"), "unknown"}),
              tries > 1 ? str_cat(", ", tries, " tries") : "", ")",
              !is_refused    ? ""
              : is_anonymous ? "; no credentials were found: set TF_AZURE_STORAGE_KEY, or "
                               "AZURE_STORAGE_SAS_TOKEN"
                             : "; check TF_AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN");
  raise(is_refused ? Code::kPermissionDenied : code_of_status(answer.status), request.place.path,
        "; ", without_secrets(text, {base64_text(key_), signature_}));
}

}  // namespace rill::stores
