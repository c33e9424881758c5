#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {

// Graphs with branches and loops made by hand, for tests.
struct LoopProgram {
  using Values = std::vector<Output>;

  std::shared_ptr<Graph> graph = std::make_shared<Graph>(standard_ops());
  Scope scope{*graph};

  Output op(std::string_view type, std::vector<InputArg> inputs, AttrMap attrs = {},
            std::string_view name = {}) {
    return scope.add(type, std::move(inputs), std::move(attrs), name).output();
  }
  Output placeholder(DType dtype, PartialShape shape, std::string_view name) {
    return op("Placeholder", {}, {{"dtype", dtype}, {"shape", shape}}, name);
  }
  // Runs `make` with every node it adds waiting for `pivot` as well.
  template <class F>
  auto after(Output pivot, F make) {
    const Scope outer = scope;
    Node* nodes[] = {pivot.node};
    scope = outer.with_control(nodes);
    auto made = make();
    scope = outer;
    return made;
  }
  // The same for what is inside a loop, which cannot wait for anything outside.
  template <class F>
  auto inside(Output pivot, F make) {
    const Scope outer = scope;
    scope = outer.without_control();
    auto made = after(pivot, make);
    scope = outer;
    return made;
  }

  Output enter(Output value, const std::string& frame, bool constant = false, int parallel = 10) {
    return op("Enter", {value},
              {{"frame_name", frame},
               {"is_constant", constant},
               {"parallel_iterations", std::int64_t{parallel}}});
  }
  Output unordered(std::string_view type, std::vector<InputArg> inputs) {
    return scope.without_control().add(type, std::move(inputs)).output();
  }
  static Output second(Output output) { return {output.node, 1}; }

  struct Options {
    int parallel = 10;
    Values invariants = {};  // handed to `go_on` and `body` behind the variables
  };
  // Returns what leaves the loop, one value per variable.
  Values loop(const std::string& frame, const Values& start,
              const std::function<Output(const Values&)>& go_on,
              const std::function<Values(const Values&)>& body, const Options& options) {
    Values merges, constants, variables, exits;
    for (const Output& value : start) {
      const Output entered = enter(value, frame, false, options.parallel);
      merges.push_back(unordered("Merge", {std::vector<Input>{entered, entered}}));
    }
    for (const Output& value : options.invariants)
      constants.push_back(enter(value, frame, true, options.parallel));
    const auto with_constants = [&](Values values) {
      values.insert(values.end(), constants.begin(), constants.end());
      return values;
    };
    const Output decision =
        unordered("LoopCond", {inside(merges[0], [&] { return go_on(with_constants(merges)); })});
    for (const Output& merge : merges) {
      const Output branch = unordered("Switch", {merge, decision});
      exits.push_back(unordered("Exit", {branch}));
      variables.push_back(unordered("Identity", {second(branch)}));
    }
    const Values next = inside(variables[0], [&] { return body(with_constants(variables)); });
    for (std::size_t i = 0; i < start.size(); ++i)
      scope.graph().set_input(*merges[i].node, 1, unordered("NextIteration", {next[i]}));
    return exits;
  }
  Values loop(const std::string& frame, const Values& start,
              const std::function<Output(const Values&)>& go_on,
              const std::function<Values(const Values&)>& body) {
    return loop(frame, start, go_on, body, Options{});
  }

  // Both branches get `value`; what they make is merged, the false branch first.
  Output cond(Output pred, Output value, const std::function<Output(Output)>& if_true,
              const std::function<Output(Output)>& if_false) {
    const Output branch = op("Switch", {value, pred});
    const Output on_true = op("Identity", {second(branch)});
    const Output on_false = op("Identity", {branch});
    const Output t = after(on_true, [&] { return if_true(on_true); });
    const Output f = after(on_false, [&] { return if_false(on_false); });
    return op("Merge", {std::vector<Input>{f, t}});
  }
};

}  // namespace rill
