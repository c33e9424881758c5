#pragma once

#include <memory>

#include "rill/kernel/detached_calls.h"
#include "rill/ops/data/dataset.h"

namespace rill {

// What the iterators of one walk through a dataset share. It goes on between steps until stop().
class Pipeline {
 public:
  explicit Pipeline(std::shared_ptr<DetachedCalls> calls) : calls_(std::move(calls)) {}

  DetachedCalls& calls() const { return *calls_; }
  Cancellation& cancellation() const { return calls_->cancellation(); }
  void check_running() const;  // throws Cancelled after stop() or when the session is closed
  void stop() { calls_->cancel(); }

 private:
  const std::shared_ptr<DetachedCalls> calls_;
};

// A function that a dataset applies, with the values that it captured.
struct FunctionSource {
  FuncName function;
  Element captured;
};

// The same, ready to be called in a pipeline, from several threads at once.
class DataFunction {
 public:
  DataFunction(const Pipeline& pipeline, const FunctionSource& source);
  // Takes the arguments' values away.
  void operator()(Element& arguments, Element& results) const;
  Element operator()(Element arguments) const;

  const std::vector<DType>& result_types() const { return function_->result_types(); }

 private:
  const std::shared_ptr<DetachedFunction> function_;
  const Element captured_;
};

// Calls a function that may end the sequence by raising OutOfRange: false then. Where the dataset
// promises as many elements as its input has, that is an error.
bool call_or_end(const DataFunction& function, Element& arguments, Element& results,
                 bool keeps_size);

}  // namespace rill
