#include "rill/api/training/session_manager.h"

#include <cmath>

#include "rill/api/core/default_graph.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/saver/checkpoint_recovery.h"
#include "rill/api/train/misuse.h"
#include "rill/base/clock.h"
#include "tensorflow/python/training/checkpoint_state.pb.h"

namespace rill::train {

// Whether a step can go on, and if not, why.
struct SessionManager::Ready {
  bool is_ready = true;
  std::string reason = "None";
  explicit operator bool() const { return is_ready; }
};

namespace {

std::string name_or_none(const Runnable& op) { return op ? op.name() : "None"; }

std::vector<Tensor> run_once(Session& session, const Runnable& op, const std::vector<Feed>& feeds,
                             const RunOptions& options = {}) {
  if (!op.is_operation()) {
    const Output tensor = op.tensor();
    return session.run(feeds, {&tensor, 1}, {}, options);
  }
  Node* const node = &op.node();
  return session.run(feeds, {}, {&node, 1}, options);
}

std::string joined_names(const Tensor& names) {
  std::string text;
  const std::string* const name = names.data<std::string>();
  for (std::int64_t i = 0; i < names.element_count(); ++i)
    text += (text.empty() ? "" : ", ") + name[i];
  return text;
}

// What `op` reports; `message` says what for.
std::string not_ready(Session& session, const Runnable& op, const char* message) {
  if (!op) return {};
  try {
    const std::vector<Tensor> values = run_once(session, op, {});
    if (values.empty() || values[0].dtype() != DType::string || values[0].element_count() == 0)
      return {};
    return "Variables not initialized: " + joined_names(values[0]);
  } catch (const Error& error) {
    if (error.code() != Code::kFailedPrecondition) throw;
    if (error.message().find("uninitialized") != std::string::npos) return error.message();
    logging::warning(message, " : error [", error.message(), "]");
    throw;
  }
}

void safe_close(Session& session) {
  try {
    session.close();
  } catch (const std::exception&) {  // it is not used any more
  }
}

double seconds_since(std::int64_t start_nanos) {
  return static_cast<double>(monotonic_nanos() - start_nanos) / 1e9;
}

}  // namespace

SessionManager::SessionManager(SessionManagerOptions options) : options_(std::move(options)) {
  if (!options_.graph) options_.graph = default_graph();
  if (!options_.open) options_.open = session_face().open;
  if (options_.ready_for_local_init_op && !options_.local_init_op)
    misuse(Code::kInvalidArgument, "If you pass a ready_for_local_init_op you must also pass a ",
           "local_init_op , ready_for_local_init_op [", options_.ready_for_local_init_op.name(),
           "]");
}

std::shared_ptr<Session> SessionManager::open(const std::string& master,
                                              SessionOptions config) const {
  if (!master.empty()) config.target = master;
  const AsDefault graph(options_.graph);
  return options_.open(config);
}

std::pair<std::shared_ptr<Session>, bool> SessionManager::restored(
    const std::string& master, const RecoverSessionOptions& options) const {
  auto session = open(master, options.config);
  const std::string &directory = options.checkpoint_dir,
                    &file = options.checkpoint_filename_with_path;
  if (!directory.empty() && !file.empty())
    misuse(Code::kInvalidArgument,
           "Can not provide both checkpoint_dir and checkpoint_filename_with_path.");
  if (!options.saver || (directory.empty() && file.empty())) return {session, false};
  if (!file.empty()) {
    options.saver.restore(*session, file);
    return {session, true};
  }
  auto state = recover_checkpoint_state(directory);
  for (double waited = 0; !state; waited += options_.recovery_wait_secs) {
    if (!options.wait_for_checkpoint || waited >= options.max_wait_secs) return {session, false};
    logging::info("Waiting for checkpoint to be available.");
    session_face().sleep(options_.recovery_wait_secs);
    state = recover_checkpoint_state(directory);
  }
  state = restore_newest(std::move(*state),
                         [&](const std::string& path) { options.saver.restore(*session, path); });
  const auto& paths = state->all_model_checkpoint_paths();
  options.saver.recover_last_checkpoints({paths.begin(), paths.end()});
  return {session, true};
}

SessionManager::Ready SessionManager::model_ready(Session& session) const {
  const std::string reason = not_ready(session, options_.ready_op, "Model not ready");
  return reason.empty() ? Ready() : Ready{false, reason};
}

SessionManager::Ready SessionManager::run_local_init_op(Session& session) const {
  if (!options_.local_init_op) return {};
  const std::string reason =
      not_ready(session, options_.ready_for_local_init_op, "Model not ready for local init");
  if (!reason.empty()) return {false, reason};
  logging::info("Running local_init_op.");
  run_once(session, options_.local_init_op, options_.local_init_feed_dict,
           options_.local_init_run_options);
  logging::info("Done running local_init_op.");
  return {};
}

std::shared_ptr<Session> SessionManager::prepare_session(const std::string& master,
                                                         const PrepareSessionOptions& options) {
  const auto [session, is_restored] = restored(master, options);
  if (!is_restored) {
    if (!options.init_op && !options.init_fn && !options_.local_init_op)
      misuse(Code::kFailedPrecondition,
             "Model is not initialized and no init_op or init_fn or local_init_op was given");
    if (options.init_op) run_once(*session, options.init_op, options.init_feed_dict);
    if (options.init_fn) options.init_fn(*session);
  }
  const auto given = [&] {
    return str_cat("Init op: ", name_or_none(options.init_op),
                   ", init fn: ", options.init_fn ? "given" : "None");
  };
  if (const Ready ready = run_local_init_op(*session); !ready)
    misuse(Code::kFailedPrecondition, "Init operations did not make model ready for local_init.  ",
           given(), ", error: ", ready.reason);
  if (const Ready ready = model_ready(*session); !ready)
    misuse(Code::kFailedPrecondition, "Init operations did not make model ready.  ", given(),
           ", local_init_op: ", name_or_none(options_.local_init_op), ", error: ", ready.reason);
  return session;
}

std::pair<std::shared_ptr<Session>, bool> SessionManager::recover_session(
    const std::string& master, const RecoverSessionOptions& options) {
  const auto [session, is_restored] = restored(master, options);
  const Ready for_local_init = run_local_init_op(*session);
  if (!is_restored) return {session, false};
  const std::string& from = options.checkpoint_dir.empty() ? options.checkpoint_filename_with_path
                                                           : options.checkpoint_dir;
  if (!for_local_init) {
    logging::info("Restoring model from ", from,
                  " did not make model ready for local init: ", for_local_init.reason);
    return {session, false};
  }
  if (const Ready ready = model_ready(*session); !ready) {
    logging::info("Restoring model from ", from, " did not make model ready: ", ready.reason);
    return {session, false};
  }
  logging::info("Restored model from ", from);
  return {session, true};
}

std::shared_ptr<Session> SessionManager::wait_for_session(const std::string& master,
                                                          const WaitForSessionOptions& options) {
  const std::int64_t start = monotonic_nanos();
  while (true) {
    auto session = open(master, options.config);
    const Ready for_local_init = run_local_init_op(*session);
    const Ready ready = for_local_init ? model_ready(*session) : Ready();
    if (for_local_init && ready) return session;
    safe_close(*session);
    const double left = std::max(0.0, options.max_wait_secs - seconds_since(start));
    if (left < options_.recovery_wait_secs)
      raise(Code::kDeadlineExceeded, "Session was not ready after waiting ",
            static_cast<std::int64_t>(options.max_wait_secs), " secs.");
    logging::info("Waiting for model to be ready.  Ready_for_local_init_op:  ",
                  for_local_init.reason, ", ready: ", ready.reason);
    session_face().sleep(options_.recovery_wait_secs);
  }
}

}  // namespace rill::train
