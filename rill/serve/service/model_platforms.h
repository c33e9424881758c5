#pragma once

#include <map>
#include <string>

#include "rill/serve/model/model_adapter.h"
#include "rill/serve/service/platforms.h"

namespace rill::serve {

// What loads the models of each platform. Without a file (a PlatformConfigMap as text) there is
// "tensorflow", and `model` says how; with one, it says which there are, and what it says of models
// replaces what flags say of their sessions, tags, warm-up and batching. Throws InvalidArgument for
// a platform that nobody knows, and names fields that have no effect in the log.
std::map<std::string, PathAdapterRef> model_platforms(const ModelOptions& model,
                                                      const std::string& config_file);

}  // namespace rill::serve
