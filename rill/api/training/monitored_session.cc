#include "rill/api/training/monitored_session.h"

#include <algorithm>
#include <atomic>

#include "rill/api/core/default_graph.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/train/misuse.h"
#include "rill/api/train/waiting_runners.h"
#include "rill/api/training/hooked_step.h"

namespace rill::train {
namespace {

// A machine was lost: another session may do better.
bool is_preemption(const Error& error) {
  return error.code() == Code::kAborted || error.code() == Code::kUnavailable;
}

constexpr const char* kWhyLost =
    " This error may also occur due to a gRPC failure caused by high memory or network bandwidth "
    "usage in the parameter servers. If this error occurs repeatedly, try increasing the number of "
    "parameter servers assigned to the job. Error: ";

void log_lost(const Error& error, const char* what) {
  logging::info(what, kWhyLost, error.message());
}

}  // namespace

void StepContext::request_stop() const {
  throw StopIteration(Code::kOutOfRange, "step_fn has requested the iterations to stop.");
}

struct MonitoredSession::Impl {
  explicit Impl(MonitoredSessionOptions given)
      : options(std::move(given)), graph(default_graph()), graph_was_finalized(graph->finalized()) {
    if (!options.session_creator) options.session_creator = std::make_shared<ChiefSessionCreator>();
  }

  // --- one session after the other ---------------------------------------------------------------

  void create() {
    const AsDefault as_default(graph);
    session = options.session_creator->create_session();
    coord = session_face().make_coordinator();
    stop_requested = false;
    is_live = true;
    try {
      if (!collections_of(session->graph()).get(GraphKeys::QUEUE_RUNNERS).empty())
        session_face().start_queue_runners(*session, *coord);
      for (const HookRef& hook : options.hooks) hook->after_create_session(*session, *coord);
    } catch (...) {
      abandon();
      throw;
    }
  }

  void create_until_there() {
    while (true) {
      try {
        return create();
      } catch (const Error& error) {
        if (!is_preemption(error)) throw;
        log_lost(error,
                 "An error was raised while a session was being created. This may be due to a "
                 "preemption of a connected worker or parameter server. A new session will be "
                 "created.");
      }
    }
  }

  // Threads first, then the session that they use. Throws what a thread failed with.
  void close_session() {
    is_live = false;
    const std::vector<ThreadRef> threads = coord->registered_threads();
    coord->request_stop();
    if (only_queue_runners_wait(*coord, options.stop_grace_period_secs)) cancel_steps();
    std::exception_ptr failure;
    try {
      coord->join({}, {.stop_grace_period_secs = options.stop_grace_period_secs,
                       .ignore_live_threads = true});
    } catch (...) {
      failure = std::current_exception();
    }
    cancel_steps();
    keep_for(threads, kEndAfterClose);
    if (failure) std::rethrow_exception(failure);
  }

  void cancel_steps() {
    try {
      session->close();
    } catch (const std::exception& error) {
      logging::info("Ignored exception: ", error.what());
    }
  }

  // Threads that do not end in time go on using both, for the rest of the process. So do those of a
  // language that has ended: they cannot be asked.
  void keep_for(const std::vector<ThreadRef>& threads, double timeout_secs) {
    bool have_ended = false;
    try {
      have_ended = wait_for_end(threads, timeout_secs);
    } catch (const Error& error) {
      if (error.code() != Code::kCancelled) throw;
    }
    if (!have_ended) new std::pair(session, coord);
  }

  // The same for a session that was lost: that its machines are lost is known.
  void close_lost() {
    try {
      close_session();
    } catch (const Error& error) {
      if (!is_preemption(error)) throw;
      logging::error(
          "An error occurred when attempting to close the session. This may be due to ",
          "a preemption in a connected worker or parameter server. Error: ", error.message());
    }
  }

  void abandon() {
    try {
      close_session();
    } catch (...) {  // what is being handled says more
    }
  }

  // --- steps -------------------------------------------------------------------------------------

  SessionRunValues run_coordinated(const SessionRunArgs& args, StepStats* run_metadata) {
    try {
      if (stop_requested)
        misuse(Code::kFailedPrecondition, "Run called even after should_stop requested.");
      HookedStep step(args, *session, options.hooks);
      SessionRunValues values = step.run(run_metadata);
      if (step.stop_requested()) stop_requested = true;
      return values;
    } catch (const Error& error) {
      if (!is_preemption(error)) raise_lost_by_threads();
      throw;
    } catch (...) {
      raise_lost_by_threads();
      throw;
    }
  }

  // A step may fail because a thread has lost the session: that is the root of it.
  void raise_lost_by_threads() const {
    try {
      coord->raise_requested_exception();
    } catch (const Error& error) {
      if (is_preemption(error)) throw;
    } catch (...) {
    }
  }

  // Does `work` in a session that lives, again in another one where it was lost meanwhile.
  template <class F>
  auto in_live_session(F work) {
    require_open();
    if (!options.recovers) return work();
    while (true) {
      try {
        if (!is_live) create_until_there();
        return work();
      } catch (const Error& error) {
        if (!is_preemption(error)) throw;
        log_lost(error,
                 "An error was raised. This may be due to a preemption in a connected worker or "
                 "parameter server. The current session will be closed and a new session will be "
                 "created.");
        if (is_live) close_lost();
      }
    }
  }

  bool threads_want_to_stop() {
    coord->raise_requested_exception();
    return coord->should_stop();
  }

  bool should_stop() {
    if (!session || !is_live) return true;
    if (!options.recovers) return threads_want_to_stop() || stop_requested;
    try {
      return threads_want_to_stop() || stop_requested;
    } catch (const Error& error) {
      if (!is_preemption(error)) return true;
      log_lost(error,
               "An error was raised while considering whether the session is complete. This may "
               "be due to a preemption in a connected worker or parameter server. The current "
               "session will be closed and a new session will be created.");
    } catch (...) {
      return true;
    }
    close_lost();
    create_until_there();
    return false;
  }

  // --- the end -----------------------------------------------------------------------------------

  void require_open() const {
    if (!session) misuse(Code::kFailedPrecondition, "Session is already closed.");
  }

  void close(bool after_error) {
    require_open();
    std::exception_ptr failure;
    try {
      if (!after_error)
        for (const HookRef& hook : options.hooks) hook->end(*session);
    } catch (...) {
      failure = std::current_exception();
    }
    try {
      if (is_live && options.recovers) close_lost();
      if (is_live) close_session();
    } catch (...) {
      failure = std::current_exception();
    }
    let_go();
    if (failure) std::rethrow_exception(failure);
  }

  void let_go() {
    session.reset();
    coord.reset();
    options.hooks.clear();
    options.session_creator.reset();
    if (!graph_was_finalized) graph->unsafe_unfinalize();
  }

  MonitoredSessionOptions options;
  const std::shared_ptr<Graph> graph;
  const bool graph_was_finalized;
  CoordinatorRef coord;
  std::shared_ptr<Session> session;  // null once all is closed
  bool is_live = false;              // false between a lost session and the next one
  std::atomic<bool> stop_requested = false;
};

MonitoredSession::MonitoredSession(MonitoredSessionOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {
  for (const HookRef& hook : impl_->options.hooks) hook->begin();
  if (impl_->options.recovers)
    impl_->create_until_there();
  else
    impl_->create();
}

MonitoredSession::MonitoredSession(MonitoredSession&&) noexcept = default;

MonitoredSession::~MonitoredSession() {
  if (!impl_ || !impl_->session) return;
  if (impl_->is_live) impl_->abandon();
  impl_->let_go();
}

void MonitoredSession::forget() {
  if (!impl_->session) return;
  const std::vector<ThreadRef> threads = impl_->coord->registered_threads();
  impl_->coord->request_stop();
  impl_->keep_for(threads, 0);
  impl_->let_go();
}

SessionRunValues MonitoredSession::run(const SessionRunArgs& args, StepStats* run_metadata) {
  return impl_->in_live_session([&] { return impl_->run_coordinated(args, run_metadata); });
}

std::vector<Tensor> MonitoredSession::run_fetches(const std::vector<Fetch>& fetches,
                                                  const Feeds& feeds) {
  SessionRunArgs args{.feed_dict = feeds};
  for (const Fetch& fetch : fetches) {
    if (fetch.operation() != nullptr) {
      args.fetches.emplace_back(*fetch.operation());
    } else {
      args.fetches.emplace_back(fetch.tensor());
    }
  }
  return run(args).results;
}

void MonitoredSession::run_step_fn(const std::function<void(StepContext&)>& step_fn) {
  impl_->in_live_session([&] {
    StepContext context(*impl_->session, [&](const SessionRunArgs& args, StepStats* metadata) {
      return impl_->run_coordinated(args, metadata);
    });
    step_fn(context);
  });
}

void MonitoredSession::run_until_stop(const std::function<void(MonitoredSession&)>& body) {
  try {
    while (!should_stop()) body(*this);
  } catch (const Error& error) {
    if (error.code() != Code::kOutOfRange) {
      close_after_error();
      throw;
    }
  } catch (...) {
    close_after_error();
    throw;
  }
  close();
}

bool MonitoredSession::should_stop() { return impl_->should_stop(); }
void MonitoredSession::close() { impl_->close(false); }
void MonitoredSession::close_after_error() { impl_->close(true); }
bool MonitoredSession::is_closed() const { return !impl_->session; }

Session& MonitoredSession::raw_session() const {
  impl_->require_open();
  return *impl_->session;
}
Graph& MonitoredSession::graph() const { return raw_session().graph(); }
const std::shared_ptr<Session>& MonitoredSession::session() const { return impl_->session; }
const CoordinatorRef& MonitoredSession::coordinator() const { return impl_->coord; }

MonitoredSession SingularMonitoredSession(const SingularMonitoredSessionOptions& options) {
  SessionCreatorOptions creator{
      .scaffold = options.scaffold,
      .config = options.config,
      .checkpoint_dir = options.checkpoint_dir,
      .checkpoint_filename_with_path = options.checkpoint_filename_with_path,
      .open = options.open};
  if (!options.master.empty()) creator.config.target = options.master;
  return MonitoredSession({.session_creator = std::make_shared<ChiefSessionCreator>(creator),
                           .hooks = options.hooks,
                           .stop_grace_period_secs = options.stop_grace_period_secs,
                           .recovers = false});
}

}  // namespace rill::train
