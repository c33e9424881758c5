#pragma once

#include "rill/net/grpc/rpc_call.h"

namespace rill::serve {

class Service;

// KServe's inference.GRPCInferenceService; `service` must outlive them.
net::RpcMethods kserve_methods(const Service& service);
// Triton's stream of such requests, which are answered one after the other.
net::RpcStreams kserve_streams(const Service& service);

}  // namespace rill::serve
