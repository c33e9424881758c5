#pragma once

#include "rill/api/estimator/core/estimator.h"
#include "rill/api/estimator/core/predict_sessions.h"
#include "rill/api/training/monitored_session.h"

namespace rill::estimator {

// Where predictions come from.
struct Predictions::Source {
  virtual ~Source() = default;
  // The values of the next batch, in the order of the keys; none at the end.
  virtual std::optional<std::vector<Tensor>> next() = 0;

  EstimatorSpec spec;
  std::vector<std::string> keys;
};

// Through a monitored session, whatever hooks and scaffolds do there.
class MonitoredSource : public Predictions::Source {
 public:
  MonitoredSource(std::shared_ptr<Graph> graph, train::MonitoredSessionOptions options,
                  const std::vector<Output>& fetches)
      : graph_(std::move(graph)) {
    for (const Output& fetch : fetches) step_.fetches.push_back(fetch);
    const AsDefault as_default(graph_);
    session_.emplace(std::move(options));
  }
  std::optional<std::vector<Tensor>> next() override;

 private:
  std::shared_ptr<Graph> graph_;
  train::SessionRunArgs step_;
  std::optional<train::MonitoredSession> session_;
};

// Through a session that later predictions with the same graph use again.
class KeptSource : public Predictions::Source {
 public:
  KeptSource(PredictSessions& sessions, std::unique_ptr<PredictSession> held,
             std::vector<Output> fetches)
      : sessions_(sessions), held_(std::move(held)), fetches_(std::move(fetches)) {}
  ~KeptSource() override {
    if (held_) sessions_.give_back(std::move(held_));
  }
  void begin(Node* initializer, const std::vector<Feed>& feeds);
  std::optional<std::vector<Tensor>> next() override;

 private:
  // A session that failed is not used again, unless only its input has ended.
  template <class F>
  auto guarded(F run) -> decltype(run());

  PredictSessions& sessions_;
  std::unique_ptr<PredictSession> held_;
  std::vector<Output> fetches_;
};

}  // namespace rill::estimator
