#include "rill/runtime/compile/kernel_evaluator.h"

#include "rill/base/flush_denormals.h"
#include "rill/base/thread_pool.h"
#include "rill/graph/evaluated_value.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"
#include "rill/runtime/memory/cpu_device.h"
#include "rill/runtime/memory/resource_store.h"
#include "rill/runtime/plan/kernel_cache.h"
#include "rill/runtime/plan/shape_memo.h"
#include "rill/runtime/step/step_cancellation.h"

namespace rill {
namespace {

std::vector<Value*> pointers(std::vector<Value>& values) {
  std::vector<Value*> all;
  for (Value& value : values) all.push_back(&value);
  return all;
}

std::vector<Tensor> run(const KernelInstance& kernel, std::span<const Tensor> inputs) {
  const FlushDenormals flush;
  std::vector<Value> in(inputs.size()), out(kernel.node.output_types.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) in[i].tensor = inputs[i];
  const auto in_pointers = pointers(in), out_pointers = pointers(out);
  if (!kernel.entry->allocates) {
    ShapeMemo memo;
    const auto shapes = memo.outputs(kernel.node, in_pointers);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i].tensor = Tensor(kernel.node.output_types[i], shapes[i]);
  }
  ResourceStore resources("");
  StepCancellation cancellation;
  StepContext step{.resources = &resources, .cancellation = &cancellation};
  KernelCall call(kernel.node, kernel.state.get(), in_pointers, out_pointers, step);
  kernel.entry->run(call);
  std::vector<Tensor> results;
  for (Value& value : out) results.push_back(std::move(value.tensor));
  return results;
}

// Kernels are those of the standard ops: another registry's may be ops of the same name.
std::optional<std::vector<Tensor>> evaluate_standard(const Node& node,
                                                     std::span<const Tensor> inputs) {
  if (standard_ops().find(node.op().name) != &node.op()) return std::nullopt;
  // No worker takes part: the caller holds the graph's mutex, for which workers may wait.
  // They never end: threads that a program leaves running may still build graphs then.
  static CpuDevice& device = *new CpuDevice(0, *new ThreadPool(1));
  return KernelEvaluator(standard_kernels(), device).evaluate(node, inputs);
}

}  // namespace

std::optional<std::vector<Tensor>> KernelEvaluator::evaluate(const Node& node,
                                                             std::span<const Tensor> inputs) {
  try {
    const auto kernel = make_kernel(node, registry_, device_);
    if (kernel->entry->run == nullptr) return std::nullopt;
    return run(*kernel, inputs);
  } catch (const Error&) {
    return std::nullopt;  // left in the graph: the error belongs to the step that meets it
  }
}

Registry& evaluated_ops() {
  set_evaluate(evaluate_standard);
  return standard_ops();
}

}  // namespace rill
