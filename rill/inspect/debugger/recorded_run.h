#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/inspect/debugger/publishing_observers.h"
#include "rill/runtime/session/run_observer.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::debugger {

// What one run began with, and what came into it from outside: enough to run it again.
struct RecordedRun {
  struct VariableValue {
    std::string container, name;
    Tensor value;  // without a value where it had none
  };

  explicit RecordedRun(const ObservedRun& run);

  int number = 0;           // from 1
  std::int64_t micros = 0;  // since the Unix epoch, when it began
  RunDescription description;
  std::shared_ptr<Graph> graph;
  SessionOptions session_options;
  std::vector<Feed> feeds;  // of the program
  // What nodes gave whose results do not follow from their inputs: random numbers, elements of
  // iterators and queues, Python functions. They are fed when it is run again.
  std::vector<Feed> given;
  std::vector<Output> fetches;
  std::vector<Node*> targets;
  std::vector<VariableValue> variables;
  std::string error;  // that it ended with
  // Why it cannot be run again, and the nodes that would give something else then.
  std::string obstacle;
  std::vector<std::string> inexact;

  // Of storage that `before` does not hold as well.
  std::int64_t bytes_beside(const RecordedRun* before) const;
};

// What running it again came to.
struct Replay {
  std::vector<tensorflow::GraphDef> graphs;
  std::string error;
};
// Runs it again in a session of its own, with watches. Throws FailedPrecondition where there is an
// obstacle; an error of the run itself is told.
Replay replay(const RecordedRun& run, const DebugOptions& watches);

// Runs it for the program and records it.
std::vector<Tensor> run_recorded(const ObservedRun& run, RecordedRun* record);

}  // namespace rill::debugger
