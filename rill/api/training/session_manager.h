#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/saver/saver.h"
#include "rill/api/train/queue_runner.h"
#include "rill/api/training/scaffold.h"
#include "rill/api/training/session_face.h"

namespace rill::train {

struct SessionManagerOptions {
  Runnable local_init_op = {};
  // Give the names of what is not initialised yet; operations mean that all is.
  Runnable ready_op = {}, ready_for_local_init_op = {};
  std::shared_ptr<Graph> graph = {};  // none: the default one
  double recovery_wait_secs = 30;     // between looks at the model or the directory
  RunOptions local_init_run_options = {};
  std::vector<Feed> local_init_feed_dict = {};
  OpenSession open = {};
};

// wait_for_checkpoint: for a first one to come, at most max_wait_secs.
struct RecoverSessionOptions {
  Restorer saver = {};
  // At most one of the two; none: nothing is restored.
  std::string checkpoint_dir = {}, checkpoint_filename_with_path = {};
  bool wait_for_checkpoint = false;
  double max_wait_secs = 7200;
  SessionOptions config = {};
};
struct PrepareSessionOptions {
  Restorer saver = {};
  // At most one of the two; none: nothing is restored.
  std::string checkpoint_dir = {}, checkpoint_filename_with_path = {};
  bool wait_for_checkpoint = false;
  double max_wait_secs = 7200;
  SessionOptions config = {};
  Runnable init_op = {};
  std::vector<Feed> init_feed_dict = {};
  std::function<void(Session&)> init_fn = {};

  operator RecoverSessionOptions() const {
    return {.saver = saver,
            .checkpoint_dir = checkpoint_dir,
            .checkpoint_filename_with_path = checkpoint_filename_with_path,
            .wait_for_checkpoint = wait_for_checkpoint,
            .max_wait_secs = max_wait_secs,
            .config = config};
  }
};
struct WaitForSessionOptions {
  SessionOptions config = {};
  double max_wait_secs = std::numeric_limits<double>::infinity();
};

// Opens sessions and brings their variables to a state in which training can start or go on.
//
//   SessionManager manager({.ready_op = report_uninitialized_variables(global_variables())});
//   auto session = manager.prepare_session("", {.init_op = global_variables_initializer()});
class SessionManager {
 public:
  // Throws InvalidArgument for a ready_for_local_init_op without a local_init_op.
  explicit SessionManager(SessionManagerOptions options = {});

  // Restored from a checkpoint where there is one, else initialised. Throws Misuse where there is
  // nothing to initialise with, or the model is not ready then.
  std::shared_ptr<Session> prepare_session(const std::string& master,
                                           const PrepareSessionOptions& options = {});
  // The session, and whether it was restored and is ready.
  std::pair<std::shared_ptr<Session>, bool> recover_session(
      const std::string& master, const RecoverSessionOptions& options = {});
  // Once somebody else has initialised the model; throws DeadlineExceeded where nobody does.
  std::shared_ptr<Session> wait_for_session(const std::string& master,
                                            const WaitForSessionOptions& options = {});

 private:
  struct Ready;

  std::shared_ptr<Session> open(const std::string& master, SessionOptions config) const;
  std::pair<std::shared_ptr<Session>, bool> restored(const std::string& master,
                                                     const RecoverSessionOptions& options) const;
  Ready run_local_init_op(Session& session) const;
  Ready model_ready(Session& session) const;

  SessionManagerOptions options_;
};

}  // namespace rill::train
