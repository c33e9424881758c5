#include "rill/api/saver/checkpoint.h"

#include <algorithm>

#include "rill/api/core/scope_changes.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/object_saver.h"
#include "rill/api/variables/new_variables.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"

namespace rill::train {

// The named objects, or the parts of another one, and the counter.
class Checkpoint::Root : public Trackable {
 public:
  const void* identity() const override { return other ? other->identity() : this; }
  std::string describe() const override {
    return other ? other->describe() : "<tf.train.Checkpoint>";
  }
  std::vector<Child> children() override {
    std::vector<Child> all = other ? other->children() : named;
    if (counter) all.push_back({"save_counter", as_trackable(counter)});
    return all;
  }

  TrackableRef other;
  std::vector<Child> named;
  Variable counter;
};

Checkpoint::Checkpoint(std::shared_ptr<Root> root)
    : root_(root), saver_(std::make_shared<ObjectSaver>(root)) {}

const TrackableRef& Checkpoint::trackable() const { return saver_->root(); }

Checkpoint::Checkpoint(std::initializer_list<std::pair<std::string, TrackableInput>> objects)
    : Checkpoint(std::make_shared<Root>()) {
  for (const auto& [name, object] : objects) add(name, object);
  std::ranges::sort(root_->named, {}, &Trackable::Child::name);
}

Checkpoint::Checkpoint(TrackableRef root) : Checkpoint(std::make_shared<Root>()) {
  root_->other = std::move(root);
}

void Checkpoint::add(const std::string& name, const TrackableInput& object) {
  root_->named.push_back({name, object.object()});
}

void Checkpoint::make_counter() {
  if (root_->counter) return;
  const OutsideFlow outside;
  const DeviceScope on("/cpu:0");
  root_->counter = Variable(
      Tensor::scalar<std::int64_t>(0),
      {.trainable = false, .dtype = DType::i64, .use_resource = true, .name = "save_counter"});
}

Variable Checkpoint::save_counter() {
  make_counter();
  return root_->counter;
}

std::int64_t Checkpoint::count(const RunSteps& run) {
  if (executing_eagerly()) {
    make_counter();
    return root_->counter.assign_add(Tensor::scalar<std::int64_t>(1))
        .value()
        .scalar_value<std::int64_t>();
  }
  if (!root_->counter) {
    make_counter();
    run({}, {}, {root_->counter.initializer().name()});
  }
  if (count_step_.empty()) {
    const OutsideFlow outside;
    const DeviceScope on("/cpu:0");
    count_step_ = root_->counter.assign_add(Tensor::scalar<std::int64_t>(1)).name();
  }
  return run({}, {count_step_}, {}).at(0).scalar_value<std::int64_t>();
}

std::string Checkpoint::write(const RunSteps& run, const std::string& path) {
  return saver_->save(run, path);
}

std::string Checkpoint::save(const RunSteps& run, const std::string& file_prefix) {
  const std::string path = write(run, str_cat(file_prefix, "-", count(run)));
  update_checkpoint_state(parent_path(file_prefix), path,
                          {.all_model_checkpoint_paths = {path}, .save_relative_paths = true});
  return path;
}

std::string Checkpoint::save(Session& session, const std::string& file_prefix) {
  return save(run_steps_of(session), file_prefix);
}

std::string Checkpoint::write(Session& session, const std::string& path) {
  return write(run_steps_of(session), path);
}

LoadStatusRef Checkpoint::restore(const std::optional<std::string>& path) {
  LoadStatusRef status = saver_->restore(path);
  make_counter();  // so that it goes on counting where the checkpoint was written
  status->add_optional(root_->counter);
  notice_new_variables();
  return status;
}

TrackableInput::TrackableInput(Checkpoint& other) : object_(other.trackable()) {}

}  // namespace rill::train
