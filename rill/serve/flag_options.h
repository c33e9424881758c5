#pragma once

#include "rill/serve/flags.h"
#include "rill/serve/server.h"

namespace rill::serve {

// What the flags and the files that they name say. Throws InvalidArgument with TensorFlow Serving's
// texts where it has some.
ServerOptions server_options(const ServerFlags& flags);
messages::ModelServerConfig model_config(const ServerFlags& flags);

}  // namespace rill::serve
