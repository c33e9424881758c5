#pragma once

#include "rill/net/grpc/rpc_call.h"

namespace rill::serve {

class Service;

// KServe's inference.GRPCInferenceService; `service` must outlive them.
net::RpcMethods kserve_methods(const Service& service);

}  // namespace rill::serve
