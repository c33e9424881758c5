// Savers know variables by name; checkpoints of objects say how theirs were called.
#include "rill/api/core/control_flow.h"
#include "rill/api/core/scope_changes.h"
#include "rill/api/saver/object_saver.h"
#include "rill/api/saver/saver.h"
#include "rill/api/saver/saver_nodes.h"
#include "rill/base/error.h"
#include "rill/base/log.h"
#include "rill/base/text.h"
#include "rill/io/checkpoint_reader.h"
#include "tensorflow/core/protobuf/trackable_object_graph.pb.h"

namespace rill::train {
namespace {

// The same thing under the names that a checkpoint of objects has for it.
class RenamedSaveable : public Saveable {
 public:
  RenamedSaveable(SaveableRef saveable, const std::map<std::string, std::string>& keys)
      : Saveable(saveable->name()), saveable_(std::move(saveable)), specs_(saveable_->specs()) {
    for (SaveSpec& spec : specs_)
      if (const auto found = keys.find(spec.name); found != keys.end()) spec.name = found->second;
  }
  const std::vector<SaveSpec>& specs() const override { return specs_; }
  std::string device() const override { return saveable_->device(); }
  Node& restore(const std::vector<Output>& restored, const Inputs& shapes) override {
    return saveable_->restore(restored, shapes);
  }

 private:
  SaveableRef saveable_;
  std::vector<SaveSpec> specs_;
};

[[noreturn]] void raise_missing_names(const std::vector<std::string>& missing,
                                      const std::map<std::string, std::string>& known,
                                      std::size_t matched) {
  std::vector<std::string> names;
  for (const auto& [name, key] : known) names.push_back(name);
  raise(
      Code::kNotFound, "Existing variables not in the checkpoint: ", join(missing, ", "),
      "\n\nVariables names when this checkpoint was written: ", join(names, ", "), "\n\n(", matched,
      " variable name(s) did match)\n\nCould not find some variables in the checkpoint (see names ",
      "above). Saver was attempting to load an object-based checkpoint (saved using ",
      "tf.train.Checkpoint or tf.keras.Model.save_weights) using variable names. You can make a ",
      "Saver(var_list=...) of the variables that were there, as a dictionary where names changed.");
}

}  // namespace

// How a checkpoint of objects was restored: the keys, the node, and the tensor of the path.
struct Saver::ByObjects {
  std::map<std::string, std::string> keys;
  std::string node, path;
};

bool Saver::restore_by_objects(const RunStep& run, const std::string& save_path) {
  std::unique_ptr<CheckpointReader> reader;
  try {
    reader = CheckpointReader::open(save_path);
  } catch (const Error&) {
    return false;  // the step that restores tells what is wrong
  }
  const auto stored = stored_objects(*reader);
  if (!stored) return false;
  const auto saveables = saveables_of(to_save_ ? *to_save_ : named_to_save(all_to_save()));
  std::map<std::string, std::string> keys;
  for (const SaveableRef& saveable : saveables)
    for (const SaveSpec& spec : saveable->specs())
      if (!reader->tensors().contains(spec.name)) keys[spec.name] = "";
  if (keys.empty()) return false;
  std::map<std::string, std::string> known = keys_by_name(*stored);
  std::vector<std::string> missing;
  for (auto& [name, key] : keys)
    if (const auto found = known.find(name); found == known.end())
      missing.push_back(name);
    else
      key = found->second;
  if (!missing.empty()) raise_missing_names(missing, known, keys.size() - missing.size());
  log(LogLevel::kWarning,
      "Restoring an object-based checkpoint using a name-based saver. This may be somewhat "
      "fragile, "
      "and will re-build the Saver. Instead, consider loading object-based checkpoints using "
      "tf.train.Checkpoint().");
  if (!by_objects_ || by_objects_->keys != keys) {
    const OutsideFlow outside;
    const Output path = as_tensor(std::string());
    std::vector<SaveableRef> renamed;
    for (const SaveableRef& saveable : saveables)
      renamed.push_back(std::make_shared<RenamedSaveable>(saveable, keys));
    Node& restored = group(restore_nodes(path, renamed), "restore_objects");
    by_objects_ = std::make_shared<ByObjects>(ByObjects{keys, restored.name(), path.name()});
  }
  run(by_objects_->node, by_objects_->path, save_path);
  return true;
}

}  // namespace rill::train
