#pragma once

#include <compare>
#include <memory>
#include <string>

#include "rill/net/grpc/authorizer.h"
#include "rill/net/grpc/grpc_client.h"
#include "rill/net/socket/tls.h"

namespace rill::cluster {

// How a task or a session shows who it is, and whom a task lets in. What is "" is as the
// environment says: RILL_CLUSTER_CERTIFICATE, RILL_CLUSTER_KEY, RILL_CLUSTER_AUTHORITY,
// RILL_CLUSTER_TOKEN, or RILL_CLUSTER_TOKEN_FILE for a token in a file.
struct SecurityOptions {
  std::string certificate = {}, key = {};  // files, PEM; with both, connections are TLS
  std::string authority = {};              // a file: who signs for the other side
  std::string token = {};                  // whoever knows it is let in

  auto operator<=>(const SecurityOptions&) const = default;
};

SecurityOptions with_environment(SecurityOptions given);

// What a server needs. Throws InvalidArgument or NotFound for files that are not what they should
// be.
struct ServerSecurity {
  std::shared_ptr<net::Tls> tls;                      // null: plain
  std::shared_ptr<const net::Authorizer> authorizer;  // null: calls need no token
  // Whether those alone get in who have a certificate or the token.
  bool knows_clients = false;
};
ServerSecurity server_security(const SecurityOptions& options);

// What calls need; null: nothing. The same for the same options, so that connections are shared.
std::shared_ptr<const net::ClientSecurity> client_security(const SecurityOptions& options);

// "grpc://host:port?token=...&certificate=...&key=...&authority=...".
struct RemoteTarget {
  std::string address;  // "host:port"
  SecurityOptions security;
};
// Throws InvalidArgument for other parameters.
RemoteTarget remote_target(const std::string& target);

}  // namespace rill::cluster
