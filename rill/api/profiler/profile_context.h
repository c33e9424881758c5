#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rill/api/profiler/profiler.h"
#include "rill/runtime/session/run_observer.h"

namespace rill::profiler {

struct ProfileContextOptions {
  // Which runs are traced; none said: by itself each run after the first ten that fetches something
  // new, and some others while little of the graph has been seen.
  std::optional<std::set<std::int64_t>> trace_steps = {};
  std::set<std::int64_t> dump_steps = {100};  // after which the profile is written
  bool enabled = true;                        // false: it does nothing at all
};

// While there is one, runs of the main thread are counted from 0, and some of them are traced.
//
//   profiler::ProfileContext context("/tmp/profiles");
//   context.add_auto_profiling("op", profiler::time_and_memory(), {15, 50, 100});
//   ... sess.run(train_op) ...
class ProfileContext {
 public:
  static constexpr std::int64_t kMostTraced = 100;

  // Throws InvalidArgument without a directory, and for more than a hundred steps to trace.
  explicit ProfileContext(const std::string& directory, const ProfileContextOptions& options = {});
  ~ProfileContext();
  ProfileContext(const ProfileContext&) = delete;
  ProfileContext& operator=(const ProfileContext&) = delete;

  // Runs are not watched any more; what was traced stays.
  void end();

  // After these runs the view ("scope", "graph", "op" or "code") is made and kept.
  void add_auto_profiling(const std::string& command, const ProfileOptions& options,
                          const std::set<std::int64_t>& steps);
  void trace_next_step();
  void dump_next_step();  // to DIRECTORY/profile_STEP, which `rill profile --profile_path` reads

  // What was traced so far. Throws FailedPrecondition before the first run.
  const Profiler& profiler() const;
  // The kept views by run, of scope and graph, and of op and code. Throws InvalidArgument for a
  // command that was never asked for.
  const std::map<std::int64_t, GraphNodeProto>& trees(const std::string& command) const;
  const std::map<std::int64_t, MultiGraphNodeProto>& tables(const std::string& command) const;

 private:
  class Triggers;
  const std::shared_ptr<Triggers> triggers_;  // null where it is not enabled
};

}  // namespace rill::profiler
