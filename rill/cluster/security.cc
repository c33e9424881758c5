#include "rill/cluster/security.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

#include "rill/base/error.h"

namespace rill::cluster {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string text_of(const std::string& path, const char* what) {
  if (path.empty()) return {};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) raise(Code::kNotFound, "The ", what, " of the cluster cannot be read: ", path);
  return std::move(text).str();
}

std::string without_line_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

void check(const SecurityOptions& options) {
  require(options.certificate.empty() == options.key.empty(),
          "A certificate of a cluster needs its key, and a key its certificate");
  for (const char letter : options.token)
    require(letter > ' ' && letter <= '~',
            "The token of a cluster must be printable ASCII without spaces");
}

bool is_tls(const SecurityOptions& options) {
  return !options.certificate.empty() || !options.authority.empty();
}

net::TlsFiles files_of(const SecurityOptions& options) {
  return {.key = text_of(options.key, "key"),
          .certificate = text_of(options.certificate, "certificate"),
          .client_authority = text_of(options.authority, "authority"),
          .verify_client = !options.authority.empty()};
}

class TokenAuthorizer final : public net::Authorizer {
 public:
  explicit TokenAuthorizer(const std::string& token) : wanted_("Bearer " + token) {}
  bool is_needed() const override { return true; }
  std::optional<Error> refusal(std::string_view authorization) const override {
    if (is_equal(authorization)) return {};
    return Error(Code::kUnauthenticated,
                 authorization.empty()
                     ? "This cluster wants a token, and the call has none: set RILL_CLUSTER_TOKEN"
                     : "The call's token is not that of this cluster");
  }

 private:
  // In a time that does not tell how much of it is right.
  bool is_equal(std::string_view given) const {
    unsigned char differs = given.size() == wanted_.size() ? 0 : 1;
    for (std::size_t i = 0; i < given.size(); ++i)
      differs |= static_cast<unsigned char>(given[i] ^ wanted_[i % wanted_.size()]);
    return differs == 0;
  }
  const std::string wanted_;
};

}  // namespace

SecurityOptions with_environment(SecurityOptions given) {
  if (given.certificate.empty() && given.key.empty()) {
    given.certificate = environment("RILL_CLUSTER_CERTIFICATE");
    given.key = environment("RILL_CLUSTER_KEY");
  }
  if (given.authority.empty()) given.authority = environment("RILL_CLUSTER_AUTHORITY");
  if (given.token.empty()) given.token = environment("RILL_CLUSTER_TOKEN");
  if (given.token.empty())
    given.token = without_line_end(text_of(environment("RILL_CLUSTER_TOKEN_FILE"), "token"));
  check(given);
  return given;
}

ServerSecurity server_security(const SecurityOptions& options) {
  const SecurityOptions all = with_environment(options);
  ServerSecurity made;
  if (!all.certificate.empty()) made.tls = std::make_shared<net::Tls>(files_of(all));
  if (!all.token.empty()) made.authorizer = std::make_shared<TokenAuthorizer>(all.token);
  made.knows_clients = !all.token.empty() || (made.tls != nullptr && !all.authority.empty());
  return made;
}

std::shared_ptr<const net::ClientSecurity> client_security(const SecurityOptions& options) {
  const SecurityOptions all = with_environment(options);
  if (all == SecurityOptions()) return nullptr;
  static std::mutex mutex;
  static auto& known = *new std::map<SecurityOptions, std::shared_ptr<const net::ClientSecurity>>;
  const std::lock_guard lock(mutex);
  auto& made = known[all];
  if (made == nullptr)
    made = std::make_shared<const net::ClientSecurity>(net::ClientSecurity{
        .tls = is_tls(all) ? net::tls_for_clients(files_of(all)) : nullptr, .token = all.token});
  return made;
}

RemoteTarget remote_target(const std::string& target) {
  constexpr std::string_view kScheme = "grpc://";
  RemoteTarget remote;
  const std::string text = target.substr(target.starts_with(kScheme) ? kScheme.size() : 0);
  const std::size_t mark = text.find('?');
  remote.address = text.substr(0, mark);
  if (mark == std::string::npos) return remote;
  const std::map<std::string_view, std::string SecurityOptions::*> fields{
      {"certificate", &SecurityOptions::certificate},
      {"key", &SecurityOptions::key},
      {"authority", &SecurityOptions::authority},
      {"token", &SecurityOptions::token}};
  for (const std::string_view part : split(std::string_view(text).substr(mark + 1), '&')) {
    const std::size_t equal = part.find('=');
    const auto field = fields.find(part.substr(0, equal));
    require(equal != part.npos && field != fields.end(), "A session's target takes certificate=, ",
            "key=, authority= and token=, and not ", quoted(part.substr(0, equal)));
    remote.security.*field->second = part.substr(equal + 1);
  }
  return remote;
}

}  // namespace rill::cluster
