#include "rill/api/estimator/schedule/in_memory_evaluator_hook.h"

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/train/misuse.h"
#include "rill/api/variables/variable_lists.h"

namespace rill::estimator {
namespace {

void refuse(bool is_so, const char* what) {
  if (is_so) train::misuse(Code::kInvalidArgument, "InMemoryEvaluator does not support ", what);
}

}  // namespace

InMemoryEvaluatorHook::InMemoryEvaluatorHook(Estimator& estimator, InputFn input_fn,
                                             const InMemoryEvaluatorHookOptions& options)
    : estimator_(estimator),
      input_fn_(std::move(input_fn)),
      options_{.steps = options.steps, .hooks = options.hooks, .name = options.name},
      timer_({.every_steps = options.every_n_iter}) {
  require(options.every_n_iter > 0, "invalid every_n_iter=", options.every_n_iter, ".");
  require(estimator.config().num_ps_replicas == 0 && estimator.config().num_worker_replicas <= 1,
          "InMemoryEvaluator supports only single machine (aka Local) setting.");
}

void InMemoryEvaluatorHook::begin() {
  timer_.reset();
  iter_count_ = 0;
  built_ = estimator_.build_evaluation(input_fn_, options_, false);
  refuse(built_.scaffold->saver() != nullptr, "custom saver");
  refuse(bool(built_.scaffold->parts().init_fn), "custom init_fn");
  const AsDefault inside(built_.graph);
  evaluated_.clear();
  for (const Variable& variable : global_variables())
    evaluated_[variable.name()] = {variable, placeholder(variable.dtype())};
}

void InMemoryEvaluatorHook::after_create_session(Session& session, train::Coordinator&) {
  refuse(!get_collection(GraphKeys::SAVEABLE_OBJECTS).empty(),
         "saveables other than global variables.");
  const std::vector<Variable> trained = global_variables();
  const AsDefault inside(built_.graph);
  transferred_.clear();
  std::vector<Node*> loads;
  for (const Variable& variable : trained) {
    const auto found = evaluated_.find(variable.name());
    if (found == evaluated_.end()) continue;
    const auto& [evaluated, value] = found->second;
    transferred_.push_back({variable.snapshot(), value});
    loads.push_back(evaluated.assign(value).node);
  }
  load_ = &group(loads);
  evaluate(session);
}

void InMemoryEvaluatorHook::evaluate(Session& training) {
  std::vector<Output> trained;
  for (const Transferred& variable : transferred_) trained.push_back(variable.trained);
  const std::vector<Tensor> values = training.run(trained);
  std::vector<Feed> feeds;
  for (std::size_t i = 0; i < values.size(); ++i)
    feeds.push_back({transferred_[i].placeholder, values[i]});
  estimator_.run_evaluation(built_, options_, "",
                            [&](Session& session) { session.run(*load_, feeds); });
  timer_.update_last_triggered_step(iter_count_);
}

void InMemoryEvaluatorHook::after_run(train::SessionRunContext& context,
                                      const train::SessionRunValues&) {
  ++iter_count_;
  if (timer_.should_trigger_for_step(iter_count_)) evaluate(context.session());
}

}  // namespace rill::estimator
