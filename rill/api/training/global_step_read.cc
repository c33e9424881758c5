#include "rill/api/training/global_step_read.h"

#include "rill/api/core/control_flow.h"
#include "rill/api/math/operators.h"
#include "rill/api/train/global_step.h"
#include "rill/api/train/misuse.h"
#include "rill/api/variables/state_ops.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::train {
namespace {

constexpr const char* kReadCollection = "global_step_read_op_cache";
constexpr const char* kStepsPerRunCollection = "hooks_steps_per_run";

Output known_read() {
  const auto found = get_tensor_collection(kReadCollection);
  if (found.size() > 1)
    misuse(Code::kFailedPrecondition, "There are multiple items in collection ", kReadCollection,
           ". There should be only one.");
  return found.empty() ? Output() : found[0];
}

}  // namespace

Output get_or_create_global_step_read(std::source_location at) {
  if (const Output known = known_read(); known.node) return known;
  const Variable step = get_global_step();
  if (!step) return {};
  const MadeAt made(at);
  const NameScope root("");
  const NameScope inside(step.op().name() + "/");
  // Estimators make the whole model wait for this tensor, its initialisers included.
  const Output value = cond_one(
      is_variable_initialized(step), [&] { return step.read_value(); },
      [&] { return step.initial_value(); });
  const Output read = operators::add(value, 0, at);
  add_to_collection(kReadCollection, read);
  return read;
}

Output global_step_for(const char* hook) {
  const Output read = get_or_create_global_step_read();
  if (!read.node)
    misuse(Code::kFailedPrecondition, "Global step should be created to use ", hook, ".");
  return read;
}

std::int64_t step_of(const Tensor& value) {
  return value.dtype() == DType::i32 ? value.scalar_value<std::int32_t>()
                                     : value.scalar_value<std::int64_t>();
}

std::int64_t read_step(Session& session, Output step) { return step_of(session.run(step)); }

Variable get_or_create_steps_per_run_variable(std::source_location at) {
  const auto found =
      collections_of(*default_graph()).collected<VariableState>(kStepsPerRunCollection);
  if (found.size() > 1)
    misuse(Code::kFailedPrecondition, "Multiple steps_per_run_var in collection.");
  if (found.size() == 1) return Variable(found[0]);
  const VariableScopeBlock scope("hooks", {.reuse = AUTO_REUSE}, at);
  GetVariableOptions how;
  how.shape = PartialShape::scalar();
  how.dtype = DType::i32;
  how.initializer = ones_initializer();
  how.trainable = false;
  how.collections = {{kStepsPerRunCollection, GraphKeys::LOCAL_VARIABLES}};
  how.use_resource = true;
  return get_variable("steps_per_run", how, at);
}

void load(Session& session, const Variable& variable, const Tensor& value) {
  Node& initializer = variable.initializer();
  session.run(initializer, {{initializer.input(1), value}});
}

}  // namespace rill::train
