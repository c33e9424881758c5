#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rill/api/estimator/core/repeated_graph.h"

namespace rill::estimator {

// Which values of a checkpoint a session was given: its path and when its files were written.
struct CheckpointIdentity {
  std::string path = {};
  std::int64_t index_modified = 0, index_size = 0;
  friend bool operator==(const CheckpointIdentity&, const CheckpointIdentity&) = default;
};
CheckpointIdentity identity_of(const std::string& checkpoint);

// A graph whose variables a session has restored, ready for predictions.
struct PredictSession {
  std::shared_ptr<Graph> graph = {};
  int node_count = 0;  // of the model; what follows prepared the session
  std::vector<std::string> collections = {};
  CheckpointIdentity checkpoint = {};
  std::shared_ptr<Session> session = {};
};

// The sessions of earlier predictions. Each is lent to one prediction at a time.
class PredictSessions {
 public:
  struct Loan {
    std::unique_ptr<PredictSession> held;
    std::vector<Feed> feeds;  // that make it do what the new graph does
  };
  // One that gives what `graph` would, with the same nodes under the same numbers; none where there
  // is none.
  std::optional<Loan> borrow(const Graph& graph, const CheckpointIdentity& checkpoint);
  void give_back(std::unique_ptr<PredictSession> held);
  void clear();  // of those that are not lent

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<PredictSession>> idle_;  // the one used last at the end
};

// What the collections of a graph hold, by name.
std::vector<std::string> collection_names(Graph& graph);

}  // namespace rill::estimator
