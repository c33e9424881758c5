#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rill/graph/function.h"

namespace rill {

class Scope;

struct DefineOptions {
  std::string name;  // "": `base_name` and a hash of the definition
  std::string base_name = "function";
  std::vector<std::string> output_names;  // empty: after the nodes that make them
  AttrMap attrs;                          // "_noinline" and others
  bool order_effects = false;       // effects happen in the order in which their nodes were made
  bool describe_arguments = false;  // what is known of their shapes is part of the definition
};

// A function under construction: a graph in which to build its body. A node of the body may read
// tensors of other graphs; these are captured, that is, each becomes one more argument.
//
//   FunctionBuilder builder(graph);
//   const Output x = builder.add_argument(DType::f32, "x");
//   Scope inner(*builder.body());
//   define_function(graph, builder.finish({inner.add("Neg", {x}).output()}, {.name = "Minus"}));
class FunctionBuilder {
 public:
  explicit FunctionBuilder(Graph& outer);
  ~FunctionBuilder();

  const std::shared_ptr<Graph>& body() const { return body_; }
  // Arguments come in the order of their making, captured tensors after all of them.
  // `behind`: what is known of the variable whose handle it is.
  Output add_argument(DType type, std::string_view name, const PartialShape& shape = {},
                      const HandleInfo& behind = {});
  // One that `given` can be passed as, with this shape.
  Output add_argument_like(const Output& given, std::string_view name, const PartialShape& shape);
  const std::vector<Output>& captured() const { return captured_; }
  Output capture(Output outside);
  // Captures all of `outside`, which holds what is captured already, in this order.
  void capture_in_order(std::span<const Output> outside);

  // The arguments in the body: those that were added, then those that stand for captured tensors.
  std::vector<Output> arguments() const;

  // The function so far. Throws InvalidArgument for results that are not of the body (unless they
  // can be captured), or when names do not fit.
  Function finish(std::vector<Output> results, const DefineOptions& options);

 private:
  void order_effects();
  Graph& outer_;
  std::shared_ptr<Graph> body_;
  std::vector<Output> arguments_, captured_, captured_arguments_;
};

// A function of the nodes of `body` but those of `left_out`; replaced ones (replaced_nodes.h) are
// not part of it. Throws as FunctionBuilder::finish.
Function definition_of(const Graph& body, std::span<const Output> arguments,
                       std::span<const Output> results, const DefineOptions& options,
                       std::span<Node* const> left_out = {});

// Makes the function known to the graph: nodes of its name are calls.
void define_function(Graph& graph, Function function);

// The same, with all functions of `library` that it calls.
void define_with_callees(Graph& graph, const Function& function, const FunctionLibrary& library);

// Adds a call at `name` (made unique; the function's name when empty). Returns its node.
Node& call_function(Scope& scope, const std::string& function, std::span<const Output> arguments,
                    std::string_view name = {});

}  // namespace rill
