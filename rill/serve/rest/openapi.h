#pragma once

#include <string>
#include <vector>

#include "rill/serve/service/server_core.h"

namespace rill::serve {

// What can be asked over HTTP, as an OpenAPI 3 document: the paths of these models, what their
// signatures take and give, and examples that can be sent as they are. Each model is the version
// that answers when none is named, or the one that was asked for.
std::string openapi_document(const std::vector<Handle>& models);

}  // namespace rill::serve
