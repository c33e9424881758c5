#pragma once

#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/api/variables/variable.h"
#include "rill/graph/traced_functions.h"

namespace rill {

// A function with the types and shapes of its arguments, as function() makes one for a signature.
class ConcreteFunction {
 public:
  // "__inference_step_12".
  const std::string& name() const { return name_; }
  // The graph that its body was built in.
  const std::shared_ptr<Graph>& graph() const { return trace_->builder->body(); }
  // The arguments in the body, without those that stand for captured tensors; and the results.
  std::span<const Output> inputs() const { return std::span(inputs_).first(argument_count_); }
  const std::vector<Output>& outputs() const { return trace_->results; }
  // What calls pass on besides their arguments: tensors and handles of variables from outside.
  const std::vector<Output>& captured() const { return trace_->builder->captured(); }
  bool has_effects() const { return has_effects_; }
  const std::shared_ptr<const Function>& definition() const { return definition_; }

  // Makes what a call needs if a tape watches it: gradient functions of the program may run for
  // that, in a call they do not. For faces that let others run during the call.
  void prepare(std::span<const Output> arguments) const;

  // Calls it in the default graph, where that is an eager one at once. Throws InvalidArgument where
  // the arguments are not as many, or of other types, and what the body throws.
  std::vector<Output> operator()(std::span<const Output> arguments,
                                 std::source_location at = std::source_location::current()) const;

 private:
  friend class FunctionTrace;
  ConcreteFunction() = default;
  std::vector<Output> call_now(Scope& scope, std::vector<Output> arguments) const;
  std::vector<Output> call_in(Scope& scope, std::vector<Output> arguments) const;

  std::string name_;
  std::shared_ptr<TracedFunction> trace_;
  std::shared_ptr<const Function> definition_;
  std::shared_ptr<FunctionLibrary> library_;
  std::vector<Output> inputs_, trainable_;
  std::vector<DType> types_;
  std::size_t argument_count_ = 0;
  bool has_effects_ = false;
};

// A concrete function under construction. What is built while its body is the default graph becomes
// part of it; effects happen in the order in which they were built.
class FunctionTrace {
 public:
  enum class NewVariables { kMake, kRefuse };
  // `name` as it is in the program.
  FunctionTrace(std::string_view name, NewVariables new_variables);
  ~FunctionTrace();

  const std::shared_ptr<Graph>& body() const { return builder_->body(); }
  // Arguments come first: add them before anything is built.
  // `given`: what the first call passes, if there is one; variables may be made from it.
  Output add_argument(DType dtype, const PartialShape& shape, std::string_view name,
                      const Output& given = {});
  // Variables that were made; a function whose trace has made some is traced again.
  std::size_t new_variables() const;
  std::shared_ptr<ConcreteFunction> finish(std::vector<Output> results);

 private:
  const std::shared_ptr<Graph> outer_;
  const std::shared_ptr<FunctionBuilder> builder_;
  const std::string name_;
  std::size_t argument_count_ = 0;
};

}  // namespace rill
