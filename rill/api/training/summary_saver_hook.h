#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rill/api/summary/file_writer.h"
#include "rill/api/training/hook_timer.h"
#include "rill/api/training/scaffold.h"
#include "rill/api/training/session_run_hook.h"

namespace rill::train {

struct SummarySaverHookOptions {
  // One of the two.
  std::optional<std::int64_t> save_steps = {};
  std::optional<double> save_secs = {};
  std::string output_dir = {};  // "": nothing is written, unless there is a writer
  std::shared_ptr<summaries::FileWriter> summary_writer = {};
  // One of the two.
  ScaffoldRef scaffold = {};
  std::vector<Output> summary_op = {};
  std::function<std::vector<Output>()> find_summary_op = {};  // in place of both: asked every time
};

// Writes summaries in the first step of a session and every so many seconds or steps. Throws
// InvalidArgument unless exactly one of scaffold and summary_op is given.
class SummarySaverHook : public SessionRunHook {
 public:
  using Options = SummarySaverHookOptions;
  explicit SummarySaverHook(SummarySaverHookOptions options);

  void begin() override;
  std::optional<SessionRunArgs> before_run(
      SessionRunContext&) override;  // the step, then summaries
  void after_run(SessionRunContext& context, const SessionRunValues& values) override;
  void end(Session&) override { finish(); }
  void finish();

  void set_summary_writer(std::shared_ptr<summaries::FileWriter> writer) {
    options_.summary_writer = std::move(writer);
  }
  Output global_step() const { return global_step_; }
  const TimerRef& timer() const { return timer_; }
  const std::shared_ptr<summaries::FileWriter>& summary_writer() const {
    return options_.summary_writer;
  }

 private:
  std::vector<Output> summary_op() const;

  SummarySaverHookOptions options_;
  TimerRef timer_;
  Output global_step_;
  bool is_requested_ = false;
  std::optional<std::int64_t> next_step_;
};

}  // namespace rill::train
