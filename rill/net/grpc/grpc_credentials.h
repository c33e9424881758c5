#pragma once

#include <grpcpp/security/server_credentials.h>

#include <memory>

#include "rill/net/socket/tls.h"

namespace rill::net {

// What connections of gRPC are secured with: each that begins asks `tls` anew, whose keys may be
// replaced meanwhile. None: they are not secured.
std::shared_ptr<grpc::ServerCredentials> grpc_credentials(const std::shared_ptr<Tls>& tls);

}  // namespace rill::net
