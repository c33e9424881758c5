#pragma once

#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill {

// A stream is one of "stderr", "stdout", "log(info)" and its levels, or "file://path", to which it
// appends. summarize = -1 shows all elements.
struct PrintOptions {
  std::string output_stream = "stderr";  // "stdout", "log(info)", "file://path", ...
  std::optional<int> summarize = {};     // first and last elements of each dimension shown; 3
  std::string end = "\n";
  std::string sep = " ";
  std::string name = {};
};
// An operation that writes `inputs`, one after the other: texts and numbers as they are, tensors by
// their values when it runs. It must be run, or be a control input of what is run. Throws
// InvalidArgument for a stream that does not exist.
//
//   Node& shown = print({"loss:", loss}, {.output_stream = "stdout"});
Node& print(const Inputs& inputs, const PrintOptions& options = {},
            std::source_location at = std::source_location::current());

// The same for a text in which the values of `tensors` stand at each `placeholder`.
Node& print_formatted(const std::string& text, const Inputs& tensors,
                      const std::string& placeholder, const PrintOptions& options = {},
                      std::source_location at = std::source_location::current());

// A placeholder that does not occur in `text` by chance: "{}" or one that begins with it. Texts
// that a user wrote may hold braces, which must not be taken for a tensor's place.
std::string placeholder_for(const std::string& text);

struct PrintThroughOptions {
  std::string message = {};
  std::optional<int> first_n = {};    // how often it prints; always
  std::optional<int> summarize = {};  // elements shown of each tensor; 3
  std::string name = {};
};
// tf.Print: `input`; writes `data` to standard error as it passes. Where nobody uses the result,
// nothing is written.
Output Print(const Input& input, const Inputs& data, const PrintThroughOptions& options = {},
             std::source_location at = std::source_location::current());

struct TimestampOptions {
  std::string name = {};
};
// The seconds since the Unix epoch when it runs.
Output timestamp(const TimestampOptions& options = {},
                 std::source_location at = std::source_location::current());

}  // namespace rill
