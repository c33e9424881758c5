#pragma once

namespace rill::cluster {

// From then on sessions may have the target "grpc://host:port". May be called again.
void register_remote_sessions();

}  // namespace rill::cluster
