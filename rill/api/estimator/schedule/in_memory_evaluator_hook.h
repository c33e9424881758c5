#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rill/api/estimator/core/estimator.h"
#include "rill/api/training/hook_timer.h"

namespace rill::estimator {

struct InMemoryEvaluatorHookOptions {
  std::optional<std::int64_t> steps = {};  // of an evaluation; none: until the input ends
  std::vector<HookRef> hooks = {};         // of the evaluations
  std::string name = {};                   // tells evaluations on several sets of data apart
  std::int64_t every_n_iter = 100;         // steps of training between two evaluations
};

// Evaluates a model while it is trained, without checkpoints: before the first step, every so many
// steps, and at the end. The evaluation's graph is built once; values of variables are copied into
// it each time. The estimator must outlive it.
class InMemoryEvaluatorHook : public train::SessionRunHook {
 public:
  // Throws InvalidArgument for an estimator that is trained on several machines.
  InMemoryEvaluatorHook(Estimator& estimator, InputFn input_fn,
                        const InMemoryEvaluatorHookOptions& options = {});

  void begin() override;
  void after_create_session(Session& session, train::Coordinator&) override;
  void after_run(train::SessionRunContext& context, const train::SessionRunValues&) override;
  void end(Session& session) override { evaluate(session); }

 private:
  // A variable that both graphs have, and how the evaluation's gets a value.
  struct Transferred {
    Output trained;
    Output placeholder;
  };
  void evaluate(Session& training);

  Estimator& estimator_;
  const InputFn input_fn_;
  const EvaluateOptions options_;
  train::SecondOrStepTimer timer_;
  std::int64_t iter_count_ = 0;
  BuiltEvaluation built_;
  std::map<std::string, std::pair<Variable, Output>> evaluated_;  // with their placeholders
  std::vector<Transferred> transferred_;
  Node* load_ = nullptr;
};

}  // namespace rill::estimator
