#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "rill/api/core/collections.h"
#include "rill/api/variables/partitioned_variable.h"

namespace rill::lookup {
struct TableSaveable;
}

namespace rill::train {

// One tensor of a checkpoint: its value, the name it gets there, and which part of the tensor of
// that name it is ("" for all of it).
struct SaveSpec {
  Output tensor = {};
  std::string name = {}, slice_spec = {};
  DType dtype = DType::invalid;
};

// Something with state that a Saver saves and restores.
class Saveable : public Collectable {
 public:
  explicit Saveable(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }
  std::string collected_name() const override { return name_; }

  virtual const std::vector<SaveSpec>& specs() const = 0;
  virtual std::string device() const = 0;  // where its state is
  // The operation that gives the tensors of specs() back. `shapes` are what they are to be reshaped
  // to first; empty: they come as they are.
  virtual Node& restore(const std::vector<Output>& restored, const Inputs& shapes) = 0;

 private:
  std::string name_;
};
using SaveableRef = std::shared_ptr<Saveable>;

// What programs give a Saver to save.
using ToSave = std::variant<Variable, PartitionedVariableRef, Output, SaveableRef>;

// By the names that they get in the checkpoint.
using NamedToSave = std::map<std::string, std::vector<ToSave>>;

// By the names of the variables; parts of one variable come under its name. Throws InvalidArgument
// when two have one name.
NamedToSave named_to_save(const std::vector<ToSave>& list);

NamedToSave under_names(const std::vector<std::pair<std::string, ToSave>>& list);

// In order of their names. Throws InvalidArgument where something comes twice.
std::vector<SaveableRef> saveables_of(const NamedToSave& named);

// Keys and values of a table, under two names that begin with this one.
SaveableRef saved_table(const std::string& name, std::shared_ptr<lookup::TableSaveable> table);

// Everything in the default graph that a Saver saves unless it is told otherwise.
std::vector<ToSave> all_to_save();

}  // namespace rill::train
