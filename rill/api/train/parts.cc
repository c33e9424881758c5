#include "rill/api/train/parts.h"

#include <algorithm>

#include "rill/api/gen/math.h"
#include "rill/graph/builders.h"

namespace rill::train {

Output cast_in_block(const Input& x, DType dtype, std::string_view name) {
  if (x.is_output() && base_type(x.output().dtype()) == dtype) return x.output();
  const Block in(name, "", std::source_location::current());
  const Output given = as_tensor(x, "x");
  if (base_type(given.dtype()) == dtype) return given;
  return raw::Cast(given, dtype, {.name = in.own_name()});
}

Input cast_in_block(const Variable& x, DType dtype) {
  if (x.dtype() == dtype) return x;
  return cast_in_block(Input(x), dtype);
}

Node& write_of(const Variable& variable, Output result) {
  if (!variable.is_resource()) return *result.node;
  const auto& before = result.node->control_inputs();  // the write is the youngest of them
  return before.empty() ? *result.node : **std::ranges::max_element(before, {}, &Node::id);
}

Node& group_all(const std::vector<Node*>& nodes, std::string_view name) {
  return group(current_scope(), std::span(nodes), name);
}

}  // namespace rill::train
