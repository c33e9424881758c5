#pragma once

#include <span>
#include <string>
#include <vector>

#include "rill/inspect/benched_model.h"
#include "rill/inspect/op_cost.h"

namespace rill::inspect {

// What a graph pass or rewrite did before the step was run.
struct FiredPass {
  std::string name;
  int places = 0;
};

// How much of a step one node takes, or all nodes of one op.
struct KernelShare {
  std::string op, node;  // no node: the sum for an op
  int calls = 0;
  double seconds = 0;
  double flops = 0, bytes = 0;  // estimated from shapes
  double min_seconds = 0;       // that the machine needs for so much
  double memory_seconds = 0;    // the part of these in which memory is the limit
  bool is_known = true;         // flops of all of it are

  // Whether memory limits it, else its arithmetic does.
  bool by_memory() const { return 2 * memory_seconds >= min_seconds; }
  // How near the machine's peak it is: 1 is at it. Caches may make it more.
  double of_peak() const { return seconds > 0 ? min_seconds / seconds : 0; }
};

struct Explanation {
  std::vector<FiredPass> passes;          // in their order, only those that did something
  int nodes = 0;                          // that a step runs
  double step_seconds = 0;                // of the quickest, from beginning to end
  double kernel_seconds = 0;              // the sum of all kernels
  std::vector<KernelShare> ops, kernels;  // the dearest first
  Peaks peaks;
};

// Runs the model `runs` times with tracing; of each node the run counts in which it took least.
Explanation explain(const BenchedModel& model, std::span<const Tensor> feeds, const Peaks& peaks,
                    int runs = 10);

// `most` rows of each table.
std::string to_text(const Explanation& explanation, int most = 15);
std::string to_json(const Explanation& explanation);
std::string to_text(const Peaks& peaks);
std::string to_json(const Peaks& peaks);

}  // namespace rill::inspect
