#pragma once

#include <string>

#include "rill/runtime/session.h"

namespace tensorflow {
class ConfigProto;
class RunMetadata;
class RunOptions;
}  // namespace tensorflow

namespace rill {

// The fields of TensorFlow's messages that mean something here; the others are ignored.
SessionOptions session_options(const tensorflow::ConfigProto& config, std::string target = "");
RunOptions run_options(const tensorflow::RunOptions& options);
void to_proto(const StepStats& stats, tensorflow::RunMetadata* metadata);

}  // namespace rill
