#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rill/graph/op.h"

namespace rill::opgen {

// The header of TensorFlow's C++ interface for one family of ops: classes of namespace
// tensorflow::ops, in C++11.
struct TensorflowHeader {
  std::string name;  // "math_ops"
  std::vector<const Op*> ops;
};
std::string tensorflow_ops_header(const TensorflowHeader& header);
std::string tensorflow_standard_ops(const std::vector<std::string>& names);

// The headers that TensorFlow's programs include, and one that leads to standard_ops.h.
std::vector<std::string> tensorflow_header_names();
std::string tensorflow_forwarding_header(const std::string& name);

// The name of TensorFlow's header for one of our families: "control" is "control_flow_ops".
std::string tensorflow_header_name(std::string_view family, std::string_view op);

}  // namespace rill::opgen
