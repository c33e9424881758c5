#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/saver/load_status.h"
#include "rill/api/saver/trackable.h"

namespace rill::train {

class ObjectSaver;

// Saves and restores objects with all that they hold, by their places and not by names of nodes.
//
//   tf::train::Checkpoint checkpoint{{"model", model}, {"optimizer", optimizer}};
//   const std::string path = checkpoint.save(session, "/tmp/ckpt");  // "/tmp/ckpt-1"
//   checkpoint.restore(path)->assert_consumed().initialize_or_restore(session);
class Checkpoint {
 public:
  Checkpoint(std::initializer_list<std::pair<std::string, TrackableInput>> objects = {});
  // The parts of `root`, whatever they are when it is asked, beside the counter.
  explicit Checkpoint(TrackableRef root);
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  void add(const std::string& name, const TrackableInput& object);

  // Counts, and writes "<file_prefix>-<count>"; the directory's state file names only that one.
  std::string save(Session& session, const std::string& file_prefix);
  std::string write(Session& session, const std::string& path);  // as it is called
  LoadStatusRef restore(const std::optional<std::string>& path);

  Variable save_counter();  // how often save() wrote; made when it is first needed
  const TrackableRef& trackable() const;

  // The same for whoever runs steps in another way.
  std::string save(const RunSteps& run, const std::string& file_prefix);
  std::string write(const RunSteps& run, const std::string& path);
  std::int64_t count(const RunSteps& run);  // one more; what it is now

 private:
  class Root;
  explicit Checkpoint(std::shared_ptr<Root> root);
  void make_counter();

  std::shared_ptr<Root> root_;
  std::shared_ptr<ObjectSaver> saver_;
  std::string count_step_;  // the tensor that counts
};

struct CheckpointManagerOptions {
  std::optional<int> max_to_keep = {};  // none: all
  std::optional<double> keep_checkpoint_every_n_hours = {};
  std::string checkpoint_name = "ckpt";
};

// Keeps the newest checkpoints of a directory.
class CheckpointManager {
 public:
  // Goes on with what the state file of the directory says.
  CheckpointManager(std::shared_ptr<Checkpoint> checkpoint, std::string directory,
                    const CheckpointManagerOptions& options);
  CheckpointManager(Checkpoint& checkpoint, std::string directory,
                    const CheckpointManagerOptions& options)
      : CheckpointManager(std::shared_ptr<Checkpoint>(std::shared_ptr<void>(), &checkpoint),
                          std::move(directory), options) {}

  // "<directory>/<checkpoint_name>-<number>"; without a number the checkpoint's own count.
  std::string save(Session& session, std::optional<std::int64_t> checkpoint_number = {});
  std::string save(const RunSteps& run, std::optional<std::int64_t> checkpoint_number = {});

  const std::optional<std::string>& latest_checkpoint() const { return latest_; }
  std::vector<std::string> checkpoints() const;  // oldest first
  const std::string& directory() const { return directory_; }

 private:
  void sweep();
  void record() const;

  std::shared_ptr<Checkpoint> checkpoint_;
  std::string directory_;
  CheckpointManagerOptions options_;
  std::vector<std::pair<std::string, double>> kept_;  // with the times when they were written
  std::optional<std::string> latest_;
  double last_preserved_ = 0;
};

}  // namespace rill::train
