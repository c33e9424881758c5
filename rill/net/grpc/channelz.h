#pragma once

#include "rill/net/grpc/rpc_call.h"

namespace rill::net {

struct GrpcHost;

// grpc.channelz.v1: what connections there are, who is at the other end, and what they did. `host`
// must outlive the methods.
RpcMethods channelz(GrpcHost& host);

}  // namespace rill::net
