#pragma once

#include <cstdint>
#include <memory>
#include <optional>

namespace rill::train {

// Decides in which steps a hook does its work. Steps are those of the global step, or the hook's
// own.
class HookTimer {
 public:
  // Since the trigger before; nothing at the first one.
  struct Elapsed {
    double secs = 0;
    std::int64_t steps = 0;
  };

  virtual ~HookTimer() = default;
  virtual void reset() {}
  // Changes nothing: the hook says with the next function that it did its work.
  virtual bool should_trigger_for_step(std::int64_t step) = 0;
  // Notes that the hook works in this step.
  virtual std::optional<Elapsed> update_last_triggered_step(std::int64_t step) = 0;
  virtual std::optional<std::int64_t> last_triggered_step() const = 0;
};
using TimerRef = std::shared_ptr<HookTimer>;

// One of the two.
struct SecondOrStepTimerOptions {
  std::optional<double> every_secs = {};
  std::optional<std::int64_t> every_steps = {};
};

// Triggers at the first step it is asked about, then at most once every so many seconds or steps.
class SecondOrStepTimer : public HookTimer {
 public:
  // Throws InvalidArgument unless exactly one of both is given.
  explicit SecondOrStepTimer(const SecondOrStepTimerOptions& options);
  void reset() override;
  bool should_trigger_for_step(std::int64_t step) override;
  std::optional<Elapsed> update_last_triggered_step(std::int64_t step) override;
  std::optional<std::int64_t> last_triggered_step() const override { return last_step_; }

 private:
  const SecondOrStepTimerOptions options_;
  std::optional<std::int64_t> last_step_;
  double last_time_ = 0;  // seconds since the Unix epoch
};

class NeverTriggerTimer : public HookTimer {
 public:
  bool should_trigger_for_step(std::int64_t) override { return false; }
  std::optional<Elapsed> update_last_triggered_step(std::int64_t) override { return {}; }
  std::optional<std::int64_t> last_triggered_step() const override { return {}; }
};

}  // namespace rill::train
