#pragma once

#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/saver/saveable.h"

namespace rill::lookup {
class MutableTable;
}

// Objects as object-based checkpoints see them: not by the names of variables but by their places
// among other objects ("model/dense/kernel").
namespace rill::train {

class Checkpoint;
class Optimizer;
class Trackable;
using TrackableRef = std::shared_ptr<Trackable>;

// A value of an object: tensors, or a text that the object itself writes and reads.
struct TrackedValue {
  std::string name = {};  // "VARIABLE_VALUE"
  std::function<SaveableRef(const std::string& key)> tensors;
  std::function<std::string()> write = {};  // these two where it is a text
  std::function<void(const std::string& text)> read;
};

// One object. Its parts may change while it lives, so they are asked for anew every time.
class Trackable {
 public:
  struct Child {
    std::string name;
    TrackableRef object;
  };

  virtual ~Trackable() = default;
  virtual const void* identity() const = 0;  // the same for whatever stands for one object
  virtual std::string describe() const = 0;
  virtual std::vector<Child> children() { return {}; }
  virtual std::vector<TrackedValue> values() { return {}; }
  virtual Variable variable() const { return {}; }     // where it is one
  virtual bool is_container() const { return false; }  // a list or dict, which says nothing itself
  // Of optimizers: variables that belong to those that they train.
  virtual std::vector<std::string> slot_names() { return {}; }
  virtual Variable slot(const Variable& /*of*/, const std::string& /*name*/) { return {}; }
};

TrackableRef as_trackable(const Variable& variable);
TrackableRef as_trackable(std::shared_ptr<Optimizer> optimizer);
TrackableRef as_trackable(std::shared_ptr<lookup::MutableTable> table);
TrackableRef as_trackable(const std::vector<TrackableRef>& list);               // "0", "1", ...
TrackableRef as_trackable(const std::map<std::string, TrackableRef>& by_name);  // a new object

// How TensorFlow's checkpoints call the value of a variable, and a table.
inline constexpr const char* kVariableValue = "VARIABLE_VALUE";
inline constexpr const char* kTableValue = "table";
TrackedValue tracked_variable(const Variable& variable);
TrackedValue tracked_table(const lookup::MutableTable& table);

// The layers of a model are parts of it by number: "layer-2", and "layer_with_weights-1" for the
// second of those with variables.
std::vector<Trackable::Child> numbered_layers(
    const std::vector<std::pair<TrackableRef, bool>>& layers_and_whether_with_weights);

// What can be part of a checkpoint: there is an as_trackable() for it, here or in its namespace
// (that of layers is in keras/trackable_layers.h).
template <class T>
concept TrackableObject = requires(std::shared_ptr<T> object) {
  { as_trackable(object) } -> std::same_as<TrackableRef>;
};

// What programs give a Checkpoint: any of these, or a model of theirs that is made on the stack.
class TrackableInput {
 public:
  TrackableInput(TrackableRef object) : object_(std::move(object)) {}
  TrackableInput(const Variable& variable) : object_(as_trackable(variable)) {}
  template <TrackableObject T>
  TrackableInput(std::shared_ptr<T> object) : object_(as_trackable(std::move(object))) {}
  // Objects that live longer than the checkpoint.
  template <TrackableObject T>
  TrackableInput(T& object)
      : TrackableInput(std::shared_ptr<T>(std::shared_ptr<void>(), &object)) {}
  TrackableInput(Checkpoint& other);
  TrackableInput(const std::vector<TrackableInput>& list);

  const TrackableRef& object() const { return object_; }

 private:
  TrackableRef object_;
};

}  // namespace rill::train
