#include "rill/base/stores/aws_credentials.h"

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/json.h"
#include "rill/base/log.h"
#include "rill/base/stores/settings.h"
#include "rill/base/stores/xml_text.h"

namespace rill::stores {
namespace {

constexpr std::int64_t kRenewNanosBefore = std::int64_t{300} * 1'000'000'000;
// A machine that is none of Amazon's must not wait long for what is not there.
constexpr HttpLimits kMetadataLimits{.connect_ms = 1000, .stall_ms = 2000, .whole_ms = 5000};

std::string profile_name() {
  const std::string name = environment_text("AWS_PROFILE");
  return name.empty() ? environment_text("AWS_DEFAULT_PROFILE", "default") : name;
}

std::map<std::string, std::string> section_of(const std::string& path, const std::string& name) {
  const Sections sections = parse_sections(small_file(path).value_or(""));
  const auto found = sections.find(name);
  return found == sections.end() ? std::map<std::string, std::string>{} : found->second;
}

std::map<std::string, std::string> profile() {
  const std::string name = profile_name();
  auto values = section_of(
      environment_text("AWS_SHARED_CREDENTIALS_FILE", home_path(".aws/credentials").c_str()), name);
  values.merge(section_of(environment_text("AWS_CONFIG_FILE", home_path(".aws/config").c_str()),
                          name == "default" ? name : "profile " + name));
  return values;
}

std::string member(const Json& json, std::string_view name) {
  const Json* const found = json.find(name);
  return found != nullptr && found->kind == Json::Kind::string ? found->text : "";
}

}  // namespace

std::string aws_profile_value(const std::string& name) { return profile()[name]; }

AwsKeys AwsCredentials::keys() {
  const std::lock_guard lock(mutex_);
  const bool ends =
      found_.until_nanos > 0 && wall_micros() * 1000 > found_.until_nanos - kRenewNanosBefore;
  if (is_known_ && !ends) return found_.keys;
  Found found = find();
  if (!is_known_ || !found.keys.is_anonymous()) found_ = std::move(found);  // else the old ones
  is_known_ = true;
  return found_.keys;
}

bool AwsCredentials::renew(const AwsKeys& refused) {
  const std::lock_guard lock(mutex_);
  const auto differ = [&](const AwsKeys& keys) {
    return keys.id != refused.id || keys.secret != refused.secret || keys.token != refused.token;
  };
  if (differ(found_.keys)) return true;  // another thread was quicker
  Found found = find();
  if (found.keys.is_anonymous() || !differ(found.keys)) return false;
  found_ = std::move(found);
  return true;
}

AwsCredentials::Found AwsCredentials::find() {
  for (const auto look : {of_environment, of_profile, of_web_identity, of_container, of_instance}) {
    Found found;
    try {
      found = look();
    } catch (const Error&) {  // what answers makes no sense; its text may hold what nobody may see
      log(LogLevel::kWarning, "Credentials of AWS that were found cannot be read");
    }
    if (!found.keys.is_anonymous()) return found;
  }
  return {};
}

AwsCredentials::Found AwsCredentials::of_environment() {
  const AwsKeys keys{environment_text("AWS_ACCESS_KEY_ID"),
                     environment_text("AWS_SECRET_ACCESS_KEY"),
                     environment_text("AWS_SESSION_TOKEN")};
  return keys.secret.empty() ? Found{} : Found{.keys = keys};
}

AwsCredentials::Found AwsCredentials::of_profile() {
  auto values = profile();
  if (values["aws_secret_access_key"].empty()) return {};
  return {.keys = {values["aws_access_key_id"], values["aws_secret_access_key"],
                   values["aws_session_token"]}};
}

AwsCredentials::Found AwsCredentials::of_json(const std::string& text) {
  const Json json = parse_json(text);
  return {
      .keys = {member(json, "AccessKeyId"), member(json, "SecretAccessKey"), member(json, "Token")},
      .until_nanos = nanos_of_date(member(json, "Expiration"))};
}

AwsCredentials::Found AwsCredentials::of_web_identity() {
  const auto token = small_file(environment_text("AWS_WEB_IDENTITY_TOKEN_FILE"));
  const std::string role = environment_text("AWS_ROLE_ARN");
  if (!token || role.empty()) return {};
  const std::string region = environment_text("AWS_REGION", "us-east-1");
  const std::string endpoint = environment_text(
      "AWS_ENDPOINT_URL_STS", str_cat("https://sts.", region, ".amazonaws.com").c_str());
  const Query query{{"Action", "AssumeRoleWithWebIdentity"},
                    {"Version", "2011-06-15"},
                    {"RoleArn", role},
                    {"RoleSessionName", environment_text("AWS_ROLE_SESSION_NAME", "rill")},
                    {"WebIdentityToken", std::string(strip(*token))}};
  const std::string body = url_query(query);
  const auto answer = small_answer({.method = "POST",
                                    .url = endpoint,
                                    .headers = {"Content-Type: application/x-www-form-urlencoded"},
                                    .body = body,
                                    .into = {}},
                                   {.whole_ms = 20'000});
  if (!answer) return {};
  return {.keys = {xml_text(*answer, "AccessKeyId"), xml_text(*answer, "SecretAccessKey"),
                   xml_text(*answer, "SessionToken")},
          .until_nanos = nanos_of_date(xml_text(*answer, "Expiration"))};
}

AwsCredentials::Found AwsCredentials::of_container() {
  const std::string relative = environment_text("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  const std::string url = relative.empty() ? environment_text("AWS_CONTAINER_CREDENTIALS_FULL_URI")
                                           : str_cat("http://169.254.170.2", relative);
  if (url.empty()) return {};
  HttpRequest request{.url = url};
  const auto file = small_file(environment_text("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"));
  const std::string token =
      file ? std::string(strip(*file)) : environment_text("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  if (!token.empty()) request.headers.push_back("Authorization: " + token);
  const auto answer = small_answer(request, kMetadataLimits);
  return answer ? of_json(*answer) : Found{};
}

AwsCredentials::Found AwsCredentials::of_instance() {
  if (environment_flag("AWS_EC2_METADATA_DISABLED", false)) return {};
  const std::string base =
      environment_text("AWS_EC2_METADATA_SERVICE_ENDPOINT", "http://169.254.169.254");
  const auto token = small_answer({.method = "PUT",
                                   .url = base + "/latest/api/token",
                                   .headers = {"X-aws-ec2-metadata-token-ttl-seconds: 21600"}},
                                  kMetadataLimits, /*tries=*/1);
  if (!token) return {};
  HttpRequest request{.url = base + "/latest/meta-data/iam/security-credentials/",
                      .headers = {"X-aws-ec2-metadata-token: " + *token}};
  const auto role = small_answer(request, kMetadataLimits);
  if (!role) return {};
  request.url += url_encoded(strip(role->substr(0, role->find('\n'))));
  const auto answer = small_answer(request, kMetadataLimits);
  return answer ? of_json(*answer) : Found{};
}

}  // namespace rill::stores
