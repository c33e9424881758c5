#pragma once

#include <functional>
#include <map>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/saver/saver.h"

// tf.contrib.framework: variables chosen by name, and given values of a checkpoint or a program.
namespace rill::contrib::framework {

// Those below the scopes `include` (all when absent) that are below none of `exclude`.
std::vector<Variable> get_variables_to_restore(
    const std::optional<std::vector<std::string>>& include = {},
    const std::vector<std::string>& exclude = {});

struct FilterOptions {
  std::optional<std::vector<std::string>> include_patterns = {};  // absent: all
  std::vector<std::string> exclude_patterns = {};
  bool reg_search = true;  // false: patterns match from the beginning
};
// Those whose names one pattern to include and none to exclude matches.
std::vector<Variable> filter_variables(const std::vector<Variable>& var_list,
                                       const FilterOptions& options = {});

// An operation, and what it must be fed.
struct FedOperation {
  Node* operation = nullptr;
  std::vector<std::pair<Output, Tensor>> feeds = {};
  void run(Session& session) const;
};
// By the names of variables. Throws InvalidArgument when there is none of that name.
FedOperation assign_from_values(const std::map<std::string, Tensor>& var_names_to_values,
                                std::source_location at = std::source_location::current());
// By the names in the checkpoint; a value of another shape with as many elements is reshaped.
// Throws InvalidArgument when a tensor is missing there, unless that is to be ignored, or its size
// is another.
FedOperation assign_from_checkpoint(const std::string& model_path,
                                    const train::NamedToSave& var_list,
                                    bool ignore_missing_vars = false,
                                    std::source_location at = std::source_location::current());

using InSession = std::function<void(Session&)>;
InSession assign_from_values_fn(const std::map<std::string, Tensor>& var_names_to_values,
                                std::source_location at = std::source_location::current());

struct FromCheckpointOptions {
  bool ignore_missing_vars = false;
  bool reshape_variables = false;
};
// What restores the variables; null when none is left. Throws InvalidArgument when there is none at
// all.
std::shared_ptr<train::Saver> saver_from_checkpoint(
    const std::string& model_path, train::NamedToSave var_list,
    const FromCheckpointOptions& options = {},
    std::source_location at = std::source_location::current());
// The same as a function; an empty one when no variable is left.
InSession assign_from_checkpoint_fn(const std::string& model_path,
                                    const train::NamedToSave& var_list,
                                    const FromCheckpointOptions& options = {},
                                    std::source_location at = std::source_location::current());

// Gives a variable zeros, as an initializer that needs no constant of the variable's size does.
Output zero_initializer(const Variable& ref, const std::string& name = "zero_initializer",
                        std::source_location at = std::source_location::current());

struct VariableDeviceOptions {
  std::int64_t num_tasks = 0;
  std::string job_name = "ps", device_type = "CPU";
  int device_index = 0;
  std::optional<int> replica = {};
};
// For DeviceScope: one task after the other. Throws InvalidArgument for a negative number of tasks.
DeviceFunction VariableDeviceChooser(const VariableDeviceOptions& options = {});

}  // namespace rill::contrib::framework
