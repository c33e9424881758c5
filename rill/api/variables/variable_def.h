#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rill/api/variables/variable.h"
#include "tensorflow/core/framework/variable.pb.h"

namespace rill {

// A variable as meta graphs keep it. Nothing when it is outside of `export_scope`; names inside
// lose that prefix.
std::optional<tensorflow::VariableDef> to_variable_def(const Variable& variable,
                                                       std::string_view export_scope = {});

// The variable whose nodes are in the default graph, below `import_scope`; it is in no collection
// yet. Throws NotFound when a node is missing.
Variable from_variable_def(const tensorflow::VariableDef& def, std::string_view import_scope = {});

}  // namespace rill
