#pragma once

#include <map>
#include <string>

#include "rill/serve/config/config_messages.h"
#include "rill/serve/core/file_system_source.h"

namespace rill::serve {

using Labels = std::map<std::string, std::int64_t>;  // to versions

// What a configuration says of one model.
struct ConfiguredModel {
  std::string platform;
  WatchedModel watched;
  Labels labels;
};
using ConfiguredModels = std::map<std::string, ConfiguredModel>;  // by name

// Throws InvalidArgument naming the model that is listed twice, has no platform, or lies at a
// relative path; Unimplemented for a configuration of another kind than a list.
ConfiguredModels checked_models(const tensorflow::serving::ModelServerConfig& config);

// A configuration of one model.
tensorflow::serving::ModelServerConfig single_model(const std::string& name,
                                                    const std::string& base_path);
// From a file in protobuf's text form; throws InvalidArgument with the line where that ends.
tensorflow::serving::ModelServerConfig read_model_config(const std::string& path);

}  // namespace rill::serve
