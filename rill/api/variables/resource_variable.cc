#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/resource.h"
#include "rill/api/variables/variable_creation.h"
#include "rill/graph/tape.h"

namespace rill {
namespace {

// Where the variable is, and nowhere else.
class OnDeviceOf : public ScopeChange {
 public:
  explicit OnDeviceOf(const Node& handle)
      : ScopeChange(
            current_scope().without_colocation().without_device().on_device(handle.device())) {}
};

void check_initial_shape(const Output& value, const PartialShape& shape) {
  require(value.shape().is_compatible(shape), "The initial value's shape (",
          shape_text(value.shape()),
          ") is not compatible with the explicitly supplied `shape` argument (", shape_text(shape),
          ").");
}

void make_handle(VariableState& state, const InitialValue& initial_value,
                 const VariableOptions& options, const Block& named, const std::string& own) {
  const BesideFuture beside(own);
  {
    const NameScope initializer("Initializer");
    const DeviceScope anywhere(nullptr);
    state.initial_value = initial_value.build(options.dtype);
  }
  PartialShape shape = options.shape;
  if (!shape.has_rank() && options.validate_shape) shape = state.initial_value.shape();
  check_initial_shape(state.initial_value, shape);
  state.dtype = base_type(state.initial_value.dtype());
  state.handle =
      raw::VarHandleOp(state.dtype, shape, {.shared_name = own, .name = named.own_name()});
}

// There is no step before which it would have to be initialised; its value goes with the last
// handle.
void create_eager_variable(VariableState& state, const InitialValue& initial_value,
                           const VariableOptions& options, std::source_location at) {
  const WithoutTapes unseen;
  const Block named(options.name, "Variable", at);
  const Output value = initial_value.build(options.dtype);
  PartialShape shape = options.shape;
  if (!shape.has_rank() && options.validate_shape) shape = value.shape();
  check_initial_shape(value, shape);
  state.dtype = base_type(value.dtype());
  state.name = current_scope().name() + ":0";
  state.handle = raw::VarHandleOp(state.dtype, shape);
  executed(*state.handle.node).set_name(current_scope().name());
  raw::AssignVariableOp(state.handle, value);
}

}  // namespace

void create_resource_variable(VariableState& state, const InitialValue& initial_value,
                              const VariableOptions& options, std::source_location at) {
  if (executing_eagerly()) return create_eager_variable(state, initial_value, options, at);
  const OutsideFlow outside;
  const Block named(options.name, "Variable", at);
  const std::string own = current_scope().name();
  make_handle(state, initial_value, options, named, own);
  state.name = state.handle.name();
  {
    const NameScope check("IsInitialized");
    state.is_initialized = raw::VarIsInitializedOp(state.handle);
  }
  {
    const Block assign("", "Assign", at);
    const OnDeviceOf there(*state.handle.node);
    state.initializer = &raw::AssignVariableOp(
        state.handle, safe_initial_value(own, state.initial_value), {.name = assign.own_name()});
  }
  const NameScope read("Read");
  {
    const DeviceScope there(state.handle.node->device());
    state.snapshot = raw::ReadVariableOp(state.handle, state.dtype);
  }
  if (options.caching_device) {
    const DeviceScope forget(nullptr);
    const OnDevice device(*options.caching_device);
    state.cached = raw::Identity(state.snapshot);
  }
}

}  // namespace rill
