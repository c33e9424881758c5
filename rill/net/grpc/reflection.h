#pragma once

#include "rill/net/grpc/rpc_call.h"

namespace rill::net {

// gRPC's reflection, versions 1 and 1alpha: clients that have no .proto files ask for the services
// of these methods and for the files that describe them.
RpcConversations reflection(const RpcMethods& methods, const RpcStreams& streams);

}  // namespace rill::net
