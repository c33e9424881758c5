#include "rill/api/saver/object_saver.h"

#include <algorithm>

#include "rill/api/core/scope_changes.h"
#include "rill/api/saver/saver_nodes.h"
#include "rill/api/variables/new_variables.h"
#include "rill/base/error.h"
#include "rill/graph/tape.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/io/parse_message.h"
#include "tensorflow/core/protobuf/trackable_object_graph.pb.h"

namespace rill::train {
namespace {

// A text that is written with the tensors.
class SavedText : public Saveable {
 public:
  SavedText(std::string key, Output text) : Saveable(key), specs_{{text, key, "", DType::string}} {}
  const std::vector<SaveSpec>& specs() const override { return specs_; }
  std::string device() const override { return specs_[0].tensor.node->device(); }
  Node& restore(const std::vector<Output>&, const Inputs&) override {
    raise(Code::kInternal, "a text of a checkpoint is not restored by nodes: ", name());
  }

 private:
  std::vector<SaveSpec> specs_;
};

Output text_to_feed() {
  const DeviceScope on("/cpu:0");
  return as_tensor(std::string());
}

std::vector<std::pair<std::string, Tensor>> one_text(const std::string& tensor,
                                                     const std::string& text) {
  return {{tensor, Tensor::scalar(text)}};
}

}  // namespace

RunSteps run_steps_of(Session& session) {
  return [&session](const auto& feeds, const auto& fetches, const auto& targets) {
    return session.run(feeds, fetches, targets);
  };
}

// --- writing -------------------------------------------------------------------------------------

void ObjectSaver::build(StoredObjects described) {
  const OutsideFlow outside;
  nodes_ = {.graph = default_graph().get(), .objects = described.SerializeAsString()};
  ObjectsToSave save = objects_to_save(root_);
  const auto add_text = [&](const std::string& key) {
    const Output tensor = text_to_feed();
    nodes_.texts[key] = tensor.name();
    save.saveables.push_back(std::make_shared<SavedText>(key, tensor));
  };
  for (const std::string& key : save.texts) add_text(key);
  add_text(kObjectGraphKey);
  const Output prefix = text_to_feed();
  nodes_.prefix = prefix.name();
  nodes_.saved = save_nodes(prefix, save.saveables).name();
}

// In eager execution the nodes have written when they are made.
std::string ObjectSaver::save_now(const std::string& path) {
  const WithoutTapes unseen;
  ObjectsToSave save = objects_to_save(root_);
  std::map<std::string, std::string> texts{
      {kObjectGraphKey, described_objects(root_).SerializeAsString()}};
  for (const TrackedObject& object : objects_below(root_))
    for (const TrackedValue& value : object.object->values())
      if (value.write) texts[object_key(object.path, value.name)] = value.write();
  for (const auto& [key, text] : texts)
    save.saveables.push_back(std::make_shared<SavedText>(key, as_tensor(text)));
  return save_nodes(as_tensor(path), save.saveables).value().scalar_value<std::string>();
}

std::string ObjectSaver::save(const RunSteps& run, const std::string& path) {
  if (executing_eagerly()) return save_now(path);
  StoredObjects described = described_objects(root_);
  if (nodes_.graph != default_graph().get() || nodes_.objects != described.SerializeAsString())
    build(std::move(described));
  std::vector<std::pair<std::string, Tensor>> feeds = one_text(nodes_.prefix, path);
  std::map<std::string, std::string> texts{{kObjectGraphKey, nodes_.objects}};
  for (const TrackedObject& object : objects_below(root_))
    for (const TrackedValue& value : object.object->values())
      if (value.write) texts[object_key(object.path, value.name)] = value.write();
  for (const auto& [key, tensor] : nodes_.texts)
    feeds.emplace_back(tensor, Tensor::scalar(texts.at(key)));
  return run(feeds, {nodes_.saved}, {}).at(0).scalar_value<std::string>();
}

// --- reading -------------------------------------------------------------------------------------

RestoreNodes::RestoreOps RestoreNodes::build(const std::vector<ObjectMatch::Value>& values) {
  const OutsideFlow outside;
  if (!prefix_.node) prefix_ = text_to_feed();
  RestoreOps batch;
  std::vector<SaveableRef> saveables;
  for (const ObjectMatch::Value& value : values) {
    batch.ids.emplace(value.object->identity(), value.key);
    saveables.push_back(value.value.tensors(value.key));
  }
  for (const Node* node : restore_nodes(prefix_, saveables)) batch.nodes.push_back(node->name());
  return batch;
}

namespace {

void restore_now(const std::string& path, const std::vector<ObjectMatch::Value>& values) {
  const WithoutTapes unseen;
  std::unique_ptr<CheckpointReader> reader;
  std::vector<SaveableRef> saveables;
  for (const ObjectMatch::Value& value : values) {
    if (value.value.read) {
      if (!reader) reader = CheckpointReader::open(path);
      value.value.read(reader->read(value.key).scalar_value<std::string>());
    } else {
      saveables.push_back(value.value.tensors(value.key));
    }
  }
  if (!saveables.empty()) restore_nodes(as_tensor(path), saveables);
}

}  // namespace

void RestoreNodes::run(const RunSteps& run, const std::string& path,
                       const std::vector<ObjectMatch::Value>& values) {
  if (executing_eagerly()) return restore_now(path, values);
  if (graph_ != default_graph().get()) *this = RestoreNodes();
  graph_ = default_graph().get();
  std::map<Id, ObjectMatch::Value> open;
  std::unique_ptr<CheckpointReader> reader;
  for (const ObjectMatch::Value& value : values) {
    if (value.value.read) {
      if (!reader) reader = CheckpointReader::open(path);
      value.value.read(reader->read(value.key).scalar_value<std::string>());
    } else {
      open.emplace(Id(value.object->identity(), value.key), value);
    }
  }
  std::vector<std::string> targets;
  const auto use = [&](const RestoreOps& batch) {
    targets.insert(targets.end(), batch.nodes.begin(), batch.nodes.end());
    for (const Id& id : batch.ids) open.erase(id);
  };
  for (const RestoreOps& batch : batches_)
    if (std::ranges::all_of(batch.ids, [&](const Id& id) { return open.contains(id); })) use(batch);
  if (!open.empty()) {
    std::vector<ObjectMatch::Value> rest;
    for (const auto& [id, value] : open) rest.push_back(value);
    batches_.push_back(build(rest));
    use(batches_.back());
  }
  if (!targets.empty()) run(one_text(prefix_.name(), path), {}, targets);
}

std::optional<StoredObjects> stored_objects(const CheckpointReader& reader) {
  if (!reader.tensors().contains(kObjectGraphKey)) return {};
  const Tensor stored = reader.read(kObjectGraphKey);
  require(stored.dtype() == DType::string && stored.rank() == 0,
          "the object graph of a checkpoint is no text");
  StoredObjects objects;
  require(parse_message(stored.scalar_value<std::string>(), &objects) && objects.nodes_size() > 0,
          "the object graph of a checkpoint cannot be read");
  return objects;
}

namespace {

// Variables that are there take their values at once, others when they are made.
void restore_eagerly(const LoadStatusRef& status) {
  status->run_restore_ops(RunSteps());
  await_variables([status] {
    const AsDefault eagerly(eager_graph());
    status->run_new_restore_ops(RunSteps());
    return status->unconsumed().empty();
  });
  notice_new_variables();  // slots of optimizers have been made
}

}  // namespace

LoadStatusRef ObjectSaver::restore(const std::optional<std::string>& path) {
  if (!path) return initialization_status(root_);
  std::optional<StoredObjects> stored = stored_objects(*CheckpointReader::open(*path));
  const LoadStatusRef status = stored
                                   ? object_status(root_, *path, std::move(*stored), restore_nodes_)
                                   : name_status(root_, *path);
  if (executing_eagerly()) restore_eagerly(status);
  return status;
}

}  // namespace rill::train
