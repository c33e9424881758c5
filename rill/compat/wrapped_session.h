#pragma once

#include <memory>

#include "rill/runtime/session/session.h"
#include "tensorflow/core/public/session.h"

namespace tensorflow {

// A session of the library as one of TensorFlow's.
std::unique_ptr<Session> wrapped_session(std::shared_ptr<rill::Graph> graph,
                                         std::unique_ptr<rill::Session> session);
// The same, of one that others own and that stays as long.
std::unique_ptr<Session> wrapped_session(std::shared_ptr<rill::Graph> graph,
                                         rill::Session& session);

}  // namespace tensorflow
