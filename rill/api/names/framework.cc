#include "rill/api/names/framework.h"

#include <algorithm>
#include <regex>

#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/nn.h"
#include "rill/api/summary/summary.h"
#include "rill/base/error.h"

namespace rill::contrib::framework {

namespace {

std::vector<Variable> variables_in(std::string_view collection, const std::string& scope) {
  std::vector<Variable> found;
  for (auto& state : collections_of(*default_graph()).collected<VariableState>(collection, scope))
    found.emplace_back(std::move(state));
  return found;
}

}  // namespace

std::vector<Variable> get_variables(const GetVariablesOptions& options) {
  if (options.suffix.empty()) return variables_in(options.collection, options.scope);
  const bool ended = options.suffix.find(':') != std::string::npos;
  return variables_in(options.collection,
                      str_cat(options.scope, ".*", options.suffix, ended ? "" : ":"));
}

std::vector<Variable> get_model_variables(const std::string& scope, const std::string& suffix) {
  return get_variables({scope, suffix, std::string(GraphKeys::MODEL_VARIABLES)});
}
std::vector<Variable> get_local_variables(const std::string& scope, const std::string& suffix) {
  return get_variables({scope, suffix, std::string(GraphKeys::LOCAL_VARIABLES)});
}
std::vector<Variable> get_trainable_variables(const std::string& scope, const std::string& suffix) {
  return get_variables({scope, suffix, std::string(GraphKeys::TRAINABLE_VARIABLES)});
}
std::vector<Variable> get_variables_by_suffix(const std::string& suffix, const std::string& scope) {
  return get_variables({.scope = scope, .suffix = suffix});
}
std::vector<Variable> get_variables_by_name(const std::string& given_name,
                                            const std::string& scope) {
  return get_variables(
      {.scope = scope, .suffix = str_cat("/", given_name, ":|^", given_name, ":")});
}

Variable get_unique_variable(const std::string& var_op_name) {
  const std::vector<Variable> candidates = get_variables({.scope = var_op_name});
  require(!candidates.empty(), "Couldn't find variable ", var_op_name);
  for (const Variable& candidate : candidates)
    if (candidate.op().name() == var_op_name) return candidate;
  raise(Code::kInvalidArgument, "Variable ", var_op_name, " does not uniquely identify a variable");
}

std::string get_variable_full_name(const Variable& variable) {
  const auto& slice = variable->save_slice_info;
  return slice ? slice->full_name : variable.op().name();
}

void add_model_variable(const Variable& variable) {
  const auto known = get_model_variables();
  if (std::ranges::find(known, variable) == known.end())
    add_to_collection(GraphKeys::MODEL_VARIABLES,
                      std::static_pointer_cast<Collectable>(variable.state()));
}

namespace {

Variable in_collections(const std::string& name, GetVariableOptions options,
                        const std::vector<std::string_view>& more, std::source_location at) {
  std::vector<std::string> all = options.collections.value_or(std::vector<std::string>{});
  for (const std::string_view each : more)
    if (std::ranges::find(all, each) == all.end()) all.emplace_back(each);
  options.collections = std::move(all);
  return get_variable(name, options, at);
}

}  // namespace

Variable variable(const std::string& name, GetVariableOptions options, std::source_location at) {
  if (options.collections) return get_variable(name, options, at);
  return in_collections(name, std::move(options), {GraphKeys::GLOBAL_VARIABLES}, at);
}
Variable model_variable(const std::string& name, GetVariableOptions options,
                        std::source_location at) {
  return in_collections(name, std::move(options),
                        {GraphKeys::GLOBAL_VARIABLES, GraphKeys::MODEL_VARIABLES}, at);
}
Variable local_variable(const InitialValue& initial_value, VariableOptions options,
                        std::source_location at) {
  options.trainable = false;
  options.collections = std::vector<std::string>{std::string(GraphKeys::LOCAL_VARIABLES)};
  return Variable(initial_value, options, at);
}
Variable global_variable(const InitialValue& initial_value, VariableOptions options,
                         std::source_location at) {
  options.trainable = false;
  options.collections = std::vector<std::string>{std::string(GraphKeys::GLOBAL_VARIABLES)};
  return Variable(initial_value, options, at);
}

std::string get_name_scope() {
  std::string scope(current_scope().name());
  if (scope.ends_with('/')) scope.pop_back();
  return scope;
}

namespace {

// Where the node's own name begins in "^name", "loc:@name" or "name:0".
std::size_t name_start(const std::string& name) {
  if (name.starts_with("loc:@")) return 5;
  return name.starts_with('^') ? 1 : 0;
}
std::string as_scope(std::string scope) {
  if (!scope.empty() && !scope.ends_with('/')) scope += '/';
  return scope;
}

}  // namespace

std::string prepend_name_scope(const std::string& name, const std::string& import_scope) {
  std::string scoped = name;
  return scoped.insert(name_start(name), as_scope(import_scope));
}
std::string strip_name_scope(const std::string& name, const std::string& export_scope) {
  const std::string scope = as_scope(export_scope);
  const std::size_t start = name_start(name);
  std::string stripped = name;
  if (!scope.empty() && name.compare(start, scope.size(), scope) == 0)
    stripped.erase(start, scope.size());
  return stripped;
}

std::vector<Output> get_placeholders(const Graph& graph) {
  std::vector<Output> found;
  for (const auto& node : graph.nodes())
    if (node->op().name == "Placeholder") found.push_back(node->output(0));
  return found;
}

Output reduce_sum_n(const std::vector<Output>& tensors, const std::string& name,
                    std::source_location at) {
  require(!tensors.empty(), "No tensors provided");
  const Block block(name, "reduce_sum_n", at);
  std::vector<Input> sums;
  for (const Output& tensor : tensors) sums.emplace_back(reduce_sum(tensor, {}, at));
  return sums.size() == 1 ? as_tensor(sums[0]) : add_n(sums, {}, at);
}

Output assert_scalar_int(const Output& tensor) {
  const PartialShape shape = tensor.shape();
  require((tensor.dtype() == DType::i32 || tensor.dtype() == DType::i64) &&
              (!shape.has_rank() || shape.rank() == 0),
          "Expected scalar int32 or int64 `Tensor`, got ", tensor.name());
  return tensor;
}

}  // namespace rill::contrib::framework

namespace rill::contrib::layers {

Output repeat(Output inputs, std::int64_t repetitions, const ScopedLayer& layer,
              const std::string& scope) {
  const VariableScopeBlock in(scope);
  for (std::int64_t i = 1; i <= repetitions; ++i) inputs = layer(inputs, str_cat(scope, "_", i));
  return inputs;
}

Output stack(Output inputs, const StackedLayer& layer, const std::vector<std::int64_t>& stack_args,
             const std::string& scope) {
  const VariableScopeBlock in(scope);
  for (std::size_t i = 0; i < stack_args.size(); ++i)
    inputs = layer(inputs, stack_args[i], str_cat(scope, "_", i + 1));
  return inputs;
}

Output summarize_tensor(Output tensor, const std::string& tag) {
  const std::string& name = tag.empty() ? tensor.node->name() : tag;
  const PartialShape shape = tensor.shape();
  const bool is_number = shape.has_rank() && shape.rank() == 0;
  return is_number ? summaries::scalar(name, tensor) : summaries::histogram(name, tensor);
}

Output summarize_activation(Output tensor) {
  const std::string name = tensor.node->name();
  const std::string& kind = tensor.node->op().name;
  if (kind == "Relu" || kind == "Softplus" || kind == "Relu6")
    summaries::scalar(name + "/zeros", nn::zero_fraction(tensor));
  if (kind == "Relu6")
    summaries::scalar(name + "/sixes",
                      reduce_mean(cast(raw::Equal(tensor, Input(6.0F)), DType::f32)));
  return summaries::histogram(name + "/activation", tensor);
}

std::vector<Output> summarize_tensors(const std::vector<Output>& tensors,
                                      const Summarizer& summarizer) {
  std::vector<Output> all;
  for (const Output& tensor : tensors)
    all.push_back(summarizer ? summarizer(tensor) : summarize_tensor(tensor));
  return all;
}

std::vector<Output> summarize_collection(const std::string& collection,
                                         const std::string& name_filter,
                                         const Summarizer& summarizer) {
  return summarize_tensors(get_tensor_collection(collection, name_filter), summarizer);
}

std::vector<Output> summarize_activations(const std::string& name_filter) {
  return summarize_collection(std::string(GraphKeys::ACTIVATIONS), name_filter,
                              summarize_activation);
}

}  // namespace rill::contrib::layers
