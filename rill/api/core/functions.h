#pragma once

#include <functional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill {

class DefinedFunction;
class GradCtx;

// `func_name` must be new in the graph, or the name of an equal function. `noinline` keeps the call
// a node of its own when graphs are optimized. Without a gradient function or builder the gradient
// is made from the body.
struct FunctionOptions {
  std::string func_name = {};  // "": made from `base_name` and a hash of the definition
  std::string base_name = "function";
  std::vector<std::string> arg_names = {};  // empty: "arg0", "arg1", ...
  std::vector<std::string> out_names = {};  // empty: after the nodes that make the results
  bool noinline = false;
  bool order_effects = false;  // effects happen in the order in which their nodes were made
  std::string grad_func = {};  // the function that computes the gradient, by name
  // Builds the gradient of a call in the graph that the call is in.
  std::function<bool(GradCtx& call)> build_gradient = {};
};

// A function of a graph, as Defun makes it.
//
//   DefinedFunction twice = define_function({float32}, [](const std::vector<Output>& args) {
//     return std::vector<Output>{args[0] * 2.0F}; });
//   Output y = twice({x})[0];
class DefinedFunction {
 public:
  const std::string& name() const { return name_; }
  // Tensors of the graph around that the body reads; every call passes them on.
  const std::vector<Output>& captured_inputs() const { return captured_; }
  // A call in the default graph, which must be the one that the function was defined in or the body
  // of a function of it. Throws InvalidArgument when the arguments do not fit.
  Node& call(const Inputs& arguments, std::string_view name = {},
             std::source_location at = std::source_location::current()) const;
  std::vector<Output> operator()(const Inputs& arguments, std::string_view name = {},
                                 std::source_location at = std::source_location::current()) const;

 private:
  friend DefinedFunction define_function(
      const std::vector<DType>& types,
      const std::function<std::vector<Output>(const std::vector<Output>&)>& build,
      const FunctionOptions& options);
  std::string name_;
  std::vector<Output> captured_;
};

// Defines a function in the default graph. `build` is called once and makes its body, in a graph
// that is the default one meanwhile; tensors from outside that it reads are captured and become
// further arguments. Throws InvalidArgument when names and arguments differ in number, or another
// function has the name.
DefinedFunction define_function(
    const std::vector<DType>& types,
    const std::function<std::vector<Output>(const std::vector<Output>&)>& build,
    const FunctionOptions& options = {});

}  // namespace rill
