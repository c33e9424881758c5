#include "rill/api/train/global_step.h"

#include "rill/api/variables/get_variable.h"
#include "rill/api/variables/variable_creation.h"

namespace rill::train {

namespace {

void check(DType dtype, const PartialShape& shape) {
  require_type(kIntTypes.contains(dtype),
               "Existing \"global_step\" does not have integer type: ", dtype);
  require_type(!shape.has_rank() || shape.rank() == 0,
               "Existing \"global_step\" is not scalar: ", shape);
}

}  // namespace

void assert_global_step(const Variable& global_step) {
  require_type(bool(global_step), "Existing \"global_step\" is no Variable");
  check(global_step.dtype(), global_step.shape());
}

void assert_global_step(Output global_step) {
  check(base_type(global_step.dtype()), global_step.shape());
}

Variable get_global_step() {
  const auto found =
      collections_of(*default_graph()).collected<VariableState>(GraphKeys::GLOBAL_STEP);
  require(found.size() <= 1, "Multiple tensors in global_step collection.");
  Variable step;
  if (found.size() == 1) {
    step = Variable(found[0]);
  } else if (Node* const node = default_graph()->find("global_step")) {
    step = find_variable(node->output(0));
  }
  if (step) assert_global_step(step);
  return step;
}

Variable create_global_step(std::source_location at) {
  require(!get_global_step(), "\"global_step\" already exists.");
  const InScope top(here(at).named(""));
  GetVariableOptions how;
  how.shape = PartialShape::scalar();
  how.dtype = DType::i64;
  how.initializer = zeros_initializer();
  how.trainable = false;
  how.aggregation = VariableAggregation::ONLY_FIRST_REPLICA;
  how.collections = {{GraphKeys::GLOBAL_VARIABLES, GraphKeys::GLOBAL_STEP}};
  return get_variable("global_step", how, at);
}

Variable get_or_create_global_step(std::source_location at) {
  const Variable known = get_global_step();
  return known ? known : create_global_step(at);
}

}  // namespace rill::train
