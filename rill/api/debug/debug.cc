#include "rill/api/debug/debug.h"

namespace rill::debug {

DebugWrapperSession::DebugWrapperSession(const Session& session, RunObserverRef observer)
    : session_(session) {
  observe_session(session_, std::move(observer));
}

DebugWrapperSession::~DebugWrapperSession() { observe_session(session_, nullptr); }

LocalCLIDebugWrapperSession::LocalCLIDebugWrapperSession(const Session& session,
                                                         debugger::CommandLineOptions options)
    : LocalCLIDebugWrapperSession(
          session, std::make_shared<debugger::CommandLineObserver>(std::move(options))) {}

LocalCLIDebugWrapperSession::LocalCLIDebugWrapperSession(
    const Session& session, std::shared_ptr<debugger::CommandLineObserver> observer)
    : DebugWrapperSession(session, observer), observer_(std::move(observer)) {}

void LocalCLIDebugWrapperSession::add_tensor_filter(const std::string& name, TensorFilter filter) {
  observer_->add_tensor_filter(name, std::move(filter));
}

}  // namespace rill::debug
