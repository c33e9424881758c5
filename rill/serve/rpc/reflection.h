#pragma once

#include "rill/serve/rpc/rpc_call.h"

namespace rill::serve {

// gRPC's reflection, versions 1 and 1alpha: clients that have no .proto files ask for the services
// of these methods and for the files that describe them.
RpcConversations reflection(const RpcMethods& methods);

}  // namespace rill::serve
