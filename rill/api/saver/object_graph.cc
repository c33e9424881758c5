#include "rill/api/saver/object_graph.h"

#include <deque>
#include <set>

#include "rill/base/error.h"
#include "rill/base/text.h"
#include "tensorflow/core/protobuf/trackable_object_graph.pb.h"

namespace rill::train {
namespace {

constexpr const char* kSlotFolder = "/.OPTIMIZER_SLOT/";
constexpr const char* kAttributeFolder = "/.ATTRIBUTES/";
constexpr const char* kConfigAttribute = "OBJECT_CONFIG_JSON";  // says what an object was, no value

std::string child_path(const std::string& path, const std::string& name) {
  return path.empty() ? escaped_name(name) : path + "/" + escaped_name(name);
}

// Fills the stored graph, and what is to be written where `save` is there.
class Writer {
 public:
  Writer(const TrackableRef& root, ObjectsToSave* save) : save_(save) {
    objects_ = objects_below(root);
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      numbers_[objects_[i].object->identity()] = static_cast<int>(i);
      graph.add_nodes();
    }
    const std::size_t count = objects_.size();
    for (std::size_t i = 0; i < count; ++i) add_slots(static_cast<int>(i), count);
    for (std::size_t i = 0; i < objects_.size(); ++i) add_object(static_cast<int>(i), i < count);
  }

  StoredObjects graph;

 private:
  void add_slots(int optimizer, std::size_t count) {
    Trackable& object = *objects_[optimizer].object;
    for (const std::string& name : object.slot_names())
      for (std::size_t i = 0; i < count; ++i) {
        const Variable of = objects_[i].object->variable();
        if (!of) continue;
        if (const Variable slot = object.slot(of, name))
          add_slot(optimizer, static_cast<int>(i), name, as_trackable(slot));
      }
  }

  void add_slot(int optimizer, int original, const std::string& name, const TrackableRef& slot) {
    const auto [place, is_new] =
        numbers_.try_emplace(slot->identity(), static_cast<int>(objects_.size()));
    require(is_new, "the slot '", name,
            "' is tracked as an object of its own, too: ", slot->describe());
    objects_.push_back({slot, objects_[original].path + kSlotFolder + objects_[optimizer].path +
                                  "/" + escaped_name(name)});
    graph.add_nodes();
    auto& reference = *graph.mutable_nodes(optimizer)->add_slot_variables();
    reference.set_original_variable_node_id(original);
    reference.set_slot_name(name);
    reference.set_slot_variable_node_id(place->second);
  }

  void add_object(int number, bool with_children) {
    auto& node = *graph.mutable_nodes(number);
    const TrackedObject& object = objects_[number];
    if (with_children)
      for (const Trackable::Child& child : object.object->children()) {
        auto& reference = *node.add_children();
        reference.set_node_id(numbers_.at(child.object->identity()));
        reference.set_local_name(child.name);
      }
    for (const TrackedValue& value : object.object->values()) {
      auto& attribute = *node.add_attributes();
      attribute.set_name(value.name);
      attribute.set_checkpoint_key(object_key(object.path, value.name));
      if (const Variable variable = object.object->variable())
        attribute.set_full_name(variable->save_slice_info ? variable->save_slice_info->full_name
                                                          : variable.handle().node->name());
      if (save_ != nullptr) add_value(value, attribute.checkpoint_key());
    }
  }

  void add_value(const TrackedValue& value, const std::string& key) {
    if (value.write)
      save_->texts.push_back(key);
    else
      save_->saveables.push_back(value.tensors(key));
  }

  ObjectsToSave* save_;
  std::vector<TrackedObject> objects_;
  std::map<const void*, int> numbers_;
};

// Goes through a stored graph and the objects of a program at the same time.
class Matcher {
 public:
  Matcher(const StoredObjects& stored, const TrackableRef& root) : stored_(stored) {
    bind(0, root);
    for (; !open_.empty(); open_.pop_front()) match_children(open_.front());
    match_slots();
  }

  ObjectMatch match;

 private:
  const StoredObjects::TrackableObject& node(int number) const {
    require(number >= 0 && number < stored_.nodes_size(),
            "the object graph of a checkpoint speaks "
            "of object ",
            number, ", but has ", stored_.nodes_size());
    return stored_.nodes(number);
  }

  void bind(int number, const TrackableRef& object) {
    const auto& stored = node(number);
    if (!match.bound.emplace(number, object).second) return;
    open_.push_back(number);
    const std::vector<TrackedValue> values = object->values();
    for (const auto& attribute : stored.attributes()) {
      const TrackedValue* found = nullptr;
      for (const TrackedValue& value : values)
        if (value.name == attribute.name()) found = &value;
      if (found != nullptr && !attribute.checkpoint_key().empty())
        match.values.push_back({attribute.checkpoint_key(), object, *found});
      else if (attribute.name() != kConfigAttribute && !attribute.optional_restore())
        match.unused.push_back(str_cat(object->describe(), ": ", attribute.name()));
    }
  }

  void match_children(int number) {
    std::map<std::string, TrackableRef> children;
    for (const Trackable::Child& child : match.bound.at(number)->children())
      children.emplace(child.name, child.object);
    for (const auto& reference : node(number).children()) {
      const auto found = children.find(reference.local_name());
      if (found != children.end()) bind(reference.node_id(), found->second);
    }
  }

  // Last, when all variables that optimizers may have trained are known.
  void match_slots() {
    for (int number = 0; number < stored_.nodes_size(); ++number)
      for (const auto& reference : stored_.nodes(number).slot_variables()) {
        const auto optimizer = match.bound.find(number);
        const auto original = match.bound.find(reference.original_variable_node_id());
        if (optimizer == match.bound.end() || original == match.bound.end()) continue;
        const Variable of = original->second->variable();
        const Variable slot = of ? optimizer->second->slot(of, reference.slot_name()) : Variable();
        if (slot)
          bind(reference.slot_variable_node_id(), as_trackable(slot));
        else
          match.unresolved_slots.push_back(
              str_cat(reference.slot_name(), " of ", original->second->describe()));
      }
  }

  const StoredObjects& stored_;
  std::deque<int> open_;
};

}  // namespace

std::string escaped_name(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (c == '.')
      text += "..";
    else if (c == '/')
      text += ".S";
    else
      text += c;
  }
  return text;
}

std::string object_key(const std::string& path, const std::string& attribute) {
  // Attributes of the root have no path before the folder's slash.
  const std::string folder = path.empty() ? kAttributeFolder + 1 : path + kAttributeFolder;
  return folder + escaped_name(attribute);
}

std::vector<TrackedObject> objects_below(const TrackableRef& root) {
  std::vector<TrackedObject> found{{root, ""}};
  std::set<const void*> seen{root->identity()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string path = found[i].path;
    for (const Trackable::Child& child : found[i].object->children())
      if (seen.insert(child.object->identity()).second)
        found.push_back({child.object, child_path(path, child.name)});
  }
  return found;
}

ObjectsToSave objects_to_save(const TrackableRef& root) {
  ObjectsToSave save;
  save.graph = Writer(root, &save).graph;
  return save;
}

StoredObjects described_objects(const TrackableRef& root) { return Writer(root, nullptr).graph; }

ObjectMatch match_objects(const StoredObjects& stored, const TrackableRef& root) {
  return Matcher(stored, root).match;
}

std::map<std::string, std::string> keys_by_name(const StoredObjects& stored) {
  std::map<std::string, std::string> keys;
  for (const auto& node : stored.nodes())
    for (const auto& attribute : node.attributes())
      if (!attribute.full_name().empty()) keys[attribute.full_name()] = attribute.checkpoint_key();
  return keys;
}

}  // namespace rill::train
