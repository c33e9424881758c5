#include "rill/api/training/profiler_hook.h"

#include "rill/api/logging/tf_logging.h"
#include "rill/api/training/global_step_read.h"
#include "rill/api/training/timeline.h"
#include "rill/base/files.h"
#include "rill/runtime/session/config.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::train {

ProfilerHook::ProfilerHook(const ProfilerHookOptions& options)
    : options_(options),
      writer_(summaries::FileWriterCache::get(options.output_dir)),
      timer_(std::make_shared<SecondOrStepTimer>(SecondOrStepTimerOptions{
          .every_secs = options.save_secs, .every_steps = options.save_steps})) {}

void ProfilerHook::begin() {
  next_step_.reset();
  global_step_ = global_step_for("ProfilerHook");
}

std::optional<SessionRunArgs> ProfilerHook::before_run(SessionRunContext&) {
  is_requested_ = next_step_ && timer_->should_trigger_for_step(*next_step_);
  SessionRunArgs args{.fetches = {global_step_}};
  if (is_requested_) args.options = RunOptions{.trace = true};
  return args;
}

void ProfilerHook::after_run(SessionRunContext& context, const SessionRunValues& values) {
  tensorflow::RunMetadata metadata;
  if (is_requested_ && values.run_metadata != nullptr) to_proto(*values.run_metadata, &metadata);
  after_step(context.session(), step_of(values.results.at(0)), &metadata);
}

void ProfilerHook::after_step(Session& session, std::int64_t step_before,
                              const tensorflow::RunMetadata* run_metadata) {
  // The first step is left out: the timer waits from there on.
  if (!next_step_) timer_->update_last_triggered_step(step_before);
  std::int64_t step = step_before + 1;
  if (is_requested_ && run_metadata != nullptr) {
    step = read_step(session, global_step_);
    timer_->update_last_triggered_step(step);
    save(step, *run_metadata);
  }
  next_step_ = step + 1;
}

void ProfilerHook::save(std::int64_t step, const tensorflow::RunMetadata& run_metadata) {
  const std::string path = join_path(options_.output_dir, str_cat("timeline-", step, ".json"));
  logging::info("Saving timeline for ", step, " into '", path, "'.");
  write_file(path, chrome_trace(run_metadata.step_stats(), {.show_dataflow = options_.show_dataflow,
                                                            .show_memory = options_.show_memory}));
  writer_->add_run_metadata(run_metadata, str_cat("step_", step));
}

}  // namespace rill::train
