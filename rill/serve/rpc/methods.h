#pragma once

#include "rill/net/grpc/rpc_call.h"

namespace rill::serve {

class Service;

// TensorFlow Serving's PredictionService and ModelService, and KServe's methods; `service` must
// outlive them.
net::RpcMethods serving_methods(const Service& service);

}  // namespace rill::serve
