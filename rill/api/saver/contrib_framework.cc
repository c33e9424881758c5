#include "rill/api/saver/contrib_framework.h"

#include <re2/re2.h>

#include <algorithm>

#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/made_here.h"
#include "rill/api/gen/state.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/base/error.h"
#include "rill/graph/device_name.h"

namespace rill::contrib::framework {
namespace {

bool has(const std::vector<Variable>& list, const Variable& variable) {
  return std::find(list.begin(), list.end(), variable) != list.end();
}

bool any_matches(const std::vector<std::string>& patterns, const std::string& name, bool search) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    const RE2 expression(pattern, RE2::Quiet);
    require(expression.ok(), "the pattern '", pattern,
            "' is no regular expression: ", expression.error());
    const auto anchor = search ? RE2::UNANCHORED : RE2::ANCHOR_START;
    return expression.Match(name, 0, name.size(), anchor, nullptr, 0);
  });
}

Variable unique_variable(const std::string& name) {
  const std::vector<Variable> candidates = global_variables(name);
  require(!candidates.empty(), "Couldn't find variable ", name);
  for (const Variable& variable : candidates)
    if (variable.op().name() == name) return variable;
  raise(Code::kInvalidArgument, "Variable ", name, " does not uniquely identify a variable");
}

// Adds an assignment from a placeholder to what is built so far.
class Assignments {
 public:
  void add(const Variable& variable, const Tensor& value) {
    const Output fed = placeholder(base_type(variable.dtype()), variable.shape(),
                                   {.name = "placeholder/" + variable.op().name()});
    writes_.push_back(&variable.assign_op(fed));
    feeds_.emplace_back(fed, value);
  }
  FedOperation finish() { return {&group(writes_), std::move(feeds_)}; }

 private:
  std::vector<Node*> writes_;
  std::vector<std::pair<Output, Tensor>> feeds_;
};

Tensor reshaped_like(const Tensor& value, const Variable& variable, const std::string& name) {
  if (!variable.shape().is_full()) return value;
  const Shape shape = variable.shape().full();
  require(shape.element_count() == value.element_count(), "Total size of new array must be ",
          "unchanged for ", name, " lh_shape: ", value.shape(), ", rh_shape: ", shape);
  return value.reshaped(shape);
}

// The parts of a variable that a name of the checkpoint stands for.
std::vector<Variable> variables_of(const std::vector<train::ToSave>& items,
                                   const std::string& name) {
  std::vector<Variable> list;
  for (const train::ToSave& item : items) {
    if (const auto* variable = std::get_if<Variable>(&item)) {
      list.push_back(*variable);
    } else if (const auto* whole = std::get_if<PartitionedVariableRef>(&item)) {
      list.insert(list.end(), (*whole)->parts().begin(), (*whole)->parts().end());
    } else {
      require_type(false, "Variable to assign is not a Variable: ", name);
    }
  }
  return list;
}

TensorSlice slice_of(const SaveSliceInfo& info) {
  std::vector<TensorSlice::Range> ranges;
  for (std::size_t i = 0; i < info.var_offset.size(); ++i)
    ranges.push_back({info.var_offset[i], info.var_shape.at(i)});
  return TensorSlice(ranges);
}

}  // namespace

std::vector<Variable> get_variables_to_restore(
    const std::optional<std::vector<std::string>>& include,
    const std::vector<std::string>& exclude) {
  std::vector<Variable> excluded, wanted;
  for (const std::string& scope : exclude)
    for (const Variable& variable : global_variables(scope)) excluded.push_back(variable);
  for (const std::string& scope : include.value_or(std::vector<std::string>{""}))
    for (const Variable& variable : global_variables(scope))
      if (!has(wanted, variable) && !has(excluded, variable)) wanted.push_back(variable);
  return wanted;
}

std::vector<Variable> filter_variables(const std::vector<Variable>& var_list,
                                       const FilterOptions& options) {
  std::vector<Variable> kept;
  for (const Variable& variable : var_list) {
    const auto& include = options.include_patterns;
    if (include && !any_matches(*include, variable.name(), options.reg_search)) continue;
    if (any_matches(options.exclude_patterns, variable.name(), options.reg_search)) continue;
    kept.push_back(variable);
  }
  return kept;
}

void FedOperation::run(Session& session) const {
  std::vector<Feed> list;
  for (const auto& [output, value] : feeds) list.push_back({output, value});
  session.run(*operation, list);
}

FedOperation assign_from_values(const std::map<std::string, Tensor>& var_names_to_values,
                                std::source_location at) {
  const MadeHere here(at);
  Assignments assignments;
  for (const auto& [name, value] : var_names_to_values) {
    const Variable variable = unique_variable(name);
    assignments.add(variable, reshaped_like(value, variable, name));
  }
  return assignments.finish();
}

FedOperation assign_from_checkpoint(const std::string& model_path,
                                    const train::NamedToSave& var_list, bool ignore_missing_vars,
                                    std::source_location at) {
  const MadeHere here(at);
  const auto reader = CheckpointReader::open(model_path);
  Assignments assignments;
  for (const auto& [name, items] : var_list) {
    if (!reader->tensors().contains(name)) {
      require(ignore_missing_vars, "Checkpoint is missing variable [", name, "]");
      continue;
    }
    for (const Variable& variable : variables_of(items, name)) {
      const auto& part = variable->save_slice_info;
      const Tensor value = part ? reader->read_slice(name, slice_of(*part)) : reader->read(name);
      assignments.add(variable, reshaped_like(value, variable, name));
    }
  }
  return assignments.finish();
}

InSession assign_from_values_fn(const std::map<std::string, Tensor>& var_names_to_values,
                                std::source_location at) {
  const FedOperation fed = assign_from_values(var_names_to_values, at);
  return [fed](Session& session) { fed.run(session); };
}

std::shared_ptr<train::Saver> saver_from_checkpoint(const std::string& model_path,
                                                    train::NamedToSave var_list,
                                                    const FromCheckpointOptions& options,
                                                    std::source_location at) {
  require(!var_list.empty(), "var_list cannot be empty");
  if (options.ignore_missing_vars) {
    const auto reader = CheckpointReader::open(model_path);
    std::erase_if(var_list,
                  [&](const auto& item) { return !reader->tensors().contains(item.first); });
  }
  if (var_list.empty()) return nullptr;
  return std::make_shared<train::Saver>(
      var_list, train::SaverOptions{.reshape = options.reshape_variables}, at);
}

InSession assign_from_checkpoint_fn(const std::string& model_path,
                                    const train::NamedToSave& var_list,
                                    const FromCheckpointOptions& options, std::source_location at) {
  const auto saver = saver_from_checkpoint(model_path, var_list, options, at);
  if (saver == nullptr) return {};
  return [saver, model_path](Session& session) { saver->restore(session, model_path); };
}

Output zero_initializer(const Variable& ref, const std::string& name, std::source_location at) {
  Block in(name, "zero_initializer", at);
  require(ref.shape().is_full(), "The shape of variable ", ref.name(), " is not known");
  const Output value = zeros(ref.shape().full(), {.dtype = base_type(ref.dtype())});
  return ref.assign(value);
}

DeviceFunction VariableDeviceChooser(const VariableDeviceOptions& options) {
  require(options.num_tasks >= 0, "num_tasks must be >= 0, not ", options.num_tasks);
  DeviceName device;
  if (options.num_tasks > 0) device.job = options.job_name;
  device.replica = options.replica;
  device.type = options.device_type;
  device.id = options.device_index;
  return [device, count = options.num_tasks,
          next = std::make_shared<std::int64_t>(0)](Node&) mutable -> std::string {
    DeviceName chosen = device;
    if (count > 0) {
      chosen.task = static_cast<int>(*next);
      *next = (*next + 1) % count;
    }
    return to_text(chosen);
  };
}

}  // namespace rill::contrib::framework
