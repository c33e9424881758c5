#pragma once

#include "rill/serve/model/requests.h"
#include "tensorflow_serving/apis/session_service.pb.h"

namespace rill::serve {

// What a SessionRunRequest asks of a model: tensors of its graph, or of its default signature by
// their names there (tensor_name_is_alias). What it fetches runs, whatever that changes for others.
// Targets are Unimplemented. As the functions of requests.h.
void session_run(const ModelServable& model, const messages::SessionRunRequest& request,
                 messages::SessionRunResponse* response, const RequestLimits& limits, Done done);

}  // namespace rill::serve
