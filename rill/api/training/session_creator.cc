#include "rill/api/training/session_creator.h"

namespace rill::train {
namespace {

SessionCreatorOptions with_scaffold(SessionCreatorOptions options) {
  if (!options.scaffold) options.scaffold = std::make_shared<Scaffold>();
  return options;
}

// Of a scaffold that is complete.
SessionManager manager_of(const SessionCreatorOptions& options) {
  const ScaffoldOptions& parts = options.scaffold->parts();
  return SessionManager({.local_init_op = parts.local_init_op,
                         .ready_op = parts.ready_op,
                         .ready_for_local_init_op = parts.ready_for_local_init_op,
                         .local_init_feed_dict = parts.local_init_feed_dict,
                         .open = options.open});
}

}  // namespace

ChiefSessionCreator::ChiefSessionCreator(SessionCreatorOptions options)
    : options_(with_scaffold(std::move(options))) {}

std::shared_ptr<Session> ChiefSessionCreator::create_session() {
  Scaffold& scaffold = options_.scaffold->finalize();
  const ScaffoldOptions& parts = scaffold.parts();
  PrepareSessionOptions prepare;
  prepare.saver = parts.restorer ? parts.restorer : Restorer(parts.saver);
  prepare.checkpoint_dir = options_.checkpoint_dir;
  prepare.checkpoint_filename_with_path = options_.checkpoint_filename_with_path;
  prepare.config = options_.config;
  prepare.init_op = parts.init_op;
  prepare.init_feed_dict = parts.init_feed_dict;
  if (parts.init_fn)
    prepare.init_fn = [&scaffold](Session& session) {
      scaffold.parts().init_fn(scaffold, session);
    };
  return manager_of(options_).prepare_session(options_.config.target, prepare);
}

WorkerSessionCreator::WorkerSessionCreator(SessionCreatorOptions options)
    : options_(with_scaffold(std::move(options))) {}

std::shared_ptr<Session> WorkerSessionCreator::create_session() {
  options_.scaffold->finalize();
  return manager_of(options_).wait_for_session(
      options_.config.target, {.config = options_.config, .max_wait_secs = options_.max_wait_secs});
}

}  // namespace rill::train
