// What became of a checkpoint that was asked for: its values by object, by name, or none at all.
#include <set>

#include "rill/api/saver/object_saver.h"
#include "rill/api/saver/saver_nodes.h"
#include "rill/base/error.h"
#include "rill/base/text.h"
#include "rill/io/checkpoint_reader.h"
#include "tensorflow/core/protobuf/trackable_object_graph.pb.h"

namespace rill::train {
namespace {

std::string listed(const std::vector<std::string>& items) { return "[" + join(items, ", ") + "]"; }

// What initialises the variables below an object that are not among `done`.
std::vector<std::string> initializers(const TrackableRef& root, const std::set<const void*>& done) {
  std::vector<std::string> names;
  for (const TrackedObject& item : objects_below(root)) {
    const Variable variable = item.object->variable();
    if (variable && !variable.is_eager() && !done.contains(item.object->identity()))
      names.push_back(variable.initializer().name());
  }
  return names;
}

void run_all(const RunSteps& run, const std::vector<std::string>& targets) {
  if (!targets.empty()) run({}, {}, targets);
}

class ObjectStatus : public LoadStatus {
 public:
  ObjectStatus(TrackableRef root, std::string path, StoredObjects stored,
               std::shared_ptr<RestoreNodes> nodes)
      : root_(std::move(root)),
        path_(std::move(path)),
        stored_(std::move(stored)),
        nodes_(std::move(nodes)) {}

  std::string unmatched() override {
    const std::vector<std::string> unused = unbound(match_objects(stored_, root_));
    if (unused.empty()) return {};
    return str_cat("Some Python objects were not bound to checkpointed values, likely due to ",
                   "changes in the Python program: ", listed(unused));
  }

  std::string unconsumed() override {
    const ObjectMatch match = match_objects(stored_, root_);
    if (!match.unresolved_slots.empty())
      return str_cat("Unresolved slot restorations: ", listed(match.unresolved_slots));
    for (int i = 0; i < stored_.nodes_size(); ++i)
      if (stored_.nodes(i).attributes_size() > 0 && !match.bound.contains(i))
        return str_cat("Unresolved object in checkpoint: ", stored_.nodes(i).ShortDebugString());
    if (!match.unused.empty())
      return str_cat("Unused attributes in these objects (the attributes exist in the checkpoint ",
                     "but were not restored): ", listed(match.unused));
    return unmatched();
  }

  std::string trivial() override {
    const ObjectMatch match = match_objects(stored_, root_);
    if (match.bound.size() > 1) return {};
    const std::vector<std::string> unused = unbound(match);
    if (unused.empty())
      return str_cat("Nothing to load. No dependencies have been added to ", root_->describe(),
                     " yet.");
    return str_cat("Nothing except the root object matched a checkpointed value. Typically this ",
                   "means that the checkpoint does not match the Python program. The following ",
                   "objects have no matching checkpointed value: ", listed(unused));
  }

  void run_restore_ops(const RunSteps& run) override {
    restore(run, match_objects(stored_, root_).values);
  }

  void run_new_restore_ops(const RunSteps& run) override {
    std::vector<ObjectMatch::Value> values = match_objects(stored_, root_).values;
    std::erase_if(values, [&](const ObjectMatch::Value& value) {
      return restored_.contains({value.object->identity(), value.key});
    });
    restore(run, values);
  }

  void initialize_or_restore(const RunSteps& run) override {
    const ObjectMatch match = match_objects(stored_, root_);
    std::set<const void*> restored;
    for (const ObjectMatch::Value& value : match.values) restored.insert(value.object->identity());
    restore(run, match.values);
    run_all(run, initializers(root_, restored));
  }

 private:
  void restore(const RunSteps& run, const std::vector<ObjectMatch::Value>& values) {
    if (values.empty()) return;
    nodes_->run(run, path_, values);
    for (const ObjectMatch::Value& value : values)
      restored_.emplace(value.object->identity(), value.key);
  }

  std::vector<std::string> unbound(const ObjectMatch& match) const {
    std::set<const void*> bound;
    for (const auto& [number, object] : match.bound) bound.insert(object->identity());
    std::vector<std::string> unused;
    for (const TrackedObject& item : objects_below(root_)) {
      const bool empty = item.object->is_container() && item.object->children().empty();
      if (!empty && !bound.contains(item.object->identity()))
        unused.push_back(item.object->describe());
    }
    return unused;
  }

  TrackableRef root_;
  std::string path_;
  StoredObjects stored_;
  std::shared_ptr<RestoreNodes> nodes_;
  std::set<std::pair<const void*, std::string>> restored_;
};

// A checkpoint of variables by name.
class NameStatus : public LoadStatus {
 public:
  NameStatus(TrackableRef root, std::string path)
      : root_(std::move(root)), path_(std::move(path)) {}

  std::string unconsumed() override { return unmatched(); }
  std::string trivial() override { return unmatched(); }
  std::string unmatched() override {
    const auto reader = CheckpointReader::open(path_);
    std::vector<std::string> missing;
    for (const Variable& variable : variables())
      if (!optional_.contains(variable.handle().node) &&
          !reader->tensors().contains(name(variable)))
        missing.push_back(name(variable));
    if (missing.empty()) return {};
    return str_cat("Some objects had attributes which were not restored: ", listed(missing));
  }

  void add_optional(const Variable& variable) override { optional_.insert(variable.handle().node); }

  void run_restore_ops(const RunSteps& run) override {
    const auto reader = CheckpointReader::open(path_);
    std::vector<SaveableRef> saveables;
    std::vector<std::string> targets;
    for (const Variable& variable : variables()) {
      const std::string key = name(variable);
      if (optional_.contains(variable.handle().node) && !reader->tensors().contains(key)) {
        if (!variable.is_eager()) targets.push_back(variable.initializer().name());
      } else
        saveables.push_back(saveables_of({{key, {ToSave(variable)}}}).at(0));
    }
    if (!saveables.empty())
      for (const Node* node : restore_nodes(as_tensor(path_), saveables))
        if (!node->is_executed()) targets.push_back(node->name());
    run_all(run, targets);
  }
  void initialize_or_restore(const RunSteps& run) override { run_restore_ops(run); }

 private:
  static std::string name(const Variable& variable) { return variable.handle().node->name(); }
  // The slots of optimizers, too: by name they are variables like others.
  std::vector<Variable> variables() const {
    std::vector<Variable> found;
    const std::vector<TrackedObject> objects = objects_below(root_);
    for (const TrackedObject& item : objects)
      if (const Variable variable = item.object->variable()) found.push_back(variable);
    const std::vector<Variable> trained = found;
    for (const TrackedObject& item : objects)
      for (const std::string& slot_name : item.object->slot_names())
        for (const Variable& of : trained)
          if (const Variable slot = item.object->slot(of, slot_name)) found.push_back(slot);
    return found;
  }

  TrackableRef root_;
  std::string path_;
  std::set<const void*> optional_;
};

class InitializationStatus : public LoadStatus {
 public:
  explicit InitializationStatus(TrackableRef root) : root_(std::move(root)) {}

  std::string unconsumed() override { return kNothing; }
  std::string unmatched() override { return kNothing; }
  std::string trivial() override { return kNothing; }
  void run_restore_ops(const RunSteps&) override {
    raise(Code::kFailedPrecondition,
          "No checkpoint specified, so no restore ops are available "
          "(save_path=None to Saver.restore).");
  }
  void initialize_or_restore(const RunSteps& run) override {
    run_all(run, initializers(root_, {}));
  }

 private:
  static constexpr const char* kNothing =
      "No checkpoint specified (save_path=None); nothing is being restored.";
  TrackableRef root_;
};

LoadStatus& without_problem(LoadStatus& status, const std::string& problem) {
  if (!problem.empty()) raise(Code::kFailedPrecondition, problem);
  return status;
}

}  // namespace

LoadStatus& LoadStatus::assert_consumed() { return without_problem(*this, unconsumed()); }
LoadStatus& LoadStatus::assert_existing_objects_matched() {
  return without_problem(*this, unmatched());
}
LoadStatus& LoadStatus::assert_nontrivial_match() { return without_problem(*this, trivial()); }

LoadStatusRef object_status(const TrackableRef& root, std::string path, StoredObjects stored,
                            std::shared_ptr<RestoreNodes> nodes) {
  return std::make_shared<ObjectStatus>(root, std::move(path), std::move(stored), std::move(nodes));
}
LoadStatusRef name_status(const TrackableRef& root, std::string path) {
  return std::make_shared<NameStatus>(root, std::move(path));
}
LoadStatusRef initialization_status(const TrackableRef& root) {
  return std::make_shared<InitializationStatus>(root);
}

}  // namespace rill::train
