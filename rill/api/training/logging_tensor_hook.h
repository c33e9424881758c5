#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/training/hook_timer.h"
#include "rill/api/training/session_run_hook.h"
#include "rill/api/training/tensor_or_name.h"

namespace rill::train {

using TaggedValues = std::vector<std::pair<std::string, Tensor>>;

// at_end may be asked for alone or besides. every_n_iter must be positive.
struct LoggingTensorHookOptions {
  std::optional<std::int64_t> every_n_iter = {};
  std::optional<double> every_n_secs = {};
  bool at_end = false;
  // The whole line; none: "tag = value, tag = value (0.123 sec)".
  std::function<std::string(const TaggedValues&)> formatter = {};
  std::function<std::string(const Tensor&)> value_text = {};  // none: as NumPy shows them
};

// Logs tensors every so many steps of this process, or seconds, and at the end. They are computed
// in the training step itself, and only in steps that are logged.
class LoggingTensorHook : public SessionRunHook {
 public:
  using Subject = std::map<std::string, TensorOrName>;
  using Options = LoggingTensorHookOptions;
  // Throws InvalidArgument unless exactly one of every_n_iter and every_n_secs, or at_end, is
  // given.
  LoggingTensorHook(std::vector<TensorOrName> tensors, const LoggingTensorHookOptions& options);
  LoggingTensorHook(const std::map<std::string, TensorOrName>& tensors,
                    const LoggingTensorHookOptions& options);
  LoggingTensorHook(std::vector<std::pair<std::string, TensorOrName>> tensors,
                    const LoggingTensorHookOptions& options);

  void begin() override;
  std::optional<SessionRunArgs> before_run(SessionRunContext&) override;
  void after_run(SessionRunContext&, const SessionRunValues& values) override;
  void end(Session& session) override;

  const TimerRef& timer() const { return timer_; }
  bool is_triggered() const { return should_trigger_; }
  std::int64_t iter_count() const { return iter_count_; }
  void set_iter_count(std::int64_t count) { iter_count_ = count; }
  const std::vector<Output>& current_tensors() const { return current_; }
  // Where not none: called instead of writing to the log.
  std::function<void(const std::vector<Tensor>&)> log_tensors_override = {};
  void log_tensors(const std::vector<Tensor>& values);

 private:
  std::vector<std::pair<std::string, TensorOrName>> tensors_;
  const LoggingTensorHookOptions options_;
  TimerRef timer_;
  std::vector<Output> current_;
  bool should_trigger_ = false;
  std::int64_t iter_count_ = 0;
};

}  // namespace rill::train
