#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rill/net/grpc/grpc_host.h"

namespace rill::net {

// Has connections follow what gRPC's channel arguments say; those that mean nothing here are
// returned.
std::vector<std::string> apply_channel_arguments(
    const std::vector<std::pair<std::string, std::string>>& arguments, GrpcHost* host);

}  // namespace rill::net
