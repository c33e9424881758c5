#include "rill/runtime/session.h"

#include "rill/api/core/default_graph.h"

namespace rill {

Session::Session(const SessionOptions& options) : Session(default_graph(), options) {}

}  // namespace rill
