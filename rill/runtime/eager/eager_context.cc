#include "rill/runtime/eager/eager_context.h"

#include <array>
#include <chrono>
#include <condition_variable>
#include <optional>

#include "rill/base/blocking.h"
#include "rill/base/error_classes.h"
#include "rill/base/flush_denormals.h"
#include "rill/graph/function.h"
#include "rill/graph/tape.h"
#include "rill/kernel/host_arguments.h"
#include "rill/ops/register_kernels.h"
#include "rill/runtime/compile/kernel_evaluator.h"
#include "rill/runtime/eager/call_values.h"
#include "rill/runtime/eager/eager_devices.h"
#include "rill/runtime/eager/known_calls.h"
#include "rill/runtime/executor/node_runner.h"
#include "rill/runtime/function/function_runtime.h"
#include "rill/runtime/memory/resource_store.h"
#include "rill/runtime/step/local_rendezvous.h"

namespace rill {
namespace {

// Runs an asynchronous kernel to its end, or until `timeout_ms` have passed, if that is not 0.
void run_and_wait(const EagerKernel& kernel, KernelCall& call, StepCancellation& cancellation,
                  std::int64_t timeout_ms) {
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
  const auto is_done = [&] { return done; };
  if (timeout_ms > 0 && !ended.wait_for(lock, std::chrono::milliseconds(timeout_ms), is_done)) {
    lock.unlock();
    cancellation.cancel();
    lock.lock();
    ended.wait(lock, is_done);
    if (failed != nullptr) throw timeout_error();
  }
  ended.wait(lock, is_done);
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

struct Leaving {
  EagerBatch& batch;
  ~Leaving() { batch.leave(); }
};

// Constants have been computed elsewhere: one description serves all of a type.
struct ConstantKind {
  const Op* op = nullptr;
  std::shared_ptr<AttrMap> attrs;
};

}  // namespace

struct EagerContext::Impl final : OpExecutor, QuickExecutor {
  Impl()
      : graph(std::make_shared<Graph>(evaluated_ops(), *this)),
        resources("localhost"),
        kernels(standard_kernels(), *graph->functions(),
                [this](const std::string& op, const AttrMap& attrs, const std::string& type) {
                  return open().runtime.functions().have_kernels(op, attrs, type);
                }) {}

  Node& execute(Graph& on, NodeSpec spec) override;
  Node& constant(Graph& on, Tensor value) override;
  Node* execute_again(Graph& on, const TensorCall& call, const AttrMap& attrs) override;
  void remember(const TensorCall& call, AttrMap attrs) override;
  void forget_kernels() override {
    kernels.clear();
    KnownCalls::forget_all();
  }
  // What is made when the first op is executed: a library may have added devices until then.
  struct Opened {
    explicit Opened(Impl& context)
        : devices(shared_pool()),
          body_kernels(standard_kernels(), devices.all()),
          runtime(*context.graph, body_kernels, shared_pool(), {}, true, context.resources),
          functions(runtime, 0, false) {}
    EagerDevices devices;
    KernelCache body_kernels;  // of functions
    FunctionRuntime runtime;
    StepFunctions functions;
  };
  Opened& open() {
    std::call_once(once, [this] { opened = std::make_unique<Opened>(*this); });
    return *opened;
  }
  StepContext new_step() {
    return {.step_id = calls.fetch_add(1, std::memory_order_relaxed) + 1,
            .resources = &resources,
            .functions = &opened->functions};
  }
  // Runs the kernel; the node of what it has made.
  ExecutedNode& call(Graph& on, const std::shared_ptr<EagerKernel>& kernel,
                     std::span<const Output> inputs);
  Node& finish(ExecutedNode& node, const EagerKernel& kernel, std::span<const Output> inputs);
  void run_kernel(EagerKernel& kernel, const CallValues& values);
  std::shared_ptr<EagerBatch> enqueue(const std::shared_ptr<EagerKernel>& kernel,
                                      const CallValues& values);
  Node& placed_constant(Graph& on, const NodeSpec& spec);
  Node& make_constant(Graph& on, Tensor value, const Device& where);

  const std::shared_ptr<Graph> graph;
  ResourceStore resources;
  EagerKernels kernels;
  std::once_flag once;
  std::unique_ptr<Opened> opened;
  std::array<ConstantKind, 128> constants;
  std::mutex constants_mutex;
  std::atomic<std::int64_t> calls{0}, timeout_ms{0};
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

void EagerContext::Impl::run_kernel(EagerKernel& kernel, const CallValues& values) {
  const KernelEntry& entry = *kernel.instance.entry;
  const FlushDenormals flush;
  std::optional<ResourceStore> own;
  StepContext step = new_step();
  if (kernel.makes_handles) step.resources = &own.emplace("localhost");
  step.step_resources = &values.of_step();
  step.cancellation = &values.cancellation();
  if (!entry.allocates) allocate_outputs(kernel, values);
  KernelCall call(kernel.instance.node, kernel.instance.state.get(), values.inputs(),
                  values.outputs(), step);
  if (kernel.instance.waits)
    return run_and_wait(kernel, call, values.cancellation(),
                        timeout_ms.load(std::memory_order_relaxed));
  entry.run(call);
}

// On a device with memory of its own, whose kernels return before they have run.
std::shared_ptr<EagerBatch> EagerContext::Impl::enqueue(const std::shared_ptr<EagerKernel>& kernel,
                                                        const CallValues& values) {
  const KernelEntry& entry = *kernel->instance.entry;
  const FlushDenormals flush;
  if (kernel->instance.waits || kernel->makes_handles) {  // these have run when they return
    run_kernel(*kernel, values);
    return nullptr;
  }
  if (!entry.allocates) allocate_outputs(*kernel, values);
  auto batch = opened->devices.enter(*kernel->instance.node.device, kernel, new_step());
  const Leaving leaving{*batch};
  KernelCall call(kernel->instance.node, kernel->instance.state.get(), values.inputs(),
                  values.outputs(), batch->step());
  entry.run(call);
  return batch;
}

ExecutedNode& EagerContext::Impl::call(Graph& on, const std::shared_ptr<EagerKernel>& kernel,
                                       std::span<const Output> inputs) {
  const KernelNode& node = kernel->instance.node;
  try {
    const CallValues values(inputs, node);
    std::shared_ptr<EagerBatch> late;  // where they are computed later
    if (node.device->memory_kind() == MemoryKind::host)
      run_kernel(*kernel, values);
    else
      late = enqueue(kernel, values);
    ExecutedNode& made =
        ExecutedNode::make(on, *node.op, kernel->attrs, node.output_types, node.device->name());
    for (Value* value : values.outputs()) made.add_value(std::move(value->tensor));
    if (late != nullptr) made.set_late(std::move(late));
    return made;
  } catch (...) {
    throw_as_class(executed_error(current_error(), node.op->name, *node.device));
  }
}

Node& EagerContext::Impl::finish(ExecutedNode& node, const EagerKernel& kernel,
                                 std::span<const Output> inputs) {
  keep_for_a_while(node);
  const bool is_observed = observed.load(std::memory_order_acquire);
  if (!kernel.has_handles && !any_tape_is_on() && !is_observed) return node;
  const std::vector<Output> kept(inputs.begin(), inputs.end());
  if (kernel.has_handles) node.infer_handles(kept);
  if (any_tape_is_on()) record_on_tapes(node, kept);
  if (is_observed) tell_observer(node, kept);
  return node;
}

namespace {

struct ThreadCalls {
  KnownCalls known;
  std::shared_ptr<EagerKernel> last;  // what the thread has executed by execute()
};
ThreadCalls& thread_calls() {
  static thread_local ThreadCalls calls;
  return calls;
}

}  // namespace

Node* EagerContext::Impl::execute_again(Graph& on, const TensorCall& call, const AttrMap& attrs) {
  const auto* const found = thread_calls().known.find(call, attrs);
  if (found == nullptr) return nullptr;
  const auto kernel = *found;
  return &finish(this->call(on, kernel, call.inputs()), *kernel, call.inputs());
}

// Functions may go, and others come to their place.
void EagerContext::Impl::remember(const TensorCall& call, AttrMap attrs) {
  std::shared_ptr<EagerKernel> last = std::move(thread_calls().last);
  if (last == nullptr || !last->is_reusable || last->instance.node.op != call.op ||
      graph->registry().find(call.op->name) != call.op || !open().devices.are_one())
    return;
  thread_calls().known.add(call, std::move(attrs), std::move(last));
}

namespace {

// "VariableV2" as its function is called: variable_v2.
std::string function_name(const std::string& op) {
  std::string name;
  for (std::size_t i = 0; i < op.size(); ++i) {
    const bool is_upper = op[i] >= 'A' && op[i] <= 'Z';
    const bool before_is_upper = i > 0 && op[i - 1] >= 'A' && op[i - 1] <= 'Z';
    if (is_upper && i > 0 && !before_is_upper) name += '_';
    name += is_upper ? static_cast<char>(op[i] - 'A' + 'a') : op[i];
  }
  return name;
}

void refuse_references(const Op& op) {
  for (const auto* args : {&op.outputs, &op.inputs})
    for (const Arg& arg : *args)
      if (arg.is_ref)
        raise(Code::kFailedPrecondition, function_name(op.name),
              " op does not support eager execution. Arg '", arg.name, "' is a ref.");
}

}  // namespace

Node& EagerContext::Impl::execute(Graph& on, NodeSpec spec) {
  if (spec.op == "Const") return placed_constant(on, spec);
  const Op& op = on.op(spec.op);
  for (const Output& input : spec.inputs)
    require(input.node->is_executed(), "the tensor ", input,
            " belongs to a graph and has no value: it cannot be used in eager execution");
  refuse_references(op);
  EagerDevices& devices = open().devices;
  const auto kernel = kernels.find(op, spec, devices.places(spec));
  devices.check_variables(spec, *kernel->instance.node.device);
  Node& node = finish(call(on, kernel, spec.inputs), *kernel, spec.inputs);
  thread_calls().last = kernel;
  return node;
}

// As in TensorFlow, int32 stays on the host wherever it is wanted.
Node& EagerContext::Impl::placed_constant(Graph& on, const NodeSpec& spec) {
  const auto given = spec.attrs.find("value");
  const Tensor* value = given == spec.attrs.end() ? nullptr : given->second.get_if<Tensor>();
  const auto type = spec.attrs.find("dtype");
  const DType* wanted = type == spec.attrs.end() ? nullptr : type->second.get_if<DType>();
  require(value != nullptr && wanted != nullptr && *wanted == value->dtype(),
          "a constant needs a value of its type");
  EagerDevices& devices = open().devices;
  Device& device = spec.device.empty() ? devices.cpu() : *devices.places(spec).front();
  const bool stays =
      device.memory_kind() == MemoryKind::host || !is_in_device_memory(value->dtype());
  return stays
             ? make_constant(on, *value, device.type() == "CPU" ? device : devices.cpu())
             : make_constant(on, value->copied_to(device.allocator(device.memory_kind())), device);
}

Node& EagerContext::Impl::constant(Graph& on, Tensor value) {
  return make_constant(on, std::move(value), open().devices.cpu());
}

Node& EagerContext::Impl::make_constant(Graph& on, Tensor value, const Device& where) {
  const DType type = value.dtype();
  ConstantKind kind;
  {
    const std::lock_guard lock(constants_mutex);
    ConstantKind& known = constants.at(static_cast<std::size_t>(type));
    if (known.op == nullptr)
      known = {&on.op("Const"), std::make_shared<AttrMap>(AttrMap{{"dtype", type}})};
    kind = known;
  }
  ExecutedNode& node =
      ExecutedNode::make(on, *kind.op, kind.attrs, std::span(&type, 1), where.name());
  node.add_value(std::move(value));
  keep_for_a_while(node);
  return node;
}

void EagerContext::set_observer(Observer observer) {
  const std::lock_guard lock(impl_->observer_mutex);
  impl_->observer = observer ? std::make_shared<const Observer>(std::move(observer)) : nullptr;
  impl_->observed.store(impl_->observer != nullptr, std::memory_order_release);
}

bool EagerContext::is_observed() const { return impl_->observed.load(std::memory_order_acquire); }

bool EagerContext::has_one_device() const { return impl_->open().devices.are_one(); }

Output EagerContext::constant(Tensor value) const {
  return impl_->constant(*impl_->graph, std::move(value)).output(0);
}

void EagerContext::set_timeout(std::int64_t milliseconds) {
  impl_->timeout_ms.store(milliseconds, std::memory_order_relaxed);
}

EagerContext::EagerContext() : impl_(std::make_unique<Impl>()) {}

EagerContext& EagerContext::instance() {
  // Never ends: threads and objects of an interpreter may still hold its values then.
  static EagerContext& context = *new EagerContext;
  return context;
}

const std::shared_ptr<Graph>& EagerContext::graph() const { return impl_->graph; }

std::vector<std::string> EagerContext::devices() const {
  std::vector<std::string> names;
  for (const Device* device : impl_->open().devices.all()) names.push_back(device->name());
  return names;
}

std::int64_t EagerContext::calls() const { return impl_->calls.load(std::memory_order_relaxed); }

}  // namespace rill
