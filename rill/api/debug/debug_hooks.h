#pragma once

#include "rill/api/debug/debug.h"
#include "rill/api/training/session_run_hook.h"

namespace rill::debug {

// Puts a debugger before the steps of a monitored session.
class DebugHook : public train::SessionRunHook {
 public:
  explicit DebugHook(RunObserverRef observer) : observer_(std::move(observer)) {}
  std::optional<train::SessionRunArgs> before_run(train::SessionRunContext&) override {
    observe_next_run(observer_);
    return {};
  }

 private:
  const RunObserverRef observer_;
};

class LocalCLIDebugHook : public DebugHook {
 public:
  explicit LocalCLIDebugHook(debugger::CommandLineOptions options = {})
      : LocalCLIDebugHook(std::make_shared<debugger::CommandLineObserver>(std::move(options))) {}
  void add_tensor_filter(const std::string& name, TensorFilter filter) {
    command_line_->add_tensor_filter(name, std::move(filter));
  }

 private:
  explicit LocalCLIDebugHook(std::shared_ptr<debugger::CommandLineObserver> observer)
      : DebugHook(observer), command_line_(std::move(observer)) {}
  const std::shared_ptr<debugger::CommandLineObserver> command_line_;
};

class DumpingDebugHook : public DebugHook {
 public:
  explicit DumpingDebugHook(const std::string& root, debugger::WatchFunction watch = {})
      : DebugHook(debugger::dumping_observer(root, std::move(watch))) {}
};

class GrpcDebugHook : public DebugHook {
 public:
  explicit GrpcDebugHook(const std::vector<std::string>& addresses,
                         debugger::WatchFunction watch = {}, bool sends_sources = false)
      : DebugHook(debugger::grpc_observer(addresses, std::move(watch), sends_sources)) {}
};

}  // namespace rill::debug
