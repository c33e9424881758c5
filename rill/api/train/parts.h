#pragma once

#include "rill/api/variables/variable.h"

namespace rill::train {

// Arithmetic as Python's operators make it: the nodes are called mul, add, sub, truediv, pow.
Output mul(const Input& x, const Input& y);
Output add(const Input& x, const Input& y);
Output sub(const Input& x, const Input& y);
Output truediv(const Input& x, const Input& y);
Output pow(const Input& x, const Input& y);

// tf.cast: a tensor of that type already is left alone; a variable of it is read by who uses it.
Output cast(const Input& x, DType dtype, std::string_view name = "Cast");
Input cast(const Variable& x, DType dtype);

// The node that wrote `variable` when `result` is what an assignment to it returned.
Node& write_of(const Variable& variable, Output result);

// tf.group in the current scope.
Node& group_all(const std::vector<Node*>& nodes, std::string_view name = "group_deps");

}  // namespace rill::train
