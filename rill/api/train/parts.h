#pragma once

#include "rill/api/math/operators.h"
#include "rill/api/variables/variable.h"

namespace rill::train {

// The operators by name, for what is made inside of an optimizer's blocks.
inline Output mul(const Input& x, const Input& y) { return operators::mul(x, y, {}); }
inline Output add(const Input& x, const Input& y) { return operators::add(x, y, {}); }
inline Output sub(const Input& x, const Input& y) { return operators::sub(x, y, {}); }
inline Output truediv(const Input& x, const Input& y) { return operators::truediv(x, y, {}); }
inline Output pow(const Input& x, const Input& y) { return operators::pow(x, y, {}); }

// tf.cast: a tensor of that type already is left alone; a variable of it is read by who uses it.
Output cast_in_block(const Input& x, DType dtype, std::string_view name = "Cast");
Input cast_in_block(const Variable& x, DType dtype);

// The node that wrote `variable` when `result` is what an assignment to it returned.
Node& write_of(const Variable& variable, Output result);

inline std::string name_or(const std::string& name, const char* otherwise) {
  return name.empty() ? otherwise : name;
}

// tf.group in the current scope.
Node& group_all(const std::vector<Node*>& nodes, std::string_view name = "group_deps");

}  // namespace rill::train
