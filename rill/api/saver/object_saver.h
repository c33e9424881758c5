#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/saver/load_status.h"
#include "rill/api/saver/object_graph.h"
#include "rill/runtime/session/session.h"

namespace rill {
class CheckpointReader;
}

namespace rill::train {

// The operations that give objects values of checkpoints, whose path is fed. Those that are there
// are used again.
class RestoreNodes {
 public:
  // Runs what the values need; texts are read at once.
  void run(const RunSteps& run, const std::string& path,
           const std::vector<ObjectMatch::Value>& values);

 private:
  using Id = std::pair<const void*, std::string>;  // of an object, and the key
  struct RestoreOps {
    std::set<Id> ids;
    std::vector<std::string> nodes;
  };
  RestoreOps build(const std::vector<ObjectMatch::Value>& values);

  const Graph* graph_ = nullptr;
  Output prefix_;
  std::vector<RestoreOps> batches_;
};

// Writes an object and all below it to checkpoints, and reads them back.
class ObjectSaver {
 public:
  explicit ObjectSaver(TrackableRef root) : root_(std::move(root)) {}

  // Returns the path. The default graph must be that of the step.
  std::string save(const RunSteps& run, const std::string& path);
  // No path: nothing is restored, but all can be initialised. A checkpoint of variables by name is
  // read by their names. Throws NotFound when there is no checkpoint.
  LoadStatusRef restore(const std::optional<std::string>& path);

  const TrackableRef& root() const { return root_; }

 private:
  struct SaveNodes {
    const Graph* graph = nullptr;
    std::string objects;  // the stored graph that they are for
    std::string prefix, saved;
    std::map<std::string, std::string> texts;  // tensors by key
  };
  void build(StoredObjects described);
  std::string save_now(const std::string& path);

  TrackableRef root_;
  SaveNodes nodes_;
  std::shared_ptr<RestoreNodes> restore_nodes_ = std::make_shared<RestoreNodes>();
};

// The graph of objects of a checkpoint; nothing where it is one of variables by name.
std::optional<StoredObjects> stored_objects(const CheckpointReader& reader);

// load_status.cc
LoadStatusRef object_status(const TrackableRef& root, std::string path, StoredObjects stored,
                            std::shared_ptr<RestoreNodes> nodes);
LoadStatusRef name_status(const TrackableRef& root, std::string path);
LoadStatusRef initialization_status(const TrackableRef& root);

}  // namespace rill::train
