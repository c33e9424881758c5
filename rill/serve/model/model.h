#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "rill/net/call_limits.h"
#include "rill/runtime/session/saved_model.h"
#include "rill/serve/core/servable.h"
#include "rill/serve/metrics/metric.h"
#include "rill/serve/model/kept.h"

namespace rill::serve {

using tensorflow::SignatureDef;
using Signatures = std::map<std::string, SignatureDef>;

// The limits of the call that brought a request, and where its time is counted.
struct RequestLimits : net::CallLimits {
  RequestLimits() = default;
  RequestLimits(net::CallLimits limits) : CallLimits(std::move(limits)) {}

  Histogram* runtime_micros = nullptr;  // where the time of steps is noted; may be null
  bool is_own = false;                  // of the server itself, which waits for nobody
  int depth = 0;                        // of ensembles that this is asked for

  // What is left, as RunOptions has it: 0 means no limit. Throws DeadlineExceeded or Cancelled when
  // there is no point in going on.
  std::int64_t timeout_ms() const;
};

// Called once, with values or an error, by whichever thread has them.
using TensorsDone = std::function<void(std::vector<Tensor>, std::optional<Error>)>;

// Tensors that are fed and fetched together, compiled. They are in the order of their names.
struct CompiledStep {
  std::string model;                        // whose it is
  std::vector<std::string> feeds, fetches;  // of the graph
  Callable callable;
};
using CompiledStepRef = std::shared_ptr<const CompiledStep>;

// Runs it, and lets whoever watches the model's steps see what it did.
std::vector<Tensor> run_step(const CompiledStep& step, std::span<const Tensor> feeds,
                             std::int64_t timeout_ms);

// Runs steps: at once, or joined with those of other requests.
class StepRunner {
 public:
  virtual ~StepRunner() = default;
  virtual void run(const CompiledStepRef& step, std::vector<Tensor> feeds,
                   const RequestLimits& limits, TensorsDone done) = 0;
  // Throws Unavailable for a request that run() would refuse however it were asked: who has not
  // read it yet need not.
  virtual void require_room(const RequestLimits&) {}
};
class DirectRunner : public StepRunner {
 public:
  void run(const CompiledStepRef& step, std::vector<Tensor> feeds, const RequestLimits& limits,
           TensorsDone done) override;
};

// A SavedModel in memory that answers requests. Safe from several threads at once.
class ModelServable : public Servable {
 public:
  // `name` is whose steps they are for who watches.
  ModelServable(saved_model::Model model, std::unique_ptr<StepRunner> runner,
                std::string name = {});
  // A model without a graph: what its signatures name as tensors is what `runner` knows.
  ModelServable(Signatures signatures, std::unique_ptr<StepRunner> runner, std::string name);
  ~ModelServable() override;

  const Signatures& signatures() const { return signatures_; }
  const SignatureDef* signature(const std::string& name) const;  // nullptr when there is none
  // The step that feeds and fetches these tensors of the graph. Throws InvalidArgument when it has
  // no such tensor.
  CompiledStepRef step(const std::set<std::string>& feeds,
                       const std::set<std::string>& fetches) const;
  // Whether a step is there already, or there is room for a few more kinds of steps: who asks may
  // choose from so many that compiling each would be a way to fill the memory.
  bool may_have_step(const std::set<std::string>& feeds,
                     const std::set<std::string>& fetches) const;

  // What was found out about a signature, kept by whoever found it; nullptr when there is nothing.
  std::shared_ptr<const void> kept_plan(const std::string& signature) const;
  void keep_plan(const std::string& signature, std::shared_ptr<const void> plan) const;

  void run(const CompiledStepRef& step, std::vector<Tensor> feeds, const RequestLimits& limits,
           TensorsDone done) const {
    runner_->run(step, std::move(feeds), limits, timed(limits, std::move(done)));
  }
  // As the runner's.
  void require_room(const RequestLimits& limits) const { runner_->require_room(limits); }
  // What others keep with this version.
  Kept& kept() const { return kept_; }

 private:
  static TensorsDone timed(const RequestLimits& limits, TensorsDone done);
  using StepKey = std::pair<std::set<std::string>, std::set<std::string>>;

  const std::string name_;
  const std::shared_ptr<Graph> graph_;
  const std::unique_ptr<Session> session_;
  Signatures signatures_;
  mutable std::map<std::string, std::shared_ptr<const void>> plans_;  // by signature
  mutable std::mutex mutex_;
  mutable std::map<StepKey, CompiledStepRef> steps_;
  mutable Kept kept_;
  const std::unique_ptr<StepRunner> runner_;  // goes first
};

}  // namespace rill::serve
