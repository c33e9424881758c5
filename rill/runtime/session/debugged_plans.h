#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rill/ops/debug/debug_target.h"
#include "rill/passes/debug_options.h"
#include "rill/runtime/plan/plan.h"

namespace rill {

// A signature with what is watched in it.
struct DebuggedPlan {
  std::shared_ptr<Plan> plan;
  std::vector<std::string> graphs;  // what each device runs, debug ops included
  std::int64_t runs = 0;
};

// The latest of a session's debugged signatures. Where each run goes to a directory of its own,
// each is another one, so that only some are kept.
class DebuggedPlans {
 public:
  static constexpr std::size_t kKept = 8;

  // The plan of that key, or what `make` returns; counts its runs.
  template <class Make>
  std::shared_ptr<DebuggedPlan> get(const std::string& key, const Make& make) {
    if (auto known = find(key)) return known;
    return add(key, std::make_shared<DebuggedPlan>(make()));
  }

 private:
  std::shared_ptr<DebuggedPlan> find(const std::string& key);
  std::shared_ptr<DebuggedPlan> add(const std::string& key, std::shared_ptr<DebuggedPlan> made);

  std::mutex mutex_;
  std::list<std::pair<std::string, std::shared_ptr<DebuggedPlan>>> kept_;  // the latest first
};

std::string to_key(const DebugOptions& options);

// Opens where a run's watches go, and tells there of the run, unless that is another's business
// (null), and of its graphs; closes it at the end.
class DebugPublication {
 public:
  DebugPublication(const DebugOptions& options, const DebuggedRun* run,
                   const std::vector<std::string>& graphs, std::int64_t micros);
  ~DebugPublication();
  DebugPublication(const DebugPublication&) = delete;
  DebugPublication& operator=(const DebugPublication&) = delete;

 private:
  std::vector<std::shared_ptr<DebugTarget>> targets_;
};

}  // namespace rill
