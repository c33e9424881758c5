#include "rill/api/train/slots.h"

#include <optional>

#include "rill/api/core/control_flow.h"
#include "rill/api/variables/variable_scope.h"
#include "rill/graph/builders.h"

namespace rill::train {
namespace {

// What slots know of the variable or tensor that they belong to.
struct Primary {
  Node& node;
  DType dtype;
  PartialShape shape;
  const Variable* variable = nullptr;
};

Primary primary_of(const Variable& variable) {
  return {variable.op(), variable.dtype(), variable.shape(), &variable};
}
Primary primary_of(Output tensor) {
  return {*tensor.node, base_type(tensor.dtype()), tensor.shape()};
}

// Where the primary is a part of a larger variable, its slot is the same part of a larger slot.
void slice_like(const Variable& primary, const Variable& slot) {
  if (!primary->save_slice_info) return;
  const std::string prefix = primary.op().name() + "/";
  SaveSliceInfo info = *primary->save_slice_info;
  info.full_name += "/" + slot.op().name().substr(prefix.size());
  slot->save_slice_info = std::move(info);
}

Variable make_slot(const Primary& primary, const std::string& name, GetVariableOptions how,
                   const SlotOptions& options) {
  const auto scope = VariableScopeBlock::with_default_name(str_cat(primary.node.name(), "/", name));
  std::optional<ColocateWith> beside;
  if (options.colocate_with_primary) beside.emplace(primary.node);
  how.trainable = false;
  if (primary.variable != nullptr) how.use_resource = primary.variable->is_resource();
  // Slots are as whole as their primaries.
  scope->scope()->partitioner = {};
  const Variable slot = get_variable("", how);
  if (primary.variable != nullptr) slice_like(*primary.variable, slot);
  return slot;
}

Variable slot_of_value(const Primary& primary, const Input& value, const std::string& name,
                       const SlotOptions& options) {
  const Output tensor = as_tensor(value);
  GetVariableOptions how;
  how.initializer = tensor;
  how.dtype = base_type(tensor.dtype());
  how.validate_shape = tensor.shape().is_full();
  return make_slot(primary, name, std::move(how), options);
}

Variable slot_of_initializer(const Primary& primary, const Initializer& initializer,
                             const PartialShape& shape, DType dtype, const std::string& name,
                             const SlotOptions& options) {
  GetVariableOptions how;
  how.shape = shape;
  how.dtype = dtype;
  how.initializer = initializer;
  how.validate_shape = shape.is_full();
  return make_slot(primary, name, std::move(how), options);
}

// The shape that the primary has, or will have once it is initialised.
Output shape_at_run_time(const Primary& primary, Output tensor) {
  if (primary.variable == nullptr) return shape_of(current_scope(), tensor);
  const Variable& variable = *primary.variable;
  const Output value = cond_one(
      variable.is_initialized(), [&] { return variable.read_value(); },
      [&] { return variable.initial_value(); });
  return shape_of(current_scope(), value);
}

Variable zeros_slot(const Primary& primary, Output tensor, const std::string& name, DType dtype,
                    const SlotOptions& options) {
  const DType type = dtype == DType::invalid ? primary.dtype : dtype;
  if (primary.shape.is_full())
    return slot_of_initializer(primary, zeros_initializer(), primary.shape, type, name, options);
  const Output shape = shape_at_run_time(primary, tensor);
  return slot_of_value(primary, zeros(current_scope(), shape, type), name, options);
}

}  // namespace

Variable create_slot(const Variable& primary, const Input& value, const std::string& name,
                     const SlotOptions& options) {
  return slot_of_value(primary_of(primary), value, name, options);
}

Variable create_slot(Output primary, const Input& value, const std::string& name,
                     const SlotOptions& options) {
  return slot_of_value(primary_of(primary), value, name, options);
}

Variable create_slot_with_initializer(const Variable& primary, const Initializer& initializer,
                                      const PartialShape& shape, DType dtype,
                                      const std::string& name, const SlotOptions& options) {
  return slot_of_initializer(primary_of(primary), initializer, shape, dtype, name, options);
}

Variable create_zeros_slot(const Variable& primary, const std::string& name, DType dtype,
                           const SlotOptions& options) {
  return zeros_slot(primary_of(primary), {}, name, dtype, options);
}

Variable create_zeros_slot(Output primary, const std::string& name, DType dtype,
                           const SlotOptions& options) {
  return zeros_slot(primary_of(primary), primary, name, dtype, options);
}

}  // namespace rill::train
