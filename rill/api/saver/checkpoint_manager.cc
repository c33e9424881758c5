#include <algorithm>

#include "rill/api/saver/checkpoint.h"
#include "rill/api/saver/checkpoint_recovery.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/checkpoint_times.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/log.h"
#include "rill/base/text.h"
#include "tensorflow/python/training/checkpoint_state.pb.h"

namespace rill::train {
namespace {}  // namespace

CheckpointManager::CheckpointManager(std::shared_ptr<Checkpoint> checkpoint, std::string directory,
                                     const CheckpointManagerOptions& options)
    : checkpoint_(std::move(checkpoint)),
      directory_(std::move(directory)),
      options_(options),
      last_preserved_(seconds_now()) {
  require(!options_.max_to_keep || *options_.max_to_keep > 0,
          "Expected a positive integer or `None` for `max_to_keep`, got ",
          options_.max_to_keep.value_or(0), ".");
  const auto state = recover_checkpoint_state(directory_);
  if (!state) return;
  const double now = last_preserved_;
  latest_ = state->model_checkpoint_path();
  last_preserved_ = std::min(now, state->last_preserved_timestamp());
  for (int i = 0; i < state->all_model_checkpoint_paths_size(); ++i) {
    const bool known = i < state->all_model_checkpoint_timestamps_size();
    kept_.emplace_back(state->all_model_checkpoint_paths(i),
                       known ? std::min(now, state->all_model_checkpoint_timestamps(i)) : now);
  }
}

std::string CheckpointManager::save(Session& session,
                                    std::optional<std::int64_t> checkpoint_number) {
  return save(run_steps_of(session), checkpoint_number);
}

std::string CheckpointManager::save(const RunSteps& run,
                                    std::optional<std::int64_t> checkpoint_number) {
  const std::int64_t number = checkpoint_number ? *checkpoint_number : checkpoint_->count(run);
  const std::string prefix = directory_.empty() || directory_.ends_with('/')
                                 ? directory_ + options_.checkpoint_name
                                 : directory_ + "/" + options_.checkpoint_name;
  const std::string path = checkpoint_->write(run, str_cat(prefix, "-", number));
  std::erase_if(kept_, [&](const auto& item) { return item.first == path; });
  kept_.emplace_back(path, seconds_now());
  latest_ = path;
  record();  // before others are deleted: whoever looks meanwhile finds the new one
  sweep();
  record();
  return path;
}

std::vector<std::string> CheckpointManager::checkpoints() const {
  std::vector<std::string> paths;
  for (const auto& [path, time] : kept_) paths.push_back(path);
  return paths;
}

void CheckpointManager::sweep() {
  if (!options_.max_to_keep) return;
  while (kept_.size() > static_cast<std::size_t>(*options_.max_to_keep)) {
    const auto [path, time] = kept_.front();
    kept_.erase(kept_.begin());
    if (options_.keep_checkpoint_every_n_hours &&
        time - *options_.keep_checkpoint_every_n_hours * kSecondsPerHour >= last_preserved_) {
      last_preserved_ = time;
      continue;
    }
    try {
      remove_checkpoint(path);
    } catch (const Error& error) {  // the new checkpoint is what counts
      log(LogLevel::kWarning, "Ignoring: ", error.message());
    }
  }
}

void CheckpointManager::record() const {
  CheckpointStateOptions state{.last_preserved_timestamp = last_preserved_,
                               .save_relative_paths = true};
  for (const auto& [path, time] : kept_) {
    state.all_model_checkpoint_paths.push_back(path);
    state.all_model_checkpoint_timestamps.push_back(time);
  }
  update_checkpoint_state(directory_, *latest_, state);
}

}  // namespace rill::train
