#pragma once

#include <functional>
#include <map>
#include <string>

#include "rill/runtime/session/session.h"

namespace rill::saved_model {

// Runs a step in whatever way: gets texts to feed, by tensor, and the name of what to run.
using RunTarget =
    std::function<void(const std::map<std::string, std::string>& feeds, const std::string& what)>;
RunTarget steps_of(Session& session);  // which must outlive it

}  // namespace rill::saved_model
