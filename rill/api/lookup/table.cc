#include "rill/api/lookup/table.h"

#include <vector>

#include "rill/api/core/made_here.h"
#include "rill/api/core/texts.h"
#include "rill/base/error.h"
#include "rill/graph/graph.h"

namespace rill::lookup {

Output LookupTable::checked_keys(const Input& keys) const {
  const Output tensor = as_tensor(keys, "keys", keys.is_value() ? key_dtype_ : DType::invalid);
  require_type(base_type(tensor.dtype()) == key_dtype_,
               "Dtype of argument `keys` must be <dtype: '", dtype_text(key_dtype_),
               "'>, received: <dtype: '", dtype_text(base_type(tensor.dtype())), "'>");
  return tensor;
}

void TableNode::set_handle(Output handle) {
  handle_ = handle;
  const std::string& node = handle.node->name();
  name_ = node.empty() ? "hash_table" : node.substr(node.rfind('/') + 1);
}

Scope TableNode::scope(bool beside) const {
  return beside ? current_scope().colocated_with(*handle_.node) : current_scope();
}

Output TableNode::size(const TableOpOptions& options, std::source_location at) const {
  const Block in(options.name, name_ + "_Size", at);
  return current_scope().add("LookupTableSizeV2", {handle_}).output();
}

Output TableNode::find(const Input& keys, const std::string& name, const char* suffix, bool beside,
                       std::source_location at) const {
  const MadeHere made(at);
  const Output tensor = checked_keys(keys);
  const Block in(name, name_ + suffix, at);
  const Output found =
      scope(beside).add("LookupTableFindV2", {handle_, tensor, default_value_}).output();
  if (tensor.shape().has_rank() && default_value_.shape().has_rank()) {
    std::vector<std::int64_t> dims(tensor.shape().dims().begin(), tensor.shape().dims().end());
    const auto value = default_value_.shape().dims();
    dims.insert(dims.end(), value.begin(), value.end());
    found.node->graph().refine_shape(found, PartialShape(dims));
  }
  return found;
}

TableContents TableNode::contents(const std::string& name, const char* suffix, bool beside,
                                  std::source_location at) const {
  const Block in(name, name_ + suffix, at);
  Node& node = scope(beside).add("LookupTableExportV2", {handle_},
                                 {{"Tkeys", key_dtype()}, {"Tvalues", value_dtype()}});
  return {node.output(0), node.output(1)};
}

}  // namespace rill::lookup
