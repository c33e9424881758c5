#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/graph/function_body.h"
#include "rill/kernel/function_caller.h"
#include "rill/kernel/has_body.h"
#include "rill/runtime/executor/executor.h"
#include "rill/runtime/plan/plan.h"

namespace rill {

class StepFunctions;
class StepThreads;

// A function compiled. Results are taken out of their slots, arguments are left to their readers.
class PlanFunction final : public BoundFunction, public HasBody {
 public:
  PlanFunction(std::string name, FunctionBody body, std::shared_ptr<Plan> plan, ThreadPool& pool,
               StepThreads& threads, bool may_spread);

  const std::vector<DType>& argument_types() const override { return argument_types_; }
  const std::vector<DType>& result_types() const override { return result_types_; }
  void run(StepContext& step, std::span<Tensor> arguments, std::span<Tensor> results) override;
  void start(StepContext& step, std::vector<Tensor> arguments, Done done) override;

  const FunctionBody& body() const override { return body_; }
  bool may_skip_nodes(const StepContext& step) const override;

  // A call that is a step of its own: `step` needs no place for what lasts as long as a step. Runs
  // on this thread until it has ended, also where it has to wait.
  void run_as_step(StepContext& step, std::span<Tensor> arguments, std::span<Tensor> results);
  bool waits() const { return plan_->has_async; }
  void let_go() { plan_.reset(); }  // it is not called again

 private:
  struct WaitingCall;
  // On a device with memory of its own: in partitions, on a thread that may wait for it.
  bool is_cut() const { return plan_->helpers != nullptr; }
  StepContext inner_step(StepContext& step) const;
  void check_count(std::size_t arguments) const;
  std::unique_ptr<Workspace> begin(std::span<Tensor> arguments) const;
  void end(std::unique_ptr<Workspace>& workspace, std::span<Tensor> results) const;
  void run_in(Workspace& workspace, StepContext& inner) const;
  void run_in(Workspace& workspace, StepContext& inner, const ExecutorOptions& options) const;
  void pass_on(std::span<Tensor> arguments, std::span<Tensor> results) const;

  const std::string name_;
  const FunctionBody body_;
  std::shared_ptr<Plan> plan_;
  ThreadPool& pool_;
  StepThreads& threads_;
  const bool may_spread_;
  const std::vector<DType> argument_types_, result_types_;
  // Of a function without nodes: for each result the argument that it is, or -1 - i for the i-th
  // constant. Empty for other functions.
  std::vector<int> passed_;
};

}  // namespace rill
