#include "rill/runtime/function/plan_function.h"

#include <algorithm>

#include "rill/base/clock.h"
#include "rill/runtime/executor/node_runner.h"
#include "rill/runtime/executor/run_partitions.h"
#include "rill/runtime/executor/run_plan.h"
#include "rill/runtime/function/function_runtime.h"
#include "rill/runtime/step/local_rendezvous.h"

namespace rill {
namespace {

StepFunctions& caller(StepContext& step) { return static_cast<StepFunctions&>(*step.functions); }

std::vector<int> passed_values(const Plan& plan) {
  std::vector<int> passed;
  if (!plan.nodes.empty() || !plan.others.empty() || plan.frames != nullptr) return passed;
  for (const int slot : plan.fetch_slots) {
    const auto feed = std::ranges::find(plan.feed_slots, slot);
    const auto constant = std::ranges::find(plan.constants, slot, &std::pair<int, Tensor>::first);
    passed.push_back(feed != plan.feed_slots.end()
                         ? static_cast<int>(feed - plan.feed_slots.begin())
                         : -1 - static_cast<int>(constant - plan.constants.begin()));
  }
  return passed;
}

// What waits inside of a call is woken by an error inside, and when the call's step is cancelled.
class OwnCancellation {
 public:
  OwnCancellation(StepContext& step, StepCancellation& own)
      : outer_(*step.cancellation), token_(outer_.on_cancel([&own] { own.cancel(); })) {
    step.cancellation = &own;
  }
  ~OwnCancellation() { outer_.forget(token_); }
  OwnCancellation(const OwnCancellation&) = delete;
  OwnCancellation& operator=(const OwnCancellation&) = delete;

 private:
  Cancellation& outer_;
  const std::int64_t token_;
};

}  // namespace

PlanFunction::PlanFunction(std::string name, FunctionBody body, std::shared_ptr<Plan> plan,
                           ThreadPool& pool, StepThreads& threads, bool may_spread)
    : name_(std::move(name)),
      body_(std::move(body)),
      plan_(std::move(plan)),
      pool_(pool),
      threads_(threads),
      may_spread_(may_spread),
      argument_types_(body_.arg_types()),
      result_types_(body_.return_types()),
      passed_(passed_values(*plan_)) {}

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

bool PlanFunction::may_skip_nodes(const StepContext& step) const {
  const auto& functions = static_cast<const StepFunctions&>(*step.functions);
  return !is_cut() && !functions.is_traced() && functions.nan_search == nullptr;
}

void PlanFunction::check_count(std::size_t arguments) const {
  if (arguments != argument_types_.size())
    raise(Code::kInternal, "function ", name_, " of ", argument_types_.size(),
          " arguments was given ", arguments);
}

std::unique_ptr<Workspace> PlanFunction::begin(std::span<Tensor> arguments) const {
  check_count(arguments.size());
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

void PlanFunction::run_in(Workspace& workspace, StepContext& inner) const {
  StepFunctions& functions = caller(inner);
  if (!functions.is_traced())
    return run_in(
        workspace, inner,
        {.deadline_nanos = functions.deadline_nanos(), .nan_search = functions.nan_search});
  StepTrace trace;
  run_in(workspace, inner,
         {.deadline_nanos = functions.deadline_nanos(),
          .trace = &trace,
          .nan_search = functions.nan_search});
  functions.add(std::move(trace));
}

void PlanFunction::run_in(Workspace& workspace, StepContext& inner,
                          const ExecutorOptions& options) const {
  if (!is_cut()) return run_plan(*plan_, workspace, inner, pool_, may_spread_, options);
  LocalRendezvous rendezvous;
  run_partitions(*plan_, workspace, inner, rendezvous, pool_, threads_, may_spread_, options);
}

void PlanFunction::run(StepContext& step, std::span<Tensor> arguments, std::span<Tensor> results) {
  StepContext inner = inner_step(step);
  if (!passed_.empty()) return pass_on(arguments, results);
  auto workspace = begin(arguments);
  run_in(*workspace, inner);
  end(workspace, results);
}

void PlanFunction::run_as_step(StepContext& step, std::span<Tensor> arguments,
                               std::span<Tensor> results) {
  StepContext inner = inner_step(step);
  if (!passed_.empty()) return pass_on(arguments, results);
  auto workspace = begin(arguments);
  inner.step_resources = &workspace->step_resources;
  if (waits()) {
    const OwnCancellation linked(inner, workspace->cancellation);
    run_in(*workspace, inner);
  } else {
    run_in(*workspace, inner);
  }
  workspace->step_resources.clear_all();
  end(workspace, results);
}

void PlanFunction::pass_on(std::span<Tensor> arguments, std::span<Tensor> results) const {
  check_count(arguments.size());
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] =
        passed_[i] >= 0 ? arguments[at(passed_[i])] : plan_->constants[at(-1 - passed_[i])].second;
  for (Tensor& argument : arguments) argument.clear();
}

// A call under way. Its cancellation follows that of the step: an error inside wakes only what
// waits inside, and reaches the step through the node that made the call.
struct PlanFunction::WaitingCall {
  StepContext step;
  Cancellation& outer;
  std::unique_ptr<Workspace> workspace;
  StepTrace trace;
  std::int64_t token = 0;
};

void PlanFunction::start(StepContext& step, std::vector<Tensor> arguments, Done done) {
  auto call = std::make_shared<WaitingCall>(
      WaitingCall{.step = {}, .outer = *step.cancellation, .workspace = nullptr, .trace = {}});
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
                                .trace = functions.is_traced() ? &call->trace : nullptr,
                                .nan_search = functions.nan_search};
  const Ended ended = [this, call, &functions, done](std::exception_ptr error) {
    call->outer.forget(call->token);
    std::vector<Tensor> results;
    if (!error) {
      try {
        if (functions.is_traced()) functions.add(std::move(call->trace));
        results.resize(result_types_.size());
        end(call->workspace, results);
      } catch (...) {
        error = std::current_exception();
      }
    }
    done(error, std::move(results));
  };
  if (!is_cut()) return start_plan(*plan_, *call->workspace, call->step, pool_, options, ended);
  threads_.run([this, call, options, ended] {
    std::exception_ptr error;
    try {
      run_in(*call->workspace, call->step, options);
    } catch (...) {
      error = std::current_exception();
    }
    ended(error);
  });
}

}  // namespace rill
