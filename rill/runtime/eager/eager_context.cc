#include "rill/runtime/eager/eager_context.h"

#include <array>
#include <condition_variable>

#include "rill/base/blocking.h"
#include "rill/base/error_classes.h"
#include "rill/base/flush_denormals.h"
#include "rill/graph/device_name.h"
#include "rill/graph/function.h"
#include "rill/graph/tape.h"
#include "rill/kernel/device_use.h"
#include "rill/ops/register_kernels.h"
#include "rill/runtime/compile/kernel_evaluator.h"
#include "rill/runtime/eager/eager_kernels.h"
#include "rill/runtime/function/function_runtime.h"
#include "rill/runtime/memory/cpu_device.h"
#include "rill/runtime/memory/resource_store.h"
#include "rill/runtime/step/local_rendezvous.h"

namespace rill {
namespace {

// The values of one call; few need the heap.
class CallValues {
 public:
  CallValues(const std::vector<Output>& inputs, std::size_t outputs)
      : values_(inputs.size() + outputs), pointers_(values_.size()), inputs_(inputs.size()) {
    for (std::size_t i = 0; i < values_.size(); ++i) pointers_[i] = &values_[i];
    for (std::size_t i = 0; i < inputs_; ++i) values_[i].tensor = inputs[i].value();
  }
  std::span<Value* const> inputs() const { return {pointers_.data(), inputs_}; }
  std::span<Value* const> outputs() const {
    return {pointers_.data() + inputs_, pointers_.size() - inputs_};
  }

 private:
  std::vector<Value> values_;
  std::vector<Value*> pointers_;
  std::size_t inputs_;
};

// Runs an asynchronous kernel to its end.
void run_and_wait(const EagerKernel& kernel, KernelCall& call) {
  const Blocking waits;
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr failed;
  kernel.instance.entry->run_async(call, [&](std::exception_ptr error) {
    const std::lock_guard lock(mutex);
    failed = std::move(error);
    done = true;
    ended.notify_one();
  });
  std::unique_lock lock(mutex);
  ended.wait(lock, [&] { return done; });
  if (failed != nullptr) std::rethrow_exception(failed);
}

void allocate_outputs(EagerKernel& kernel, const CallValues& values) {
  const KernelNode& node = kernel.instance.node;
  const auto allocate = [&](ShapeMemo& memo) {
    const auto shapes = memo.outputs(node, values.inputs());
    for (std::size_t i = 0; i < shapes.size(); ++i)
      values.outputs()[i]->tensor.reset(node.output_types[i], shapes[i],
                                        node.output_allocator(static_cast<int>(i)));
  };
  if (const std::unique_lock lock(kernel.memo_mutex, std::try_to_lock); lock.owns_lock())
    return allocate(kernel.memo);
  ShapeMemo memo;
  allocate(memo);
}

// Constants have been computed elsewhere: one description serves all of a type.
struct ConstantKind {
  const Op* op = nullptr;
  std::shared_ptr<AttrMap> attrs;
};

}  // namespace

struct EagerContext::Impl final : OpExecutor {
  Impl()
      : device(0, shared_pool()),
        graph(std::make_shared<Graph>(evaluated_ops(), *this)),
        resources("localhost"),
        kernels(standard_kernels(), *graph->functions()),
        body_kernels(standard_kernels(), device),
        functions(*graph, body_kernels, shared_pool(), {}, true, resources),
        step_functions(functions, 0, false) {}

  Node& execute(Graph& on, NodeSpec spec) override;
  Node& constant(Graph& on, Tensor value) override;
  void forget_kernels() override { kernels.clear(); }
  Device& device_of(const NodeSpec& spec);
  Device& cpu(int index);
  std::vector<Tensor> run(EagerKernel& kernel, const std::vector<Output>& inputs);
  void run_kernel(EagerKernel& kernel, const CallValues& values);

  CpuDevice device;
  std::map<int, std::unique_ptr<CpuDevice>> cpus;  // others
  std::mutex cpus_mutex;
  const std::shared_ptr<Graph> graph;
  ResourceStore resources;
  EagerKernels kernels;
  KernelCache body_kernels;  // of functions
  FunctionRuntime functions;
  StepFunctions step_functions;
  std::array<ConstantKind, 128> constants;
  std::mutex constants_mutex;
  std::atomic<std::int64_t> calls{0};
  std::atomic<bool> observed{false};
  std::mutex observer_mutex;
  std::shared_ptr<const Observer> observer;
  void tell_observer(ExecutedNode& node, const std::vector<Output>& inputs);
};

void EagerContext::Impl::tell_observer(ExecutedNode& node, const std::vector<Output>& inputs) {
  const NodePtr held(&node);
  std::shared_ptr<const Observer> told;
  {
    const std::lock_guard lock(observer_mutex);
    told = observer;
  }
  if (told != nullptr) (*told)(node, inputs);
}

Device& EagerContext::Impl::device_of(const NodeSpec& spec) {
  if (spec.device.empty()) return device;
  const DeviceName wanted = DeviceName::parse(spec.device), here = DeviceName::parse(device.name());
  if (wanted.covers(here)) return device;
  DeviceName machine = wanted;
  machine.type.reset();
  machine.id.reset();
  const bool is_cpu = wanted.type.value_or("CPU") == "CPU";
  if (machine.covers(here)) {
    const auto cpus = device_use("CPU").parts;  // the machine is one card, with parts if so wanted
    const int count = cpus.empty() ? 1 : static_cast<int>(cpus[0].size());
    if (is_cpu && wanted.id.value_or(0) < count) return cpu(wanted.id.value_or(0));
    if (places_softly()) return device;
  }
  throw Error(Code::kInvalidArgument, str_cat(to_text(wanted.over(here)), " unknown device."))
      .with_node(spec.op, "");
}

// CPUs beyond the first, where the program has cut it into several.
Device& EagerContext::Impl::cpu(int index) {
  const std::lock_guard lock(cpus_mutex);
  auto& found = cpus[index];
  if (found == nullptr) found = std::make_unique<CpuDevice>(index, shared_pool());
  return *found;
}

void EagerContext::Impl::run_kernel(EagerKernel& kernel, const CallValues& values) {
  const KernelEntry& entry = *kernel.instance.entry;
  const FlushDenormals flush;
  ResourceStore own("localhost"), of_step("step");
  StepCancellation cancellation;
  StepContext step{.step_id = calls.fetch_add(1, std::memory_order_relaxed) + 1,
                   .resources = kernel.makes_handles ? &own : &resources,
                   .step_resources = &of_step,
                   .cancellation = &cancellation,
                   .functions = &step_functions};
  if (!entry.allocates) allocate_outputs(kernel, values);
  KernelCall call(kernel.instance.node, kernel.instance.state.get(), values.inputs(),
                  values.outputs(), step);
  if (kernel.instance.waits) return run_and_wait(kernel, call);
  entry.run(call);
}

std::vector<Tensor> EagerContext::Impl::run(EagerKernel& kernel,
                                            const std::vector<Output>& inputs) {
  CallValues values(inputs, kernel.instance.node.output_types.size());
  try {
    run_kernel(kernel, values);
  } catch (...) {
    const Error error = current_error();
    if (!error.node().empty()) throw_as_class(error);
    const std::string& op = kernel.instance.node.op->name;
    throw_as_class(error.with_node(op, str_cat(" [Op:", op, "]")));
  }
  std::vector<Tensor> results;
  results.reserve(values.outputs().size());
  for (Value* value : values.outputs()) results.push_back(std::move(value->tensor));
  return results;
}

Node& EagerContext::Impl::execute(Graph& on, NodeSpec spec) {
  const Op& op = on.op(spec.op);
  for (const Output& input : spec.inputs)
    require(input.node->is_executed(), "the tensor ", input,
            " belongs to a graph and has no value: it cannot be used in eager execution");
  Device& chosen = device_of(spec);
  const auto kernel = kernels.find(op, spec, chosen);
  for (const DType type : kernel->instance.node.output_types)
    if (is_ref(type))
      raise(Code::kUnimplemented, op.name,
            " op does not support eager execution: it makes a reference to a variable");
  std::vector<Tensor> values = run(*kernel, spec.inputs);
  ExecutedNode& node = ExecutedNode::make(on, op, kernel->attrs, kernel->instance.node.output_types,
                                          std::move(values), chosen.name());
  keep_for_a_while(node);
  if (kernel->has_handles) node.infer_handles(spec.inputs);
  if (any_tape_is_on()) record_on_tapes(node, spec.inputs);
  if (observed.load(std::memory_order_acquire)) tell_observer(node, spec.inputs);
  return node;
}

Node& EagerContext::Impl::constant(Graph& on, Tensor value) {
  const DType type = value.dtype();
  ConstantKind kind;
  {
    const std::lock_guard lock(constants_mutex);
    ConstantKind& known = constants.at(static_cast<std::size_t>(type));
    if (known.op == nullptr)
      known = {&on.op("Const"), std::make_shared<AttrMap>(AttrMap{{"dtype", type}})};
    kind = known;
  }
  std::vector<Tensor> values;
  values.push_back(std::move(value));
  ExecutedNode& node = ExecutedNode::make(on, *kind.op, std::move(kind.attrs), {type},
                                          std::move(values), device.name());
  keep_for_a_while(node);
  return node;
}

void EagerContext::set_observer(Observer observer) {
  const std::lock_guard lock(impl_->observer_mutex);
  impl_->observer = observer ? std::make_shared<const Observer>(std::move(observer)) : nullptr;
  impl_->observed.store(impl_->observer != nullptr, std::memory_order_release);
}

EagerContext::EagerContext() : impl_(std::make_unique<Impl>()) {}

EagerContext& EagerContext::instance() {
  // Never ends: threads and objects of an interpreter may still hold its values then.
  static EagerContext& context = *new EagerContext;
  return context;
}

const std::shared_ptr<Graph>& EagerContext::graph() const { return impl_->graph; }

std::vector<std::string> EagerContext::devices() const { return {impl_->device.name()}; }

std::int64_t EagerContext::calls() const { return impl_->calls.load(std::memory_order_relaxed); }

}  // namespace rill
