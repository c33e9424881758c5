#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/saver/trackable.h"
#include "rill/proto/boxed_message.h"
#include "rill/proto/messages_fwd.h"

// The graph of objects below one of them, as checkpoints keep it.
namespace rill::train {

using StoredObjects = tensorflow::TrackableObjectGraph;

// Where a checkpoint has the graph, beside the tensors.
inline constexpr const char* kObjectGraphKey = "_CHECKPOINTABLE_OBJECT_GRAPH";

struct TrackedObject {
  TrackableRef object = {};
  std::string path = {};  // "model/dense", the shortest one from the root
};

// All objects below `root`, itself included, each once; those nearest to the root first. Without
// the slots of optimizers.
std::vector<TrackedObject> objects_below(const TrackableRef& root);

struct ObjectsToSave {
  BoxedMessage<StoredObjects> graph = {};  // with the keys of the tensors
  std::vector<SaveableRef> saveables = {};
  std::vector<std::string> texts = {};  // keys of values that objects write themselves
};
ObjectsToSave objects_to_save(const TrackableRef& root);
// The same without making anything: tells whether a graph of objects is as it was.
StoredObjects described_objects(const TrackableRef& root);

// What objects of a program get from a checkpoint.
struct ObjectMatch {
  struct Value {
    std::string key = {};
    TrackableRef object = {};
    TrackedValue value = {};
  };
  std::map<int, TrackableRef> bound = {};  // by the number of the object in the checkpoint
  std::vector<Value> values = {};
  std::vector<std::string> unused = {};  // "object: attribute", of objects that are bound
  std::vector<std::string> unresolved_slots = {};
};
// Binds the root to the first object of the checkpoint, then children by their names. A stored
// graph that does not fit together is InvalidArgument.
ObjectMatch match_objects(const StoredObjects& stored, const TrackableRef& root);

// The key of each variable, by the name that it had in its graph; for programs that know variables
// by name.
std::map<std::string, std::string> keys_by_name(const StoredObjects& stored);

std::string escaped_name(const std::string& name);  // as a part of a path
// "model/dense/kernel/.ATTRIBUTES/VARIABLE_VALUE"
std::string object_key(const std::string& path, const std::string& attribute);

}  // namespace rill::train
