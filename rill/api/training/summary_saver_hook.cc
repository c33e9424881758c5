#include "rill/api/training/summary_saver_hook.h"

#include "rill/api/training/global_step_read.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::train {

SummarySaverHook::SummarySaverHook(SummarySaverHookOptions options) : options_(std::move(options)) {
  require(
      options_.find_summary_op || (options_.scaffold != nullptr) != !options_.summary_op.empty(),
      "Exactly one of scaffold or summary_op must be provided.");
  timer_ = std::make_shared<SecondOrStepTimer>(SecondOrStepTimerOptions{
      .every_secs = options_.save_secs, .every_steps = options_.save_steps});
}

void SummarySaverHook::begin() {
  if (!options_.summary_writer && !options_.output_dir.empty())
    options_.summary_writer = summaries::FileWriterCache::get(options_.output_dir);
  next_step_.reset();
  global_step_ = global_step_for("SummarySaverHook");
}

std::vector<Output> SummarySaverHook::summary_op() const {
  if (options_.find_summary_op) return options_.find_summary_op();
  if (!options_.summary_op.empty()) return options_.summary_op;
  const Output found = options_.scaffold->summary_op();
  return found.node ? std::vector<Output>{found} : std::vector<Output>{};
}

std::optional<SessionRunArgs> SummarySaverHook::before_run(SessionRunContext&) {
  is_requested_ = !next_step_ || timer_->should_trigger_for_step(*next_step_);
  SessionRunArgs args{.fetches = {global_step_}};
  if (is_requested_)
    for (const Output& summary : summary_op()) args.fetches.push_back(summary);
  return args;
}

void SummarySaverHook::after_run(SessionRunContext& context, const SessionRunValues& values) {
  if (!options_.summary_writer) return;
  std::int64_t step = step_of(values.results.at(0)) + 1;
  if (!next_step_ || is_requested_) step = read_step(context.session(), global_step_);
  if (!next_step_) {
    // Readers forget what they know of later steps: the training was restarted from here.
    tensorflow::SessionLog start;
    start.set_status(tensorflow::SessionLog::START);
    options_.summary_writer->add_session_log(start, step);
  }
  if (is_requested_) {
    timer_->update_last_triggered_step(step);
    for (std::size_t i = 1; i < values.results.size(); ++i)
      options_.summary_writer->add_summary(values.results[i].scalar_value<std::string>(), step);
  }
  next_step_ = step + 1;
}

void SummarySaverHook::finish() {
  if (options_.summary_writer) options_.summary_writer->flush();
}

}  // namespace rill::train
