#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/layers/contrib_layers.h"
#include "rill/api/variables/get_variable.h"
#include "rill/api/variables/variable_lists.h"

// tf.contrib.framework: variables by scope, name and collection.
namespace rill::contrib::framework {

struct GetVariablesOptions {
  std::string scope;   // a regular expression that names match from the start
  std::string suffix;  // names end so
  std::string collection = std::string(GraphKeys::GLOBAL_VARIABLES);
};
// Those of a collection of the default graph.
std::vector<Variable> get_variables(const GetVariablesOptions& options = {});
std::vector<Variable> get_model_variables(const std::string& scope = {},
                                          const std::string& suffix = {});
std::vector<Variable> get_local_variables(const std::string& scope = {},
                                          const std::string& suffix = {});
std::vector<Variable> get_trainable_variables(const std::string& scope = {},
                                              const std::string& suffix = {});
std::vector<Variable> get_variables_by_suffix(const std::string& suffix,
                                              const std::string& scope = {});
// Those of that name, in whatever scope.
std::vector<Variable> get_variables_by_name(const std::string& given_name,
                                            const std::string& scope = {});
// The one of that full name. Throws InvalidArgument where there is none.
Variable get_unique_variable(const std::string& var_op_name);
// The name that checkpoints have for it: of a part, the whole's.
std::string get_variable_full_name(const Variable& variable);
void add_model_variable(const Variable& variable);  // to MODEL_VARIABLES, once

// get_variable(), in GLOBAL_VARIABLES; the second also in MODEL_VARIABLES.
Variable variable(const std::string& name, GetVariableOptions options = {},
                  std::source_location at = std::source_location::current());
Variable model_variable(const std::string& name, GetVariableOptions options = {},
                        std::source_location at = std::source_location::current());
// A variable in LOCAL_VARIABLES, and one in GLOBAL_VARIABLES; neither is trained.
Variable local_variable(const InitialValue& initial_value, VariableOptions options = {},
                        std::source_location at = std::source_location::current());
Variable global_variable(const InitialValue& initial_value, VariableOptions options = {},
                         std::source_location at = std::source_location::current());

// The step that is given, checked, or the graph's; none where there is none.
std::string get_name_scope();  // the one that is open, without the last slash
// "scope/name" with and without its scope.
std::string prepend_name_scope(const std::string& name, const std::string& import_scope);
std::string strip_name_scope(const std::string& name, const std::string& export_scope);
std::vector<Output> get_placeholders(const Graph& graph);
// The sum of all elements of all tensors. Throws InvalidArgument where there are none.
Output reduce_sum_n(const std::vector<Output>& tensors, const std::string& name = {},
                    std::source_location at = std::source_location::current());
// The tensor, which must be one int32 or int64. Throws InvalidArgument otherwise.
Output assert_scalar_int(const Output& tensor);

}  // namespace rill::contrib::framework

namespace rill::contrib::layers {

// The same layer several times, in scopes scope/scope_1, scope/scope_2, ...
//
//   repeat(x, 3, [](Output h, const std::string& scope) {
//     return conv2d(h, 64, {3, 3}, {.scope = scope}); }, "conv1");
using ScopedLayer = std::function<Output(Output inputs, const std::string& scope)>;
Output repeat(Output inputs, std::int64_t repetitions, const ScopedLayer& layer,
              const std::string& scope = "repeat");
// A layer for each argument, one after another: stack(x, layer, {32, 64}, "fc").
using StackedLayer =
    std::function<Output(Output inputs, std::int64_t argument, const std::string& scope)>;
Output stack(Output inputs, const StackedLayer& layer, const std::vector<std::int64_t>& stack_args,
             const std::string& scope = "stack");

// A scalar of a number, the histogram of a larger tensor.
Output summarize_tensor(Output tensor, const std::string& tag = {});
// The share of zeros of a rectified tensor, and its histogram.
Output summarize_activation(Output tensor);
using Summarizer = std::function<Output(Output)>;
std::vector<Output> summarize_tensors(const std::vector<Output>& tensors,
                                      const Summarizer& summarizer = {});
// Each tensor of a collection whose name begins like the regular expression.
std::vector<Output> summarize_collection(const std::string& collection,
                                         const std::string& name_filter = {},
                                         const Summarizer& summarizer = {});
std::vector<Output> summarize_activations(const std::string& name_filter = {});

}  // namespace rill::contrib::layers
