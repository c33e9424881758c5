#pragma once

#include <string>

#include "rill/inspect/profiler/view.h"

namespace tensorflow::tfprof {
class GraphNodeProto;
class MultiGraphNodeProto;
}  // namespace tensorflow::tfprof

namespace rill::profiler {

enum class ViewKind { scope, graph, op, code };
ViewKind view_kind(const std::string& command);  // throws InvalidArgument
RowPtr make_view(const ProfiledModel& model, ViewKind kind, const ProfileOptions& options);

// A view as a person reads it: what its columns mean, then a line for each row.
std::string report_text(const ProfiledModel& model, ViewKind kind, const Row& root,
                        const ProfileOptions& options);

// The same as messages: of scope and graph, and of op and code.
void to_proto(const ProfiledModel& model, const Row& root, const ProfileOptions& options,
              tensorflow::tfprof::GraphNodeProto* proto);
void to_proto(const ProfiledModel& model, ViewKind kind, const Row& root,
              const ProfileOptions& options, tensorflow::tfprof::MultiGraphNodeProto* proto);

}  // namespace rill::profiler
