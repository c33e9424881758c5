#pragma once

#include <map>
#include <string>

#include "rill/graph/op.h"

namespace rill {

// A debug op as a watch writes it: "Name" or "Name(key=value;key=value)".
struct DebugOpText {
  std::string name;
  std::map<std::string, std::string> attrs;
};

// Throws InvalidArgument for a malformed text or a key that comes twice.
DebugOpText parse_debug_op(const std::string& text);

// The attributes with the types that `op` gives them. Throws InvalidArgument naming every key that
// the op does not have, or a value that does not fit.
AttrMap debug_op_attrs(const DebugOpText& text, const Op& op);

}  // namespace rill
