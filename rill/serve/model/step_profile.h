#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "rill/runtime/step/step_stats.h"

namespace rill::serve {

// What steps of models did while somebody watched them: each says when which node ran. One watcher
// at a time; while there is none, a step pays for a look at one number. Safe from several threads
// at once.
class StepProfile {
 public:
  struct Traced {
    std::string model;
    StepStats stats;
  };
  static StepProfile& shared();  // of the process

  // Watches the steps of this model, or of all (""), for so long or until there are `max_steps`;
  // `give_up` is asked now and then. Throws ResourceExhausted when somebody watches already.
  std::vector<Traced> collect(const std::string& model, std::int64_t millis, std::size_t max_steps,
                              const std::function<bool()>& give_up = {});

  bool wants(const std::string& model) {
    return is_on_.load(std::memory_order_relaxed) && wants_now(model);
  }
  void add(const std::string& model, StepStats stats);

 private:
  bool wants_now(const std::string& model);

  std::atomic<bool> is_on_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string model_;  // guarded by mutex_, as what follows
  std::size_t begun_ = 0, max_steps_ = 0;
  std::vector<Traced> traced_;
};

// The same as files. All nodes of all steps as chrome://tracing and Perfetto show them:
std::string timeline_json(const std::vector<StepProfile::Traced>& steps);
// As `go tool pprof` reads it: nanoseconds and calls of each node, below the scopes of its
// name.
std::string pprof_bytes(const std::vector<StepProfile::Traced>& steps, std::int64_t began_micros,
                        std::int64_t millis);
// As a serialised RunMetadata, which `rill profile --run_meta_path` reads.
std::string run_metadata_bytes(const std::vector<StepProfile::Traced>& steps);

}  // namespace rill::serve
