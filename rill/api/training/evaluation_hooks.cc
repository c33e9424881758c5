#include "rill/api/training/evaluation_hooks.h"

#include <algorithm>

#include "rill/api/gen/array.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/math/casts.h"
#include "rill/api/summary/summary.h"
#include "rill/api/train/global_step.h"
#include "rill/api/training/global_step_read.h"
#include "rill/api/variables/get_variable.h"

namespace rill::train {
namespace {

void log_evaluation(std::int64_t completed, std::optional<std::int64_t> num_evals) {
  if (num_evals)
    logging::info("Evaluation [", completed, "/", *num_evals, "]");
  else
    logging::info("Evaluation [", completed, "]");
}

// The eval step after the operations have run.
Output eval_step_after(const std::vector<Runnable>& ops) {
  std::vector<Node*> nodes;
  for (const Runnable& op : ops) nodes.push_back(&op.node());
  const ControlDependencies after(nodes);
  return raw::Identity(get_or_create_eval_step().read_value());
}

}  // namespace

Variable get_or_create_eval_step(std::source_location at) {
  const auto found =
      collections_of(*default_graph()).collected<VariableState>(GraphKeys::EVAL_STEP);
  require(found.size() <= 1, "Multiple tensors added to tf.GraphKeys.EVAL_STEP");
  if (found.size() == 1) return Variable(found[0]);
  GetVariableOptions how;
  how.shape = PartialShape::scalar();
  how.dtype = DType::i64;
  how.initializer = zeros_initializer();
  how.trainable = false;
  how.collections = {{GraphKeys::LOCAL_VARIABLES, GraphKeys::EVAL_STEP}};
  return get_variable("eval_step", how, at);
}

Output count_evaluations(const std::vector<Runnable>& eval_ops, const std::vector<HookRef>& hooks,
                         std::source_location at) {
  const MadeAt made(at);
  const Variable eval_step = get_or_create_eval_step();
  const bool many = std::ranges::any_of(hooks, [](const HookRef& hook) {
    return dynamic_cast<const MultiStepStopAfterNEvalsHook*>(hook.get()) != nullptr;
  });
  const Input steps =
      many ? Input(cast(get_or_create_steps_per_run_variable(), eval_step.dtype())) : Input(1);
  const Output update = eval_step.assign_add(steps, {.use_locking = true});
  std::vector<Runnable> all = eval_ops;
  all.push_back(update);
  const Output completed = eval_step_after(all);
  for (const HookRef& hook : hooks)
    if (auto* const counts = dynamic_cast<CountsEvaluations*>(hook.get()))
      counts->set_evals_completed(completed);
  return update;
}

StopAfterNEvalsHook::StopAfterNEvalsHook(std::optional<std::int64_t> num_evals, bool log_progress)
    : num_evals_(num_evals),
      log_progress_(log_progress),
      log_frequency_(!num_evals || *num_evals < 20 ? 1 : *num_evals / 10) {}

std::optional<SessionRunArgs> StopAfterNEvalsHook::before_run(SessionRunContext&) {
  return SessionRunArgs{.fetches = {completed_}};
}

void StopAfterNEvalsHook::after_run(SessionRunContext& context, const SessionRunValues& values) {
  const std::int64_t completed = step_of(values.results.at(0));
  if (log_progress_ && (!num_evals_ || completed % log_frequency_ == 0 || completed == *num_evals_))
    log_evaluation(completed, num_evals_);
  if (num_evals_ && completed >= *num_evals_) context.request_stop();
}

void MultiStepStopAfterNEvalsHook::begin() { variable_ = get_or_create_steps_per_run_variable(); }

void MultiStepStopAfterNEvalsHook::set_steps(Session& session, std::int64_t completed) {
  const std::int64_t steps =
      num_evals_ ? std::min(*num_evals_ - completed, steps_per_run_) : steps_per_run_;
  load(session, variable_, Tensor::scalar(static_cast<std::int32_t>(steps)));
}

void MultiStepStopAfterNEvalsHook::after_create_session(Session& session, Coordinator&) {
  set_steps(session, 0);
}

std::optional<SessionRunArgs> MultiStepStopAfterNEvalsHook::before_run(SessionRunContext&) {
  return SessionRunArgs{.fetches = {completed_}};
}

void MultiStepStopAfterNEvalsHook::after_run(SessionRunContext& context,
                                             const SessionRunValues& values) {
  const std::int64_t completed = step_of(values.results.at(0));
  set_steps(context.session(), completed);
  log_evaluation(completed, num_evals_);
  if (num_evals_ && completed >= *num_evals_) context.request_stop();
}

SummaryAtEndHook::SummaryAtEndHook(SummaryAtEndHookOptions options) : options_(std::move(options)) {
  require(options_.summary_writer || !options_.log_dir.empty(),
          "One of log_dir or summary_writer should be used.");
}

void SummaryAtEndHook::begin() {
  if (!options_.summary_op.node) options_.summary_op = summaries::merge_all().value_or(Output());
  global_step_ = get_or_create_global_step().snapshot();
}

void SummaryAtEndHook::after_create_session(Session&, Coordinator&) {
  if (!options_.summary_writer)
    options_.summary_writer = summaries::FileWriterCache::get(options_.log_dir);
}

void SummaryAtEndHook::end(Session& session) {
  if (options_.summary_op.node) {
    const Tensor text = session.run(options_.summary_op, options_.feed_dict);
    options_.summary_writer->add_summary(text.scalar_value<std::string>(),
                                         read_step(session, global_step_));
  }
  options_.summary_writer->flush();
}

}  // namespace rill::train
