#pragma once

#include <string>

#include "rill/runtime/session/session.h"

namespace tensorflow {
class ConfigProto;
class DebugOptions;
class RunMetadata;
class RunOptions;
}  // namespace tensorflow

namespace rill {

// The fields of TensorFlow's messages that mean something here; the others are ignored. So are, as
// they change nothing in a single process: isolate_session_state (every session has its own state;
// in a cluster its master follows it), placement_period (nodes are placed once),
// report_tensor_allocations_upon_oom (the report is always there). Which GPUs are used, and how
// much memory of theirs, is set for the whole process where the message says something about it
// (kernel/device_use.h).
SessionOptions session_options(const tensorflow::ConfigProto& config, std::string target = "");
// The other way, for a session's master elsewhere.
tensorflow::ConfigProto config_proto(const SessionOptions& options);
// Options as programs of TensorFlow write them. Values that make no sense are refused when they are
// used, by Session.
RunOptions run_options(const tensorflow::RunOptions& options);
DebugOptions debug_options(const tensorflow::DebugOptions& options);
void to_proto(const DebugOptions& options, tensorflow::DebugOptions* proto);
// A serialised RunMetadata: step statistics, and graphs and costs where the run kept them.
std::string run_metadata_bytes(const StepStats& stats);
// Adds the same to `metadata`.
void to_proto(const StepStats& stats, tensorflow::RunMetadata* metadata);
// Of a step that was run elsewhere: kept as it is.
void from_proto(const tensorflow::RunMetadata& metadata, StepStats& stats);

}  // namespace rill
