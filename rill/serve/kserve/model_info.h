#pragma once

#include <string>

#include "inference/grpc_inference_service.pb.h"
#include "rill/serve/service/service.h"

namespace rill::serve {

// Which model: `version` is a number, a label, or "" for the highest.
messages::ModelSpec kserve_spec(const std::string& name, const std::string& version);
bool is_model_ready(const ServerCore& core, const messages::ModelSpec& spec);

inference::ServerMetadataResponse kserve_server();
// What a model takes and gives by default, with the versions of it that can be asked. Throws
// NotFound.
inference::ModelMetadataResponse kserve_metadata(const ServerCore& core,
                                                 const messages::ModelSpec& spec);

// Every version of every model that is configured, as Triton's repository extension lists them.
inference::RepositoryIndexResponse kserve_index(const ServerCore& core, bool only_ready);

// Throws Unimplemented for parameters whose meaning would change the answer and that are not known
// here, such as shared memory.
void check_kserve_parameter(std::string_view name);

}  // namespace rill::serve
