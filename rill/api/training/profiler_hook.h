#pragma once

#include <string>

#include "rill/api/summary/file_writer.h"
#include "rill/api/training/hook_timer.h"
#include "rill/api/training/session_run_hook.h"

namespace tensorflow {
class RunMetadata;
}  // namespace tensorflow

namespace rill::train {

struct ProfilerHookOptions {
  // One of the two.
  std::optional<std::int64_t> save_steps = {};
  std::optional<double> save_secs = {};
  std::string output_dir = {};  // "": the current one
  bool show_dataflow = true, show_memory = false;
};

// Writes what ran when in a step to "timeline-<step>.json", every so many seconds or steps.
class ProfilerHook : public SessionRunHook {
 public:
  using Options = ProfilerHookOptions;
  explicit ProfilerHook(const ProfilerHookOptions& options);

  void begin() override;
  std::optional<SessionRunArgs> before_run(SessionRunContext&) override;
  void after_run(SessionRunContext& context, const SessionRunValues& values) override;
  // The same for who has the statistics as TensorFlow's message.
  void after_step(Session& session, std::int64_t step_before,
                  const tensorflow::RunMetadata* run_metadata);

  const TimerRef& timer() const { return timer_; }

 private:
  void save(std::int64_t step, const tensorflow::RunMetadata& run_metadata);

  const ProfilerHookOptions options_;
  std::shared_ptr<summaries::FileWriter> writer_;
  TimerRef timer_;
  Output global_step_;
  bool is_requested_ = false;
  std::optional<std::int64_t> next_step_;
};

}  // namespace rill::train
