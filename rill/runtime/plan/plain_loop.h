#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace rill {

struct ExecutorOptions;
struct FrameLayout;
struct Iteration;
struct StepContext;
struct Workspace;
class Plan;

// A loop without branches or inner loops, compiled to a fixed sequence of kernels. Each iteration
// runs `test` (the condition), `after` (what does not depend on the condition's value), then `body`
// or, in the last iteration, `end`. It needs none of the frame executor's bookkeeping, and all
// iterations use the same slots. Slots and addresses are FrameLayout's.
struct PlainLoop {
  struct Kernel {  // a call of one
    int node;
    int value_begin;         // into `addresses`
    std::uint64_t takeable;  // inputs whose storage an output may take over
    int dying_begin, dying_end;
  };
  struct Branch {  // a Switch
    int data, when_false, when_true;
    bool moves;  // nobody reads `data` in this iteration any more
  };
  struct Carry {  // a NextIteration and its Merge
    int from, to;
    bool moves;
  };

  std::vector<std::pair<int, int>> starts;  // from an Enter's slot to its Merge's
  std::vector<Kernel> test, after, body, end;
  int predicate = 0;
  std::vector<Branch> branches;
  std::vector<Carry> carries;
  std::vector<int> exits;      // nodes
  std::vector<int> dying;      // per step: slots that nobody reads in this iteration any more
  std::vector<int> addresses;  // per step: its inputs, then its outputs
};

// The sequence of loop `frame`, or nothing when the loop is not that plain.
std::unique_ptr<const PlainLoop> find_plain_loop(const Plan& plan, const FrameLayout& layout,
                                                 int frame);

// What a run of a plain loop works with.
struct PlainLoopRun {
  const Plan& plan;
  const PlainLoop& loop;
  Workspace& workspace;
  StepContext& step;
  const ExecutorOptions& options;
  Iteration& iteration;
  std::int64_t kernels_run = 0;

  void start();  // after all Enters have put their value into their slots
  // Runs at most `limit` iterations, fewer when the step is cancelled or past its time; true when
  // the loop has ended, with what leaves it in the inputs of its Exits. Throws what a kernel
  // throws, with its node named.
  bool iterations(int limit);

 private:
  bool test();
  void run(const PlainLoop::Kernel& kernel);
};

}  // namespace rill
