#include "rill/api/core/static_value.h"

#include <algorithm>
#include <string_view>

#include "rill/api/core/default_graph.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The node alone, with constants for its inputs, in a graph of its own.
Tensor computed(const Node& node, std::vector<Tensor> inputs, int index) {
  const std::shared_ptr<Graph> graph = make_graph();
  Scope scope(*graph);
  std::vector<InputArg> args;
  std::size_t next = 0;
  for (const Arg& arg : node.op().inputs) {
    const std::size_t count = arg.is_list() ? arg_types(arg, node.attrs()).size() : 1;
    std::vector<Input> items;
    for (std::size_t i = 0; i < count; ++i) items.emplace_back(std::move(inputs[next++]));
    args.push_back(arg.is_list() ? InputArg(std::move(items)) : InputArg(std::move(items[0])));
  }
  AttrMap attrs;
  for (const AttrSpec& spec : node.op().attrs)
    if (const auto found = node.attrs().find(spec.name); found != node.attrs().end())
      attrs[spec.name] = found->second;
  const Output result = scope.add(node.op(), std::move(args), std::move(attrs)).output(index);
  Session session(graph);
  return session.run({}, {&result, 1})[0];
}

}  // namespace

std::optional<Tensor> static_value(Output tensor) {
  const Node& node = *tensor.node;
  if (node.is_executed()) return tensor.value();
  const std::string_view op = node.op().name;
  if (is_one_of(op, {"Const", "Shape", "Size", "Rank"})) {
    const Tensor* value = constant_value(tensor);
    return value == nullptr ? std::nullopt : std::optional(*value);
  }
  if (!is_one_of(op, {"Range", "Cast", "Concat", "ConcatV2", "ConcatOffset", "Pack", "Fill",
                      "Equal", "NotEqual"}))
    return {};
  std::vector<Tensor> inputs;
  for (const Output& input : node.inputs()) {
    std::optional<Tensor> value = static_value(input);
    if (!value) return {};
    inputs.push_back(*std::move(value));
  }
  try {
    return computed(node, std::move(inputs), tensor.index);
  } catch (const Error&) {
    return {};  // the step will say what is wrong
  }
}

}  // namespace rill
