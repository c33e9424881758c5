#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/resource.h"
#include "rill/api/gen/state.h"
#include "rill/api/variables/variable_copies.h"
#include "rill/api/variables/variable_creation.h"

namespace rill {
namespace {

// The ops that change references and those that change resources differ in name alone.
std::string op_name(const Variable& variable, std::string_view how) {
  return variable.is_resource() ? str_cat("Assign", how, "VariableOp") : str_cat("Assign", how);
}

void check_shape(const Variable& variable, Output value) {
  require(variable.shape().is_compatible(value.shape()), "Shapes ", shape_text(variable.shape()),
          " and ", shape_text(value.shape()), " are incompatible: cannot assign to variable ",
          variable.name());
}

Node& write(const Variable& variable, std::string_view how, const Input& value,
            const AssignOptions& options) {
  const Output handle = variable.handle();
  if (!variable.is_resource())
    return current_scope().add(op_name(variable, how), {handle, value},
                               {{"use_locking", options.use_locking}}, options.name);
  const Output tensor = as_tensor(value, "Const", variable.dtype());
  check_shape(variable, tensor);
  return current_scope().add(op_name(variable, how), {handle, tensor}, {}, options.name);
}

// What a write leaves: the reference that it hands on, or a read that waits for it.
Output result_of(const Variable& variable, Node& write) {
  if (!variable.is_resource()) return write.output(0);
  Node* const written = &write;
  const ControlDependencies after(std::span(&written, 1));
  return raw::ReadVariableOp(variable.handle(), variable.dtype());
}

Node& write_rows(const Variable& variable, std::string op, const Input& indices,
                 const Input& updates, const AssignOptions& options) {
  if (!variable.is_resource())
    return current_scope().add(op, {variable.handle(), indices, updates},
                               {{"use_locking", options.use_locking}}, options.name);
  const Output values = as_tensor(updates, "Const", variable.dtype());
  return current_scope().add("Resource" + op, {variable.handle(), indices, values}, {},
                             options.name);
}

// Where the variable has copies, they say which of them `write` changes, and to what.
template <class Write>
Output on_copies(const Variable& variable, const Input& value, Write write) {
  if (!variable.has_copies()) return write(variable, value);
  return variable.state()->copies->write(value, write);
}

Output write_value(const Variable& variable, std::string_view how, const Input& value,
                   const AssignOptions& options) {
  return on_copies(variable, value, [&](const Variable& copy, const Input& given) {
    return result_of(copy, write(copy, how, given, options));
  });
}

Node& write_node(const Variable& variable, std::string_view how, const Input& value,
                 const AssignOptions& options) {
  if (variable.has_copies()) return *write_value(variable, how, value, options).node;
  return write(variable, how, value, options);
}

Output scatter_rows(const Variable& variable, const std::string& op, const Input& indices,
                    const Input& updates, const AssignOptions& options) {
  return on_copies(variable, updates, [&](const Variable& copy, const Input& given) {
    return result_of(copy, write_rows(copy, op, indices, given, options));
  });
}

}  // namespace

Node& Variable::assign_op(const Input& value, const AssignOptions& options) const {
  return write_node(*this, "", value, options);
}
Node& Variable::assign_add_op(const Input& delta, const AssignOptions& options) const {
  return write_node(*this, "Add", delta, options);
}
Node& Variable::assign_sub_op(const Input& delta, const AssignOptions& options) const {
  return write_node(*this, "Sub", delta, options);
}

Output Variable::assign(const Input& value, const AssignOptions& options) const {
  return write_value(*this, "", value, options);
}
Output Variable::assign_add(const Input& delta, const AssignOptions& options) const {
  return write_value(*this, "Add", delta, options);
}
Output Variable::assign_sub(const Input& delta, const AssignOptions& options) const {
  return write_value(*this, "Sub", delta, options);
}

Output Variable::scatter(std::string_view how, const Input& indices, const Input& updates,
                         const AssignOptions& options) const {
  return scatter_rows(*this, str_cat("Scatter", how), indices, updates, options);
}

Output Variable::scatter_nd(std::string_view how, const Input& indices, const Input& updates,
                            const AssignOptions& options) const {
  return scatter_rows(*this, str_cat("ScatterNd", how), indices, updates, options);
}

Output Variable::assign_slice(Output slice, const Input& value, const std::string& name) const {
  Node& read = *slice.node;
  require(read.op().name == "StridedSlice", slice, " is no slice of variable ", this->name());
  AttrMap masks;
  for (const char* mask :
       {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"})
    masks.emplace(mask, read.attrs().at(mask));
  const std::string own = name.empty() ? read.name() + "/_assign" : name;
  const Input written = is_resource() ? Input(as_tensor(value, "Const", dtype())) : value;
  Node& write = current_scope().add(
      is_resource() ? "ResourceStridedSliceAssign" : "StridedSliceAssign",
      {handle(), read.input(1), read.input(2), read.input(3), written}, std::move(masks), own);
  return result_of(*this, write);
}

Output Variable::count_up_to(std::int64_t limit, const std::string& name) const {
  if (!is_resource()) return raw::CountUpTo(handle(), limit, {.name = name});
  return raw::ResourceCountUpTo(handle(), limit, dtype(), {.name = name});
}

}  // namespace rill
