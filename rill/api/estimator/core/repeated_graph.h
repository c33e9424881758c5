#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rill/runtime/session/session.h"

// Estimators build the same graph again and again. What was made for one of them can serve the next
// only if nobody can tell.
namespace rill::estimator {

// Whether runs of `nodes` and all they need leave nothing behind in a session and give the same
// whether or not there were runs before: they read variables and tables but change none, draw no
// random numbers and call no program. They may advance iterators whose initializers are among
// `nodes`.
bool leaves_no_trace(std::span<Node* const> nodes);

// What has to be fed in runs of `before` so that they do what runs of `now` do: nothing where the
// graphs are the same; values of constants that only the sources of datasets read. None where the
// graphs differ otherwise.
// Of `before` only the first `node_count` nodes count: those that came later prepared its session.
std::optional<std::vector<Feed>> differing_data(const Graph& before, const Graph& now,
                                                int node_count);

}  // namespace rill::estimator
