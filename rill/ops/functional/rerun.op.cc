#include "rill/ops/functional/rerun.h"

#include <set>

#include "rill/base/error.h"

namespace rill {

void check_can_run_again(const Node& node, const FuncName& function) {
  const FunctionLibrary& library = *node.graph().functions();
  std::vector<std::string> names{function.name};
  std::set<std::string> seen;
  while (!names.empty()) {
    const std::string name = std::move(names.back());
    names.pop_back();
    if (!seen.insert(name).second) continue;
    const auto called = library.find(name);
    if (called == nullptr) continue;
    for (const FunctionNode& inner : called->nodes) {
      names.push_back(inner.op);
      bool calls = library.find(inner.op) != nullptr;
      for (const auto& [attr, value] : inner.attrs) {
        const std::size_t before = names.size();
        find_functions(value, names);
        calls |= names.size() > before;
      }
      const Op* op = node.graph().registry().find(inner.op);
      if (!calls && op != nullptr && op->has(kStateful) && !op->has(kRepeatable))
        raise(Code::kUnimplemented, "The gradient of '", node.name(),
              "' (op type: ", node.op().name, "): function ", name, " contains '", inner.name,
              "' (op type: ", inner.op, "), which cannot be run again");
    }
  }
}

FuncName define_helper(Graph& graph, const std::string& base_name, std::span<const DType> types,
                       const std::function<std::vector<Output>(Scope&, std::vector<Output>)>& build,
                       std::span<const PartialShape> shapes, std::span<const HandleInfo> handles) {
  FunctionBuilder builder(graph);
  std::vector<Output> arguments;
  for (std::size_t i = 0; i < types.size(); ++i)
    arguments.push_back(builder.add_argument(types[i], "x",
                                             i < shapes.size() ? shapes[i] : PartialShape(),
                                             i < handles.size() ? handles[i] : HandleInfo()));
  Scope scope(*builder.body());
  std::vector<Output> results = build(scope, arguments);
  Function function = builder.finish(
      std::move(results),
      {.base_name = base_name, .order_effects = true, .describe_arguments = !shapes.empty()});
  FuncName name{.name = function.name()};
  define_function(graph, std::move(function));
  return name;
}

std::vector<HandleInfo> as_handles(std::span<const Output> outputs) {
  std::vector<HandleInfo> handles;
  for (const Output& output : outputs) {
    const HandleInfo* handle = output.node->output_handle(output.index);
    handles.push_back(handle == nullptr ? HandleInfo() : *handle);
  }
  return handles;
}

std::vector<Input> as_inputs(std::span<const Output> outputs) {
  return {outputs.begin(), outputs.end()};
}

}  // namespace rill
