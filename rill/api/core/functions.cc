#include "rill/api/core/functions.h"

#include "rill/api/core/op_call.h"
#include "rill/base/error.h"
#include "rill/graph/function_define.h"

namespace rill {

DefinedFunction define_function(
    const std::vector<DType>& types,
    const std::function<std::vector<Output>(const std::vector<Output>&)>& build,
    const FunctionOptions& options) {
  require(options.arg_names.empty() || options.arg_names.size() == types.size(), "there are ",
          options.arg_names.size(), " names for ", types.size(), " arguments");
  const std::shared_ptr<Graph> graph = default_graph();
  FunctionBuilder builder(*graph);
  std::vector<Output> arguments;
  for (std::size_t i = 0; i < types.size(); ++i)
    arguments.push_back(builder.add_argument(
        types[i], options.arg_names.empty() ? str_cat("arg", i) : options.arg_names[i]));
  std::vector<Output> results;
  {
    const AsDefault inside(builder.body());
    results = build(arguments);
  }
  DefineOptions define{
      .name = options.func_name, .base_name = options.base_name, .output_names = options.out_names};
  if (!options.grad_func.empty()) define.base_name += "_" + options.grad_func;
  define.order_effects = options.order_effects;
  if (options.noinline) define.attrs.emplace("_noinline", true);
  Function function = builder.finish(std::move(results), define);
  DefinedFunction defined;
  defined.name_ = function.name();
  defined.captured_ = builder.captured();
  define_function(*graph, std::move(function));
  if (!options.grad_func.empty())
    graph->functions()->add_gradient(defined.name_, options.grad_func);
  if (options.build_gradient)
    graph->functions()->set_gradient_builder(defined.name_, options.build_gradient);
  return defined;
}

Node& DefinedFunction::call(const Inputs& arguments, std::string_view name,
                            std::source_location at) const {
  Scope scope = here(at);
  std::vector<InputArg> inputs(arguments.begin(), arguments.end());
  for (const Output& captured : captured_) inputs.emplace_back(Input(captured));
  return scope.add(name_, std::move(inputs), {}, name);
}

std::vector<Output> DefinedFunction::operator()(const Inputs& arguments, std::string_view name,
                                                std::source_location at) const {
  return all_outputs(call(arguments, name, at));
}

}  // namespace rill
