#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/state.h"
#include "rill/api/variables/variable_creation.h"

namespace rill {
namespace {

void make_read(VariableState& state, const VariableOptions& options) {
  if (options.caching_device) {
    const OnDevice device(*options.caching_device);
    state.snapshot = raw::Identity(state.handle, {.name = "read"});
    return;
  }
  const ColocateWith variable(*state.handle.node);
  state.snapshot = raw::Identity(state.handle, {.name = "read"});
}

}  // namespace

BesideFuture::BesideFuture(const std::string& variable)
    : ScopeChange([&] {
        Scope inner = current_scope();
        inner.on_created = [variable, outer = inner.on_created](Node& node) {
          if (outer) outer(node);
          if (!node.attrs().contains("_class"))
            node.graph().set_attr(node, "_class", std::vector<std::string>{"loc:@" + variable});
        };
        return inner;
      }()) {}

void create_ref_variable(VariableState& state, const InitialValue& initial_value,
                         const VariableOptions& options, std::source_location at) {
  const OutsideFlow outside;
  const Block named(options.name, "Variable", at);
  const std::string own = current_scope().name();
  const auto make_variable = [&] {
    const PartialShape shape =
        options.validate_shape ? state.initial_value.shape() : PartialShape();
    state.dtype = base_type(state.initial_value.dtype());
    state.handle = raw::VariableV2(shape, state.dtype, {.name = named.own_name()});
  };
  if (initial_value.is_function()) {
    const BesideFuture beside(own);
    {
      const NameScope initializer("Initializer");
      const DeviceScope anywhere(nullptr);
      state.initial_value = initial_value.build(options.dtype);
    }
    make_variable();
  } else {
    state.initial_value = initial_value.build(options.dtype);
    make_variable();
  }
  state.name = state.handle.name();
  require(!options.validate_shape || state.initial_value.shape().is_full(),
          "initial_value must have a shape specified: ", tensor_text(state.initial_value));
  const Output value = safe_initial_value(own, state.initial_value);
  state.initializer =
      raw::Assign(state.handle, value, {.validate_shape = options.validate_shape}).node;
  make_read(state, options);
}

}  // namespace rill
