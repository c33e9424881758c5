#pragma once

#include <string>
#include <vector>

#include "rill/inspect/debugger/command_line_observer.h"
#include "rill/inspect/debugger/dump_dir.h"
#include "rill/inspect/debugger/event_server.h"
#include "rill/inspect/debugger/publishing_observers.h"
#include "rill/inspect/debugger/run_recorder.h"
#include "rill/inspect/debugger/watch.h"
#include "rill/ops/debug/debug_target.h"

namespace rill::debug {

using DebugDumpDir = debugger::DumpDir;
using DebugTensorDatum = debugger::DumpDatum;
using debugger::DumpedValue;
using debugger::EventServer;
using debugger::has_inf_or_nan;
using debugger::RecordedRun;
using debugger::RecordOptions;
using debugger::TensorFilter;
using debugger::watch_graph;
using debugger::WatchOptions;
// Gets what is published to "memcbk://KEY".
using rill::set_debug_callback;

// A session of which a debugger observes every run, as long as this lives; the session is used as
// before, and must be there when this goes.
class DebugWrapperSession {
 public:
  DebugWrapperSession(const Session& session, RunObserverRef observer);
  ~DebugWrapperSession();
  DebugWrapperSession(const DebugWrapperSession&) = delete;
  DebugWrapperSession& operator=(const DebugWrapperSession&) = delete;

 private:
  const Session& session_;
};

// With tfdbg's command line before and after the runs.
class LocalCLIDebugWrapperSession : public DebugWrapperSession {
 public:
  explicit LocalCLIDebugWrapperSession(const Session& session,
                                       debugger::CommandLineOptions options = {});
  void add_tensor_filter(const std::string& name, TensorFilter filter);

 private:
  LocalCLIDebugWrapperSession(const Session& session,
                              std::shared_ptr<debugger::CommandLineObserver> observer);
  std::shared_ptr<debugger::CommandLineObserver> observer_;
};

// Whose latest runs are recorded, so that a person, or the program, can go back to them.
//
//   tf::debug::RecordingDebugWrapperSession recording(sess);
//   ...
//   const auto& run = *recording.recorder().first_passing(tf::debug::has_inf_or_nan);
//   const tf::Tensor logits = recording.recorder().value_in(run, "logits:0");
class RecordingDebugWrapperSession : public DebugWrapperSession {
 public:
  explicit RecordingDebugWrapperSession(const Session& session, RecordOptions options = {})
      : RecordingDebugWrapperSession(session,
                                     std::make_shared<debugger::RunRecorder>(std::move(options))) {}
  debugger::RunRecorder& recorder() const { return *recorder_; }
  void look_back() { recorder_->look_back(); }

 private:
  RecordingDebugWrapperSession(const Session& session,
                               const std::shared_ptr<debugger::RunRecorder>& recorder)
      : DebugWrapperSession(session, recorder), recorder_(recorder) {}
  const std::shared_ptr<debugger::RunRecorder> recorder_;
};

// Whose runs are dumped, each to a directory of its own below `root`.
class DumpingDebugWrapperSession : public DebugWrapperSession {
 public:
  DumpingDebugWrapperSession(const Session& session, const std::string& root,
                             debugger::WatchFunction watch = {})
      : DebugWrapperSession(session, debugger::dumping_observer(root, std::move(watch))) {}
};

// Whose runs are streamed to debuggers' servers at "HOST:PORT".
class GrpcDebugWrapperSession : public DebugWrapperSession {
 public:
  GrpcDebugWrapperSession(const Session& session, const std::vector<std::string>& addresses,
                          debugger::WatchFunction watch = {}, bool sends_sources = false)
      : DebugWrapperSession(session,
                            debugger::grpc_observer(addresses, std::move(watch), sends_sources)) {}
};

}  // namespace rill::debug
