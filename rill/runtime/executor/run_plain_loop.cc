#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/runtime/executor/executor.h"
#include "rill/runtime/executor/nan_search.h"
#include "rill/runtime/executor/node_runner.h"
#include "rill/runtime/plan/plain_loop.h"

namespace rill {
namespace {

void pass(Value& from, Value& to, bool moves) {
  if (moves) {
    to = std::move(from);
  } else {
    to = from;
  }
}

}  // namespace

void PlainLoopRun::start() {
  if (iteration.pointers.empty())
    for (const int address : loop.addresses)
      iteration.pointers.push_back(address >= 0 ? &iteration.slots[at(address)]
                                                : &workspace.slots[at(~address)]);
  for (const auto& [from, to] : loop.starts)
    pass(iteration.slots[at(from)], iteration.slots[at(to)], true);
}

bool PlainLoopRun::iterations(int limit) {
  for (int i = 0; i < limit; ++i) {
    if (step.cancellation->cancelled() ||
        (options.deadline_nanos != 0 && monotonic_nanos() > options.deadline_nanos))
      return false;
    for (const PlainLoop::Kernel& kernel : loop.test) run(kernel);
    const bool goes_on = test();
    for (const PlainLoop::Branch& branch : loop.branches) {
      const int to = goes_on ? branch.when_true : branch.when_false;
      Value& data =
          branch.data >= 0 ? iteration.slots[at(branch.data)] : workspace.slots[at(~branch.data)];
      if (to >= 0) pass(data, iteration.slots[at(to)], branch.moves);
    }
    for (const PlainLoop::Kernel& kernel : loop.after) run(kernel);
    for (const PlainLoop::Kernel& kernel : goes_on ? loop.body : loop.end) run(kernel);
    if (!goes_on) return true;
    for (const PlainLoop::Carry& carry : loop.carries)
      pass(carry.from >= 0 ? iteration.slots[at(carry.from)] : workspace.slots[at(~carry.from)],
           iteration.slots[at(carry.to)], carry.moves);
  }
  return false;
}

bool PlainLoopRun::test() {
  const Tensor& predicate = iteration.slots[at(loop.predicate)].tensor;
  require(predicate.rank() == 0, "The second input must be a scalar, but it has shape ",
          predicate.shape());
  return predicate.scalar_value<bool>();
}

void PlainLoopRun::run(const PlainLoop::Kernel& kernel) {
  const PlanNode& n = plan.nodes[at(kernel.node)];
  Value* const* all = iteration.pointers.data() + kernel.value_begin;
  const NodeValues values{{all, at(n.input_count)}, {all + n.input_count, at(n.output_count)}};
  NodeBegin begin = StepTrace::begin(options.trace);
  begin.scheduled_nanos = begin.start_nanos;  // a loop like this knows one order
  ++kernels_run;
  try {
    for (int i = n.deref_begin; i < n.deref_end; ++i) {
      const auto& where = plan.frames->slot_address;
      const auto value = [&](int slot) -> Value& {
        return where[at(slot)] >= 0 ? iteration.slots[at(where[at(slot)])]
                                    : workspace.slots[at(slot)];
      };
      const Deref& deref = plan.derefs[at(i)];
      value(deref.scratch).tensor = read_reference(n, value(deref.slot));
    }
    prepare_outputs(n, values, iteration.memos[at(plan.frames->nodes[at(kernel.node)].local)],
                    takeable(kernel.takeable, options));
    begin.prepared();
    KernelCall call = make_call(n, values, step);
    n.run(call);
    if (options.nan_search != nullptr) options.nan_search->look(plan, n, values);
  } catch (...) {
    throw node_error(n, values);
  }
  if (options.trace != nullptr) options.trace->note(plan, n, values, begin);
  for (int i = kernel.dying_begin; i < kernel.dying_end; ++i)
    clear(iteration.slots[at(loop.dying[at(i)])]);
}

}  // namespace rill
