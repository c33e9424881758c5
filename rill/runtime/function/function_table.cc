#include "rill/runtime/function/function_table.h"

#include <algorithm>

#include "rill/grad/function_gradient.h"
#include "rill/graph/function_proto.h"
#include "rill/kernel/kernel_fit.h"
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

int FunctionTable::device_of(const CallSite& site) const {
  const auto it = std::ranges::find(kernels_.devices(), site.device);
  return it == kernels_.devices().end() ? kClient
                                        : static_cast<int>(it - kernels_.devices().begin());
}

std::shared_ptr<PlanFunction> FunctionTable::bind(const FuncName& function, const CallSite& site) {
  const int device = device_of(site);
  const bool results_on_host = site.results_on_host;
  const std::lock_guard lock(mutex_);
  if (const auto known = bound_.find(function.name); known != bound_.end())
    for (const Bound& bound : known->second.all)
      if (bound.attrs == function.attrs && bound.device == device &&
          bound.results_on_host == results_on_host)
        return bound.function;
  forget_removed();
  FunctionBody body = body_of(function);
  const auto arguments = body.arg_outputs(), results = body.return_values();
  const auto effects = body.side_effects();
  CompileOptions passes = passes_;
  passes.takes_feeds = true;
  passes.device = device;
  passes.results_on_host = results_on_host;
  KernelCache kernels = kernels_.fresh();  // nodes of the body are no others'
  auto plan = compile_plan(*body.graph, arguments, results, effects, passes, kernels);
  Forms& forms = bound_[function.name];
  if (auto definition = graph_.functions()->find(function.name)) forms.definition = definition;
  forms.all.push_back(
      {function.attrs, device, results_on_host,
       std::make_shared<PlanFunction>(function.name, std::move(body), std::move(plan), pool_,
                                      threads_, may_spread_)});
  return forms.all.back().function;
}

void FunctionTable::forget_removed() {
  std::erase_if(bound_, [](const auto& entry) {
    const auto& definition = entry.second.definition;
    return definition && definition->expired();
  });
}

bool FunctionTable::have_kernels(const std::string& caller_op, const AttrMap& attrs,
                                 const std::string& device_type) {
  const bool calls_in_step =
      graph_.functions()->find(caller_op) != nullptr ||
      std::ranges::any_of(kernels_.registry().entries(caller_op, device_type),
                          [](const KernelEntry* entry) {
                            return entry->run != nullptr && entry->run_async != nullptr;
                          });
  if (!calls_in_step) return true;
  const std::lock_guard lock(fits_mutex_);
  return calls_fit(caller_op, attrs, device_type);
}

bool FunctionTable::calls_fit(const std::string& caller_op, const AttrMap& attrs,
                              const std::string& device_type) {
  if (graph_.functions()->find(caller_op) != nullptr) return fits({caller_op, attrs}, device_type);
  const bool is_gradient = caller_op == "SymbolicGradient";
  return std::ranges::all_of(attrs, [&](const auto& attr) {
    const AttrValue& value = attr.second;
    if (const auto* function = value.template get_if<FuncName>())
      return fits(is_gradient ? FuncName{"SymbolicGradient", attrs} : *function, device_type);
    const auto* functions = value.template get_if<std::vector<FuncName>>();
    return functions == nullptr || std::ranges::all_of(*functions, [&](const FuncName& function) {
             return fits(function, device_type);
           });
  });
}

// What calls itself fits if the rest of it does. What cannot be instantiated fails when it runs.
bool FunctionTable::fits(const FuncName& function, const std::string& device_type) {
  for (const Fit& known : fits_)
    if (known.function == function && known.device_type == device_type) return known.fits;
  const std::size_t mine = fits_.size();
  fits_.push_back({function, device_type, true});
  bool fits = false;
  try {
    const FunctionBody body = body_of(function);
    const KernelRegistry& registry = kernels_.registry();
    const auto is_outside = [&](const Node& node) {
      const auto is_node = [&](const Node* other) { return other == &node; };
      return std::ranges::any_of(body.args, is_node) ||
             std::ranges::any_of(body.returns, is_node) ||
             std::ranges::any_of(body.dropped, is_node);
    };
    fits = true;
    for (int id = 0; fits && id < body.graph->node_count(); ++id)
      if (const Node& node = body.graph->node(id); !is_outside(node))
        fits = kernel_fits(registry, node, device_type) &&
               calls_fit(node.op().name, node.attrs(), device_type);
  } catch (const Error&) {
    fits = false;
  }
  return fits_[mine].fits = fits;
}

std::string FunctionTable::library_bytes() const {
  tensorflow::FunctionDefLibrary library;
  to_proto(*graph_.functions(), &library);
  return library.SerializeAsString();
}

void FunctionTable::let_go() {
  for (auto& [name, forms] : bound_)
    for (Bound& bound : forms.all) bound.function->let_go();
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
