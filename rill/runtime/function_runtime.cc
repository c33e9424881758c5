#include "rill/runtime/function_runtime.h"

#include "rill/base/clock.h"
#include "rill/grad/function_gradient.h"
#include "rill/graph/function_proto.h"
#include "rill/runtime/detached_work.h"
#include "rill/runtime/node_runner.h"
#include "rill/runtime/run_plan.h"
#include "tensorflow/core/framework/function.pb.h"

namespace rill {
namespace {

// A function compiled. Results are taken out of their slots, arguments are left to their readers.
class PlanFunction final : public BoundFunction {
 public:
  PlanFunction(std::string name, FunctionBody body, std::shared_ptr<Plan> plan, ThreadPool& pool,
               bool may_spread)
      : name_(std::move(name)),
        body_(std::move(body)),
        plan_(std::move(plan)),
        pool_(pool),
        may_spread_(may_spread),
        argument_types_(body_.arg_types()),
        result_types_(body_.return_types()) {}

  const std::vector<DType>& argument_types() const override { return argument_types_; }
  const std::vector<DType>& result_types() const override { return result_types_; }
  void run(StepContext& step, std::span<Tensor> arguments, std::span<Tensor> results) override;
  void start(StepContext& step, std::vector<Tensor> arguments, Done done) override;
  void let_go() { plan_.reset(); }  // it is not called again

 private:
  struct WaitingCall;
  static StepFunctions& caller(StepContext& step) {
    return static_cast<StepFunctions&>(*step.functions);
  }
  StepContext inner_step(StepContext& step) const;
  std::unique_ptr<Workspace> begin(std::span<Tensor> arguments) const;
  void end(std::unique_ptr<Workspace>& workspace, std::span<Tensor> results) const;

  const std::string name_;
  const FunctionBody body_;
  std::shared_ptr<Plan> plan_;
  ThreadPool& pool_;
  const bool may_spread_;
  const std::vector<DType> argument_types_, result_types_;
};

// Also where a loop of calls that run no node at all notices that its step is over.
StepContext PlanFunction::inner_step(StepContext& step) const {
  if (step.call_depth >= kMaxCallDepth)
    raise(Code::kResourceExhausted, "Function calls nest deeper than ", kMaxCallDepth,
          " levels at function ", name_, "; does it call itself without end?");
  if (step.cancellation->cancelled()) throw cancelled_error();
  const std::int64_t deadline = caller(step).deadline_nanos();
  if (deadline != 0 && monotonic_nanos() > deadline) throw timeout_error();
  StepContext inner = step;
  ++inner.call_depth;
  return inner;
}

std::unique_ptr<Workspace> PlanFunction::begin(std::span<Tensor> arguments) const {
  if (arguments.size() != plan_->feed_slots.size())
    raise(Code::kInternal, "function ", name_, " of ", plan_->feed_slots.size(),
          " arguments was given ", arguments.size());
  auto workspace = plan_->take_workspace();
  for (std::size_t i = 0; i < arguments.size(); ++i)
    workspace->slots[at(plan_->feed_slots[i])].tensor = std::move(arguments[i]);
  return workspace;
}

// A workspace that was cancelled is not used again; its owner may be in the middle of that.
void PlanFunction::end(std::unique_ptr<Workspace>& workspace, std::span<Tensor> results) const {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Value& value = workspace->slots[at(plan_->fetch_slots[i])];
    results[i] = value.ref == nullptr ? value.tensor : value.ref->read();
    if (!results[i].has_value())
      raise(Code::kFailedPrecondition, "result ", i, " of function ", name_, " has no value");
  }
  for (const int slot : plan_->fetch_slots)
    if (plan_->writer[at(slot)] != Plan::kPreset) clear(workspace->slots[at(slot)]);
  for (const int slot : plan_->feed_slots) clear(workspace->slots[at(slot)]);
  if (!workspace->cancellation.cancelled()) plan_->give_back(std::move(workspace));
}

void PlanFunction::run(StepContext& step, std::span<Tensor> arguments, std::span<Tensor> results) {
  StepContext inner = inner_step(step);
  auto workspace = begin(arguments);
  StepStats stats;
  StepFunctions& functions = caller(step);
  run_plan(*plan_, *workspace, inner, pool_, may_spread_,
           {.deadline_nanos = functions.deadline_nanos(),
            .stats = functions.wants_stats() ? &stats : nullptr});
  if (functions.wants_stats()) functions.add(std::move(stats));
  end(workspace, results);
}

// A call under way. Its cancellation follows that of the step: an error inside wakes only what
// waits inside, and reaches the step through the node that made the call.
struct PlanFunction::WaitingCall {
  StepContext step;
  Cancellation& outer;
  std::unique_ptr<Workspace> workspace;
  StepStats stats;
  std::int64_t token = 0;
};

void PlanFunction::start(StepContext& step, std::vector<Tensor> arguments, Done done) {
  auto call = std::make_shared<WaitingCall>(
      WaitingCall{.step = {}, .outer = *step.cancellation, .workspace = nullptr, .stats = {}});
  try {
    call->step = inner_step(step);
    call->workspace = begin(arguments);
  } catch (...) {
    return done(std::current_exception(), {});
  }
  StepCancellation& own = call->workspace->cancellation;
  call->step.cancellation = &own;
  // By a weak reference: the call may be over when the step is cancelled.
  call->token = call->outer.on_cancel([weak = std::weak_ptr(call)] {
    if (const auto alive = weak.lock()) alive->workspace->cancellation.cancel();
  });
  StepFunctions& functions = caller(step);
  const ExecutorOptions options{.deadline_nanos = functions.deadline_nanos(),
                                .stats = functions.wants_stats() ? &call->stats : nullptr};
  start_plan(*plan_, *call->workspace, call->step, pool_, options,
             [this, call, &functions, done](std::exception_ptr error) {
               call->outer.forget(call->token);
               std::vector<Tensor> results;
               if (!error) {
                 try {
                   if (functions.wants_stats()) functions.add(std::move(call->stats));
                   results.resize(result_types_.size());
                   end(call->workspace, results);
                 } catch (...) {
                   error = std::current_exception();
                 }
               }
               done(error, std::move(results));
             });
}

}  // namespace

std::shared_ptr<DetachedCalls> StepFunctions::detach() { return runtime_.detached().detach(); }

void StepFunctions::add(StepStats stats) {
  const std::lock_guard lock(mutex_);
  for (NodeStats& node : stats.nodes) collected_.nodes.push_back(std::move(node));
}

void StepFunctions::move_stats_to(StepStats& all) {
  const std::lock_guard lock(mutex_);
  for (NodeStats& node : collected_.nodes) all.nodes.push_back(std::move(node));
  collected_.nodes.clear();
}

struct FunctionRuntime::Bound {
  AttrMap attrs;
  std::shared_ptr<PlanFunction> function;
};

FunctionRuntime::FunctionRuntime(const Graph& graph, KernelCache& kernels, ThreadPool& pool,
                                 const CompileOptions& passes, bool may_spread,
                                 ResourceManager& resources)
    : graph_(graph),
      kernels_(kernels),
      pool_(pool),
      passes_(passes),
      may_spread_(may_spread),
      detached_(std::make_shared<DetachedWork>(*this, resources)) {}

// A function that calls itself holds itself through its kernels.
FunctionRuntime::~FunctionRuntime() {
  for (auto& [name, functions] : bound_)
    for (Bound& bound : functions) bound.function->let_go();
}

std::string FunctionRuntime::library_bytes() const {
  tensorflow::FunctionDefLibrary library;
  to_proto(*graph_.functions(), &library);
  return library.SerializeAsString();
}

FunctionBody FunctionRuntime::body_of(const FuncName& function) {
  const auto& library = graph_.functions();
  if (function.name != "SymbolicGradient")
    return instantiate(*library->at(function.name), function.attrs, graph_.registry(), library);
  const auto& differentiated = attr<FuncName>(function.attrs, "f");
  const std::string gradient = library->gradient_of(differentiated.name);
  if (!gradient.empty()) return body_of({gradient, differentiated.attrs});
  return gradient_body(body_of(differentiated));
}

std::shared_ptr<BoundFunction> FunctionRuntime::bind(const FuncName& function) {
  const std::lock_guard lock(mutex_);
  std::vector<Bound>& known = bound_[function.name];
  for (const Bound& bound : known)
    if (bound.attrs == function.attrs) return bound.function;
  FunctionBody body = body_of(function);
  const auto arguments = body.arg_outputs(), results = body.return_values();
  const auto effects = body.side_effects();
  CompileOptions passes = passes_;
  passes.takes_feeds = true;
  auto plan = compile_plan(*body.graph, arguments, results, effects, passes, kernels_);
  known.push_back(
      {function.attrs, std::make_shared<PlanFunction>(function.name, std::move(body),
                                                      std::move(plan), pool_, may_spread_)});
  return known.back().function;
}

}  // namespace rill
