#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "rill/graph/attr.h"
#include "rill/tensor/tensor.h"

namespace rill {

struct StepContext;

// A function of the graph's library with its attributes given, ready to be called any number of
// times, from several threads at once. What it does belongs to the caller's step: resources,
// cancellation, rendezvous, step id.
class BoundFunction {
 public:
  using Done = std::function<void(std::exception_ptr error, std::vector<Tensor> results)>;
  virtual ~BoundFunction() = default;
  virtual const std::vector<DType>& argument_types() const = 0;
  virtual const std::vector<DType>& result_types() const = 0;

  // Runs on this thread until it has ended; takes the arguments' values away and sets the results.
  // Only for functions that do not wait. Throws what the body's nodes throw, and ResourceExhausted
  // when calls nest too deeply.
  virtual void run(StepContext& step, std::span<Tensor> arguments, std::span<Tensor> results) = 0;
  // Never blocks. Calls `done` once, from any thread, possibly before it returns; `step` stays
  // valid until then.
  virtual void start(StepContext& step, std::vector<Tensor> arguments, Done done) = 0;
};

// Finds functions; what If, While and PartitionedCall stand on.
class FunctionCaller {
 public:
  virtual ~FunctionCaller() = default;
  // Kernels keep the result from step to step. "SymbolicGradient" with an attribute f is the
  // gradient of f. Throws NotFound for unknown functions, InvalidArgument for attributes and bodies
  // that do not fit.
  virtual std::shared_ptr<BoundFunction> bind(const FuncName& function) = 0;
};

}  // namespace rill
