#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/graph/function.h"
#include "rill/graph/grad_ctx.h"

namespace rill {

// A function and its gradient as two functions that share what is computed: `forward` also gives
// the values that `backward` needs.
struct SplitGradient {
  // An argument of `backward` after the gradients: argument `index` of the function, or result
  // `index` of `forward`.
  struct Kept {
    bool is_argument;
    int index;
  };
  // Where the gradient of an argument is among the results of `backward`; nothing: it has none.
  struct Sent {
    int dense = -1;
    int values = -1, indices = -1, dense_shape = -1;
    bool empty() const { return dense < 0 && values < 0; }
  };

  std::string forward, backward;
  bool forward_has_effects = false, backward_has_effects = false;
  std::vector<DType> argument_types;
  std::vector<DType> forward_types;  // the function's results, then what is kept for `backward`
  std::vector<DType> backward_types;
  std::size_t result_count = 0;           // how many of those are the function's own
  std::vector<PartialShape> kept_shapes;  // of what comes after them
  std::vector<PartialShape> argument_shapes;
  std::vector<int> seeds;  // the results whose gradients `backward` takes, in order
  std::vector<Kept> kept;
  std::vector<Sent> sent;   // for each argument
  std::vector<int> passes;  // for each result the argument that it is, or -1
};

// Made once for each function of the graph's library, and defined there. Throws as gradients() and
// instantiate() do.
std::shared_ptr<const SplitGradient> split_gradient(Graph& graph, const FuncName& function);

// Calls `backward`: `dys` are the gradients of the results that have some, `arguments` and
// `results` what forward took and gave. Returns its results, for `sent` to find.
std::vector<Output> call_backward(Scope& scope, const SplitGradient& split,
                                  std::span<const Output> dys, std::span<const Output> arguments,
                                  std::span<const Output> results);

// The gradient of argument i among the results of a call of `backward`.
Gradient sent_gradient(const SplitGradient& split, std::span<const Output> results, std::size_t i);

// A call of `function`; where a tape watches, of what keeps the values for its gradient. Gives the
// function's own results.
std::vector<Output> call_recorded(Scope& scope, const FuncName& function, bool has_effects,
                                  std::span<const Output> arguments, std::span<const DType> types,
                                  std::string_view name = {});

// Whether replace_node can: not for what was executed, or lies inside of a branch or loop of Switch
// and Merge.
bool can_be_replaced(const Node& node);
// A node that stands for `node` from now on, with the same inputs followed by `more`, and what it
// gives from the first output on the same. Waits for the same nodes.
Node& replace_node(Node& node, std::vector<Output> more, AttrMap attrs);

}  // namespace rill
