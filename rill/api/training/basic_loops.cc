#include "rill/api/training/basic_loops.h"

namespace rill::train {

void basic_train_loop(Supervisor& supervisor, const std::function<void(Session&)>& train_step,
                      const ManagedSessionOptions& options) {
  while (true) {
    try {
      return supervisor.managed_session(
          [&](Session& session) {
            while (!supervisor.should_stop()) train_step(session);
          },
          options);
    } catch (const Error& error) {
      if (error.code() != Code::kAborted) throw;
    }
  }
}

}  // namespace rill::train
