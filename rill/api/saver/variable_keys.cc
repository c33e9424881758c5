#include "rill/api/saver/variable_keys.h"

#include <utility>
#include <vector>

#include "rill/api/saver/trackable.h"

namespace rill::saved_model {
namespace {

// Goes through both graphs at the same time.
class VariableKeys {
 public:
  VariableKeys(const tensorflow::SavedObjectGraph& objects,
               const tensorflow::TrackableObjectGraph& stored)
      : objects_(objects), stored_(stored) {
    pair(0, 0);
    for (std::size_t i = 0; i < open_.size(); ++i) pair_children(open_[i]);
    for (std::size_t i = 0; i < open_.size(); ++i) pair_slots(open_[i]);
  }

  std::map<int, std::string> keys;  // by the numbers of objects

 private:
  void pair(int number, int stored) {
    const bool known = number >= 0 && number < objects_.nodes_size() && stored >= 0 &&
                       stored < stored_.nodes_size();
    if (!known || !numbers_.emplace(number, stored).second) return;
    open_.push_back(number);
    for (const auto& attribute : stored_.nodes(stored).attributes())
      if (attribute.name() == train::kVariableValue) keys[number] = attribute.checkpoint_key();
  }

  void pair_children(int number) {
    std::map<std::string, int> children;
    for (const auto& child : stored_.nodes(numbers_.at(number)).children())
      children[child.local_name()] = child.node_id();
    for (const auto& child : objects_.nodes(number).children())
      if (const auto found = children.find(child.local_name()); found != children.end())
        pair(child.node_id(), found->second);
  }

  // What optimizers keep of variables is found by the variable and the name of the slot.
  void pair_slots(int number) {
    std::map<std::pair<int, std::string>, int> slots;
    for (const auto& slot : stored_.nodes(numbers_.at(number)).slot_variables())
      slots[{slot.original_variable_node_id(), slot.slot_name()}] = slot.slot_variable_node_id();
    for (const auto& slot : objects_.nodes(number).slot_variables()) {
      const auto original = numbers_.find(slot.original_variable_node_id());
      if (original == numbers_.end()) continue;
      const auto found = slots.find({original->second, slot.slot_name()});
      if (found != slots.end()) pair(slot.slot_variable_node_id(), found->second);
    }
  }

  const tensorflow::SavedObjectGraph& objects_;
  const tensorflow::TrackableObjectGraph& stored_;
  std::map<int, int> numbers_;  // in the checkpoint, by those in the model
  std::vector<int> open_;
};

}  // namespace

std::map<int, std::string> variable_keys(const tensorflow::SavedObjectGraph& objects,
                                         const tensorflow::TrackableObjectGraph& stored) {
  return VariableKeys(objects, stored).keys;
}

}  // namespace rill::saved_model
