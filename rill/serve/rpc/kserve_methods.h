#pragma once

#include "rill/serve/rpc/rpc_call.h"

namespace rill::serve {

class Service;

// KServe's inference.GRPCInferenceService; `service` must outlive them.
RpcMethods kserve_methods(const Service& service);

}  // namespace rill::serve
