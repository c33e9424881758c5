#include "rill/base/stores/gcs_tokens.h"

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/json.h"
#include "rill/base/log.h"
#include "rill/base/stores/digests.h"
#include "rill/base/stores/settings.h"

namespace rill::stores {
namespace {

constexpr std::int64_t kMicrosPerSecond = 1'000'000;
constexpr std::int64_t kRenewMicrosBefore = 300 * kMicrosPerSecond;
constexpr const char* kTokenServer = "https://oauth2.googleapis.com/token";

std::string text_member(const Json& json, std::string_view name, const char* otherwise = "") {
  const Json* const found = json.find(name);
  return found != nullptr && found->kind == Json::Kind::string ? found->text : otherwise;
}

// What a service account shows to get a token: who it is, signed with its key.
std::string assertion(const Json& account, const std::string& audience) {
  const std::int64_t now = wall_micros() / kMicrosPerSecond;
  const std::string head = str_cat("{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":",
                                   json_quoted(text_member(account, "private_key_id")), "}");
  const std::string claim =
      str_cat("{\"iss\":", json_quoted(text_member(account, "client_email")),
              ",\"scope\":\"https://www.googleapis.com/auth/devstorage.full_control\",\"aud\":",
              json_quoted(audience), ",\"iat\":", now, ",\"exp\":", now + 3600, "}");
  const std::string text = str_cat(base64url_text(head), ".", base64url_text(claim));
  return str_cat(text, ".", base64url_text(rsa_sha256(text_member(account, "private_key"), text)));
}

std::string well_known_file() {
  const std::string folder =
      environment_text("CLOUDSDK_CONFIG", home_path(".config/gcloud").c_str());
  return folder.empty() ? "" : folder + "/application_default_credentials.json";
}

}  // namespace

std::string GcsTokens::token() {
  const std::lock_guard lock(mutex_);
  const bool ends =
      found_.until_micros > 0 && wall_micros() > found_.until_micros - kRenewMicrosBefore;
  if (is_known_ && !ends) return found_.token;
  Found found = find();
  if (!is_known_ || !found.token.empty()) found_ = std::move(found);
  is_known_ = true;
  return found_.token;
}

bool GcsTokens::renew(const std::string& refused) {
  const std::lock_guard lock(mutex_);
  if (found_.token != refused) return true;  // another thread was quicker
  Found found = find();
  if (found.token.empty() || found.token == refused) return false;
  found_ = std::move(found);
  return true;
}

GcsTokens::Found GcsTokens::find() {
  const std::string given = environment_text("GOOGLE_AUTH_TOKEN_FOR_TESTING");
  if (!given.empty()) return {.token = given};
  for (const std::string& path :
       {environment_text("GOOGLE_APPLICATION_CREDENTIALS"), well_known_file()}) {
    try {
      if (Found found = of_file(path); !found.token.empty()) return found;
    } catch (const Error&) {  // its text may hold what nobody may see
      log(LogLevel::kWarning, "The credentials in ", path, " cannot be used");
    }
  }
  return of_machine();
}

GcsTokens::Found GcsTokens::of_file(const std::string& path) {
  const auto text = small_file(path);
  if (!text) return {};
  const Json account = parse_json(*text);
  const std::string server = text_member(account, "token_uri", kTokenServer);
  Query query;
  if (text_member(account, "type") == "service_account")
    query = {{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"},
             {"assertion", assertion(account, server)}};
  else
    query = {{"grant_type", "refresh_token"},
             {"client_id", text_member(account, "client_id")},
             {"client_secret", text_member(account, "client_secret")},
             {"refresh_token", text_member(account, "refresh_token")}};
  const std::string body = url_query(query);
  const auto answer = small_answer({.method = "POST",
                                    .url = server,
                                    .headers = {"Content-Type: application/x-www-form-urlencoded"},
                                    .body = body},
                                   {.whole_ms = 20'000});
  return answer ? of_answer(*answer) : Found{};
}

GcsTokens::Found GcsTokens::of_machine() {
  if (environment_flag("NO_GCE_CHECK", false)) return {};
  const std::string host = environment_text("GCE_METADATA_HOST", "metadata.google.internal");
  const auto answer =
      small_answer({.url = str_cat("http://", host,
                                   "/computeMetadata/v1/instance/service-accounts/default/token"),
                    .headers = {"Metadata-Flavor: Google"}},
                   {.connect_ms = 1000, .stall_ms = 2000, .whole_ms = 5000}, /*tries=*/1);
  if (!answer) return {};
  try {
    return of_answer(*answer);
  } catch (const Error&) {  // somebody else's page
    return {};
  }
}

GcsTokens::Found GcsTokens::of_answer(const std::string& text) {
  const Json json = parse_json(text);
  long long seconds = 0;
  const Json* const lasts = json.find("expires_in");
  Found found{.token = text_member(json, "access_token")};
  if (lasts != nullptr && lasts->is_count(&seconds))
    found.until_micros = wall_micros() + seconds * kMicrosPerSecond;
  return found;
}

}  // namespace rill::stores
