#include "rill/api/saver/checkpoint_utils.h"

#include <algorithm>

#include "rill/api/gen/io.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/base/error.h"
#include "rill/base/files.h"

namespace rill::train {
namespace {

// Which tensor of a checkpoint goes into which variables: one, or the parts of one.
struct Assignment {
  std::string tensor;
  std::vector<Variable> variables;
};

// The name of the whole variable, whether this is all of it or a part.
std::string full_name(const Variable& variable) {
  return variable->save_slice_info ? variable->save_slice_info->full_name : variable.op().name();
}

Shape full_shape(const Variable& variable) {
  if (variable->save_slice_info) return Shape(variable->save_slice_info->full_shape);
  require(variable.shape().is_full(), "The shape of variable ", variable.name(), " is not known");
  return variable.shape().full();
}

std::vector<Variable> variables_named(const std::string& name) {
  std::vector<Variable> found;
  for (const Variable& variable : global_variables())
    if (full_name(variable) == name) found.push_back(variable);
  return found;
}

// All variables below a scope, each with the tensor of that place in the checkpoint.
std::vector<Assignment> below_scope(const CheckpointReader& reader, const std::string& checkpoint,
                                    const std::string& tensors, std::string scope) {
  require(tensors.ends_with('/'), "Assignment map with scope only name ", scope,
          " should map to scope only ", tensors, ". Should be 'scope/': 'other_scope/'.");
  const std::string from = tensors == "/" ? "" : tensors;
  if (scope == "/") scope.clear();
  std::map<std::string, std::vector<Variable>> found;
  for (const Variable& variable : global_variables())
    if (const std::string name = full_name(variable); name.starts_with(scope))
      found[name].push_back(variable);
  std::vector<Assignment> list;
  for (auto& [name, variables] : found) {
    const std::string rest = name.substr(scope.size());
    require(reader.tensors().contains(from + rest), "Tensor ", from + rest, " (", rest, " in ",
            tensors, ") is not found in ", checkpoint, " checkpoint");
    list.push_back({from + rest, std::move(variables)});
  }
  return list;
}

std::vector<Assignment> assignments_of(const CheckpointReader& reader,
                                       const std::string& checkpoint, const std::string& tensor,
                                       const ToInitialize& target) {
  if (const auto* variable = std::get_if<Variable>(&target)) return {{tensor, {*variable}}};
  if (const auto* parts = std::get_if<std::vector<Variable>>(&target)) return {{tensor, *parts}};
  if (const auto* whole = std::get_if<PartitionedVariableRef>(&target))
    return {{tensor, (*whole)->parts()}};
  const std::string& name = std::get<std::string>(target);
  if (name.ends_with('/')) return below_scope(reader, checkpoint, tensor, name);
  if (std::vector<Variable> variables = variables_named(name); !variables.empty())
    return {{tensor, std::move(variables)}};
  return below_scope(reader, checkpoint, tensor, name + "/");
}

void check(const Assignment& assignment, const CheckpointReader& reader,
           const std::string& checkpoint) {
  const auto stored = reader.tensors().find(assignment.tensor);
  require(stored != reader.tensors().end(), "Tensor ", assignment.tensor, " is not found in ",
          checkpoint, " checkpoint");
  for (const Variable& variable : assignment.variables)
    require(full_shape(variable) == stored->second.shape, "Shape of variable ", variable.name(),
            " (", full_shape(variable), ") doesn't match with shape of tensor ", assignment.tensor,
            " (", stored->second.shape, ") from checkpoint reader.");
}

void initialize_from(const Variable& variable, const std::string& file, const std::string& tensor) {
  const std::string slice = variable->save_slice_info ? variable->save_slice_info->spec() : "";
  const auto one = [](const std::string& text) { return Tensor::vector<std::string>({text}); };
  const std::vector<Output> restored = [&] {
    const DeviceScope outer(variable.device()), inner("/cpu:0");
    return raw::RestoreV2(file, one(tensor), one(slice), {base_type(variable.dtype())},
                          {.name = "checkpoint_initializer"});
  }();
  const SaveableRef saveable = saveables_of({{tensor, {variable}}}).at(0);
  VariableState& state = *variable.state();
  state.initializer = &saveable->restore({restored.at(0)}, {});
  default_graph()->refine_shape(restored.at(0), variable.shape());
  state.initial_value = restored.at(0);
}

}  // namespace

std::string checkpoint_of(const std::string& ckpt_dir_or_file) {
  if (!is_directory(ckpt_dir_or_file)) return ckpt_dir_or_file;
  const auto latest = latest_checkpoint(ckpt_dir_or_file);
  require(latest.has_value(), "Couldn't find 'checkpoint' file or checkpoints in given directory ",
          ckpt_dir_or_file);
  return *latest;
}

std::unique_ptr<CheckpointReader> load_checkpoint(const std::string& ckpt_dir_or_file) {
  return CheckpointReader::open(checkpoint_of(ckpt_dir_or_file));
}

std::vector<std::pair<std::string, Shape>> list_variables(const std::string& ckpt_dir_or_file) {
  std::vector<std::pair<std::string, Shape>> list;
  const std::unique_ptr<CheckpointReader> reader = load_checkpoint(ckpt_dir_or_file);
  for (const auto& [name, stored] : reader->tensors()) list.emplace_back(name, stored.shape);
  return list;
}

Tensor load_variable(const std::string& ckpt_dir_or_file, const std::string& name) {
  std::string plain = name;
  if (plain.ends_with(":0")) plain.resize(plain.size() - 2);
  return load_checkpoint(ckpt_dir_or_file)->read(plain);
}

void init_from_checkpoint(const std::string& ckpt_dir_or_file,
                          std::vector<std::pair<std::string, ToInitialize>> assignment_map) {
  std::stable_sort(assignment_map.begin(), assignment_map.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const std::string file = checkpoint_of(ckpt_dir_or_file);
  const auto reader = CheckpointReader::open(file);
  for (const auto& [tensor, target] : assignment_map)
    for (const Assignment& assignment : assignments_of(*reader, ckpt_dir_or_file, tensor, target)) {
      check(assignment, *reader, ckpt_dir_or_file);
      for (const Variable& variable : assignment.variables)
        initialize_from(variable, file, assignment.tensor);
    }
}

}  // namespace rill::train
