#pragma once

#include "rill/net/grpc/rpc_call.h"

namespace rill::serve {

class Service;

// TensorFlow Serving's PredictionService and ModelService, and KServe's methods; `service` must
// outlive them.
net::RpcMethods serving_methods(const Service& service);
// TensorFlow Serving's SessionService: any tensor of a model's graph.
net::RpcMethods session_methods(const Service& service);
// PredictionService's PredictStreamed: requests that are answered one after the other.
net::RpcStreams serving_streams(const Service& service);

// Refuses large requests by what they begin with: the name of the model.
net::RefuseEarly early_refusals(const Service& service);

}  // namespace rill::serve
