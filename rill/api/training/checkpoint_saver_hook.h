#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rill/api/summary/file_writer.h"
#include "rill/api/training/hook_timer.h"
#include "rill/api/training/scaffold.h"
#include "rill/api/training/session_run_hook.h"

namespace rill::train {

// Told before and after a CheckpointSaverHook saves, in the thread that trains.
class CheckpointSaverListener {
 public:
  virtual ~CheckpointSaverListener() = default;
  virtual void begin() {}
  virtual void before_save(Session&, std::int64_t /*global_step*/) {}
  // True: training is to stop.
  virtual bool after_save(Session&, std::int64_t /*global_step*/) { return false; }
  virtual void end(Session&, std::int64_t /*global_step*/) {}
  virtual std::string text() const { return "CheckpointSaverListener"; }  // as logs show it
};
using ListenerRef = std::shared_ptr<CheckpointSaverListener>;

struct CheckpointSaverHookOptions {
  // One of the two.
  std::optional<double> save_secs = {};
  std::optional<std::int64_t> save_steps = {};
  // At most one of the two; none: the one in the graph's collection of savers.
  std::shared_ptr<Saver> saver = {};
  std::string checkpoint_basename = "model.ckpt";
  ScaffoldRef scaffold = {};
  std::vector<ListenerRef> listeners = {};
  std::function<std::vector<ListenerRef>()> find_listeners = {};  // others: asked every time
  bool save_graph_def = true;  // graph.pbtxt, and a meta graph beside every checkpoint
};

// Saves checkpoints when a session is opened, every so many seconds or steps, and at the end unless
// that step was saved already.
//
//   make_hook<CheckpointSaverHook>(dir, {.save_steps = 1000})
//
// Throws InvalidArgument unless exactly one of save_secs and save_steps is given, or when both a
// saver and a scaffold are. begin() throws FailedPrecondition where the graph has no global step.
class CheckpointSaverHook : public SessionRunHook {
 public:
  using Subject = std::string;
  using Options = CheckpointSaverHookOptions;
  explicit CheckpointSaverHook(std::string checkpoint_dir, CheckpointSaverHookOptions options);

  void begin() override;
  void after_create_session(Session& session, Coordinator&) override;
  std::optional<SessionRunArgs> before_run(SessionRunContext&) override;
  void after_run(SessionRunContext& context, const SessionRunValues& values) override;
  void end(Session& session) override;

  // For runs that take several steps: the timer is then asked about the last of them.
  void set_steps_per_run(std::int64_t steps) { steps_per_run_ = steps; }
  const TimerRef& timer() const { return timer_; }
  Output global_step() const { return global_step_; }
  const std::string& save_path() const { return save_path_; }
  const std::shared_ptr<summaries::FileWriter>& summary_writer() const { return writer_; }
  std::vector<ListenerRef> listeners() const;
  void add_listener(ListenerRef listener);  // unless it is there already

  // Whether a listener asks to stop.
  bool save(Session& session, std::int64_t step);
  std::function<bool(Session&, std::int64_t step)> save_override = {};  // called instead of save
  // What another language saves with; the hook's own saver is then not asked.
  struct OtherSaver {
    std::function<void(Session&, const std::string& path, std::int64_t step, bool meta_graph)> save;
    std::function<BoxedMessage<tensorflow::SaverDef>()> saver_def;
  };
  OtherSaver other_saver = {};

 private:
  bool save_now(Session& session, std::int64_t step);
  void write(Session& session, std::int64_t step);
  std::shared_ptr<Saver> saver();
  BoxedMessage<tensorflow::SaverDef> saver_def();

  const std::string checkpoint_dir_, save_path_;
  CheckpointSaverHookOptions options_;
  TimerRef timer_;
  std::shared_ptr<summaries::FileWriter> writer_;
  Output global_step_;
  std::int64_t steps_per_run_ = 1000000;  // so many that no step is left out
};

}  // namespace rill::train
