#pragma once

#include <condition_variable>
#include <deque>

#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/iterator/element_request.h"
#include "rill/tensor/resource_handle.h"

namespace rill {

// What an Iterator node stands for: a walk through a dataset that steps take elements from. A
// request that would have to wait blocks no thread of its step: it stands in line, and one
// background thread at a time works off the line. An element whose step has gone waits for the next
// request.
class IteratorResource final : public Resource, public WaitingRoom {
 public:
  static constexpr const char* kTypeName = "tensorflow::data::IteratorResource";
  // Without types, whatever dataset comes is taken.
  explicit IteratorResource(ElementSpec spec) : spec_(std::move(spec)) {}
  ~IteratorResource() override;
  std::string describe() const override { return "iterator"; }

  const ElementSpec& spec() const { return spec_; }
  // Starts a new walk, through `dataset`; the one before is stopped. Throws InvalidArgument when
  // its elements are not what was stated.
  void start(const DatasetRef& dataset, StepContext& step);
  // The same with the dataset that `make` returns, unless it has been started.
  void start_once(FunctionRef<DatasetRef()> make, StepContext& step);
  void stop();
  // Takes the next element for a step. FailedPrecondition before start().
  void next(KernelCall& call, Done done, Deliver deliver);

  // The position of the walk; waits for a request under way.
  IteratorState save();
  // Takes up the walk, through the dataset that was given to start(), where it was saved.
  void restore(const IteratorState& state, StepContext& step);

 private:
  // One walk; a background thread may still be in it when the next one has begun.
  struct Walk {
    DatasetRef dataset;
    PipelineRef pipeline;
    std::unique_ptr<DataIterator> iterator;
  };

  static std::shared_ptr<Walk> new_walk(const DatasetRef& dataset, StepContext& step);
  void replace(std::shared_ptr<Walk> walk);
  static NextElement take(Walk& walk);
  void work();  // on a background thread, as long as there are requests
  void serve() override;
  void leave(Waiter& waiter) override;

  const ElementSpec spec_;
  std::mutex starting_;  // start_once()
  std::shared_ptr<Walk> walk_;
  std::deque<std::shared_ptr<ElementRequest>> line_;
  std::deque<NextElement> ready_;  // one at most
  bool working_ = false;           // someone is inside of the walk
  std::condition_variable rested_;
};

}  // namespace rill
