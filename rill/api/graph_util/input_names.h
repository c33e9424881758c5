#pragma once

#include <string_view>

// How the inputs of a NodeDef name nodes and tensors.
namespace rill::graph_util {

// "^x", "x:1" and "x" are all inputs from the node x.
std::string_view node_of(std::string_view input);
inline bool is_control(std::string_view input) { return input.starts_with('^'); }
// Which output of its node a tensor is: 0 for "x", 1 for "x:1".
int output_of(std::string_view input);

}  // namespace rill::graph_util
