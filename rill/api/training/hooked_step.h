#pragma once

#include <vector>

#include "rill/api/training/session_run_hook.h"

namespace rill::train {

// One run of a session with what hooks ask for besides: a single step, whose signature is the same
// as long as all ask for the same.
class HookedStep {
 public:
  HookedStep(const SessionRunArgs& args, Session& session, const std::vector<HookRef>& hooks)
      : args_(args), session_(session), hooks_(hooks), context_(args, session) {}

  // What `args` asked for. Throws Misuse where two feed the same tensor.
  SessionRunValues run(StepStats* run_metadata);
  bool stop_requested() const { return context_.stop_requested(); }

 private:
  void ask_hooks();
  void add(const SessionRunArgs& args);
  void tell_hooks(const std::vector<Tensor>& results, const StepStats* stats);

  const SessionRunArgs& args_;
  Session& session_;
  const std::vector<HookRef>& hooks_;
  SessionRunContext context_;
  std::vector<std::optional<SessionRunArgs>> requests_;  // by hook
  std::vector<Output> tensors_;                          // the caller's, then each hook's
  std::vector<Node*> operations_;
  std::vector<Feed> hook_feeds_;
  RunOptions options_;
};

}  // namespace rill::train
