#include "rill/api/saver/saveable.h"

#include <set>

#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/resource.h"
#include "rill/api/gen/state.h"
#include "rill/api/lookup/mutable_tables.h"
#include "rill/api/variables/variable_copies.h"
#include "rill/base/error.h"

namespace rill::train {
namespace {

Output reshaped_output(const std::vector<Output>& restored, const Inputs& shapes) {
  return shapes.empty() ? restored.at(0) : raw::Reshape(restored.at(0), shapes.at(0));
}

std::string node_name(Output tensor) { return tensor.node->name(); }

// A variable that is a reference: the variable itself, or a part of a larger one.
class SavedReference : public Saveable {
 public:
  SavedReference(std::string name, Output reference, Output value, std::string slice_spec)
      : Saveable(name),
        reference_(reference),
        specs_{{value, name, std::move(slice_spec), base_type(reference.dtype())}} {}

  const std::vector<SaveSpec>& specs() const override { return specs_; }
  std::string device() const override { return reference_.node->device(); }
  Node& restore(const std::vector<Output>& restored, const Inputs& shapes) override {
    const bool validate = shapes.empty() && reference_.shape().is_full();
    return *raw::Assign(reference_, reshaped_output(restored, shapes), {.validate_shape = validate})
                .node;
  }

 private:
  Output reference_;
  std::vector<SaveSpec> specs_;
};

class SavedResource : public Saveable {
 public:
  SavedResource(std::string name, const Variable& variable, std::string slice_spec)
      : Saveable(name),
        variable_(variable),
        specs_{{saved_value(variable), name, std::move(slice_spec), variable.dtype()}} {}

  const std::vector<SaveSpec>& specs() const override { return specs_; }
  std::string device() const override { return variable_.device(); }
  Node& restore(const std::vector<Output>& restored, const Inputs& shapes) override {
    if (!variable_.has_copies()) return restore_one(variable_, reshaped_output(restored, shapes));
    const Output share = variable_.state()->copies->share_of(reshaped_output(restored, shapes));
    std::vector<Node*> assigns;
    for (const Variable& copy : variable_.copies()) assigns.push_back(&restore_one(copy, share));
    return group(assigns);
  }

 private:
  static Output saved_value(const Variable& variable) {
    return variable.has_copies() ? variable.state()->copies->saved() : variable.snapshot();
  }
  static Node& restore_one(const Variable& variable, const Output& restored) {
    const DeviceScope on(variable.device());
    const Output value = raw::Identity(restored);
    require(variable.shape().is_compatible(value.shape()), "Shapes ", variable.shape(), " and ",
            value.shape(), " are incompatible");
    return raw::AssignVariableOp(variable.handle(), value);
  }

  Variable variable_;
  std::vector<SaveSpec> specs_;
};

class SavedTable : public Saveable {
 public:
  SavedTable(std::string name, std::shared_ptr<lookup::TableSaveable> table)
      : Saveable(name), table_(std::move(table)) {
    const lookup::TableContents& contents = table_->contents;
    specs_ = {{contents.keys, name + "-keys", "", contents.keys.dtype()},
              {contents.values, name + "-values", "", contents.values.dtype()}};
  }

  const std::vector<SaveSpec>& specs() const override { return specs_; }
  std::string device() const override { return table_->handle.node->device(); }
  Node& restore(const std::vector<Output>& restored, const Inputs& shapes) override {
    require(shapes.empty(), "A table cannot be reshaped as it is restored: ", name());
    return table_->restore(restored.at(0), restored.at(1));
  }

 private:
  std::shared_ptr<lookup::TableSaveable> table_;
  std::vector<SaveSpec> specs_;
};

SaveableRef saved_variable(const std::string& name, const Variable& variable) {
  std::string slice;
  if (variable->save_slice_info) slice = variable->save_slice_info->spec();
  if (variable.is_resource()) return std::make_shared<SavedResource>(name, variable, slice);
  const Output reference = variable.handle();
  return std::make_shared<SavedReference>(name, reference,
                                          slice.empty() ? reference : variable.snapshot(), slice);
}

// What reads of a reference variable stand for.
SaveableRef saved_tensor(const std::string& name, Output tensor) {
  const std::string& op = tensor.node->op().name;
  require_type(op == "Variable" || op == "VariableV2" || op == "AutoReloadVariable",
               "names_to_saveables must be a dict mapping string names to Tensors/Variables. Not a "
               "variable: ",
               tensor.name());
  return std::make_shared<SavedReference>(name, tensor, tensor, "");
}

struct AsSaveables {
  const std::string& name;
  std::vector<SaveableRef>& list;

  void operator()(const Variable& variable) { list.push_back(saved_variable(name, variable)); }
  void operator()(const PartitionedVariableRef& whole) {
    for (const Variable& part : whole->parts()) list.push_back(saved_variable(name, part));
  }
  void operator()(Output tensor) {
    if (Variable variable = find_variable(tensor)) return (*this)(variable);
    list.push_back(saved_tensor(name, tensor));
  }
  void operator()(const SaveableRef& saveable) { list.push_back(saveable); }
};

// What tells whether two names mean one thing.
const void* identity_of(const ToSave& item) {
  if (const auto* variable = std::get_if<Variable>(&item)) return variable->handle().node;
  if (const auto* whole = std::get_if<PartitionedVariableRef>(&item)) return whole->get();
  if (const auto* tensor = std::get_if<Output>(&item)) return tensor->node;
  return std::get<SaveableRef>(item).get();
}

std::string name_of(const ToSave& item) {
  if (const auto* variable = std::get_if<Variable>(&item))
    return (*variable)->save_slice_info ? (*variable)->save_slice_info->full_name
                                        : node_name(variable->handle());
  if (const auto* whole = std::get_if<PartitionedVariableRef>(&item)) return (*whole)->name();
  if (const auto* tensor = std::get_if<Output>(&item)) return node_name(*tensor);
  return std::get<SaveableRef>(item)->name();
}

bool is_part(const ToSave& item) {
  const auto* variable = std::get_if<Variable>(&item);
  return variable != nullptr && (*variable)->save_slice_info.has_value();
}

}  // namespace

SaveableRef saved_table(const std::string& name, std::shared_ptr<lookup::TableSaveable> table) {
  return std::make_shared<SavedTable>(name, std::move(table));
}

NamedToSave under_names(const std::vector<std::pair<std::string, ToSave>>& list) {
  NamedToSave named;
  for (const auto& [name, item] : list) {
    std::vector<ToSave>& there = named[name];
    require(there.empty() || (is_part(item) && is_part(there.front())),
            "At least two variables have the same name: ", name);
    there.push_back(item);
  }
  return named;
}

NamedToSave named_to_save(const std::vector<ToSave>& list) {
  NamedToSave named;
  for (const ToSave& item : list) {
    if (const auto* tensor = std::get_if<Output>(&item))
      require_type(is_ref(tensor->dtype()) || tensor->dtype() == DType::resource,
                   "Variable to save is not a Variable: ", tensor->name());
    const std::string name = name_of(item);
    std::vector<ToSave>& there = named[name];
    require(there.empty() || (is_part(item) && is_part(there.front())),
            "At least two variables have the same name: ", name);
    there.push_back(item);
  }
  return named;
}

std::vector<SaveableRef> saveables_of(const NamedToSave& named) {
  std::vector<SaveableRef> saveables;
  std::set<const void*> seen;
  for (const auto& [name, items] : named)
    for (const ToSave& item : items) {
      require(seen.insert(identity_of(item)).second,
              "The same saveable will be restored with two names: ", name);
      std::visit(AsSaveables{name, saveables}, item);
    }
  return saveables;
}

std::vector<ToSave> all_to_save() {
  std::vector<ToSave> list;
  Collections& collections = collections_of(*default_graph());
  for (const char* key : {GraphKeys::GLOBAL_VARIABLES, GraphKeys::SAVEABLE_OBJECTS})
    for (const CollectionItem& item : collections.get(key)) {
      const auto* object = std::get_if<std::shared_ptr<Collectable>>(&item);
      if (object == nullptr) continue;
      if (auto variable = std::dynamic_pointer_cast<VariableState>(*object))
        list.emplace_back(Variable(std::move(variable)));
      else if (auto whole = std::dynamic_pointer_cast<PartitionedVariable>(*object))
        list.emplace_back(std::move(whole));
      else if (auto saveable = std::dynamic_pointer_cast<Saveable>(*object))
        list.emplace_back(std::move(saveable));
      else if (auto table = std::dynamic_pointer_cast<lookup::TableSaveable>(*object))
        list.emplace_back(saved_table(table->name, table));
    }
  return list;
}

}  // namespace rill::train
