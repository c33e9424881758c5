#include "rill/runtime/function/function_table.h"

#include <algorithm>

#include "rill/grad/function_gradient.h"
#include "rill/graph/function_proto.h"
#include "rill/runtime/plan/may_block.h"
#include "tensorflow/core/framework/function.pb.h"

namespace rill {

FunctionBody FunctionTable::body_of(const FuncName& function) {
  const auto& library = graph_.functions();
  if (function.name != "SymbolicGradient")
    return instantiate(*library->at(function.name), function.attrs, graph_.registry(), library);
  const auto& differentiated = attr<FuncName>(function.attrs, "f");
  const std::string gradient = library->gradient_of(differentiated.name);
  if (!gradient.empty()) return body_of({gradient, differentiated.attrs});
  return gradient_body(body_of(differentiated));
}

std::shared_ptr<PlanFunction> FunctionTable::bind(const FuncName& function) {
  const std::lock_guard lock(mutex_);
  std::vector<Bound>& known = bound_[function.name];
  for (const Bound& bound : known)
    if (bound.attrs == function.attrs) return bound.function;
  FunctionBody body = body_of(function);
  const auto arguments = body.arg_outputs(), results = body.return_values();
  const auto effects = body.side_effects();
  CompileOptions passes = passes_;
  passes.takes_feeds = true;
  auto plan = compile_plan(*body.graph, arguments, results, effects, passes, kernels_);
  known.push_back(
      {function.attrs, std::make_shared<PlanFunction>(function.name, std::move(body),
                                                      std::move(plan), pool_, may_spread_)});
  return known.back().function;
}

std::string FunctionTable::library_bytes() const {
  tensorflow::FunctionDefLibrary library;
  to_proto(*graph_.functions(), &library);
  return library.SerializeAsString();
}

void FunctionTable::let_go() {
  for (auto& [name, functions] : bound_)
    for (Bound& bound : functions) bound.function->let_go();
}

bool keeps_state(const FuncName& function, const FunctionLibrary& library,
                 const KernelRegistry& kernels) {
  return any_node(function, library, [&](const FunctionNode& node) {
    return std::ranges::any_of(kernels.entries(node.op, "CPU"), [](const KernelEntry* entry) {
      return entry->make_state != nullptr && entry->op != nullptr &&
             (entry->op->traits & kStateful) != 0;
    });
  });
}

}  // namespace rill
