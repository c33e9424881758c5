#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "rill/base/error.h"
#include "rill/graph/graph.h"

namespace rill {

// Attached to a graph by whoever knows its variables: the call that initialises one of them, as
// "tf.global_variables_initializer()", or "" where nothing is known of it.
struct InitializerHints {
  std::atomic<std::string (*)(Graph& graph, std::string_view variable)> find = nullptr;
};

// What to add to an error about a variable or a table without a value: which initializer to run;
// "" for other errors.
std::string initializer_hint(const Error& error, Graph& graph);

}  // namespace rill
