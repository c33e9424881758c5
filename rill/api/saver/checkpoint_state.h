#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rill/base/maybe.h"
#include "rill/proto/messages_fwd.h"

// Which checkpoints a directory has: a small text file beside them, "checkpoint" unless a program
// names it.
namespace rill::train {

inline constexpr const char* kCheckpointStateFile = "checkpoint";

struct CheckpointStateOptions {
  std::vector<std::string> all_model_checkpoint_paths = {};  // oldest first; the newest is added
  std::string latest_filename = {};                          // empty: kCheckpointStateFile
  std::vector<double> all_model_checkpoint_timestamps = {};
  std::optional<double> last_preserved_timestamp = {};
  bool save_relative_paths = false;
};

// What update_checkpoint_state writes. Throws InvalidArgument when timestamps and paths do not go
// together.
tensorflow::CheckpointState generate_checkpoint_state_proto(
    const std::string& save_dir, const std::string& model_checkpoint_path,
    const CheckpointStateOptions& options = {});
// Replaces the file of the directory in one step.
void update_checkpoint_state(const std::string& save_dir, const std::string& model_checkpoint_path,
                             const CheckpointStateOptions& options = {});
// What the file says, paths joined to the directory; nothing when it is not there or cannot be
// parsed. Throws InvalidArgument when it names no checkpoint.
std::optional<tensorflow::CheckpointState> get_checkpoint_state(
    const std::string& checkpoint_dir, const std::string& latest_filename = {});
// The newest checkpoint that the file names, if its files are there. Of a damaged file the newest
// whole checkpoint of the directory (checkpoint_recovery.h).
Maybe<std::string> latest_checkpoint(const std::string& checkpoint_dir,
                                     const std::string& latest_filename = {});

struct WaitOptions {
  double seconds_to_sleep = 1;
  std::optional<double> timeout = {};  // in seconds; none: for ever
};
// Waits for a checkpoint of the directory that is not `last`; nothing when the time is over.
std::optional<std::string> wait_for_new_checkpoint(const std::string& checkpoint_dir,
                                                   const std::string& last = {},
                                                   const WaitOptions& options = {});

bool checkpoint_exists(const std::string& prefix);
// When each was written, in seconds; those that are not there are left out.
std::vector<double> get_checkpoint_mtimes(const std::vector<std::string>& prefixes);
// Deletes the files of a checkpoint, meta graph included.
void remove_checkpoint(const std::string& prefix, int format_version = 2,
                       const std::string& meta_graph_suffix = "meta");
// "model-3.meta" of "model-3" and of "model-3-00000-of-00002".
std::string meta_graph_filename(const std::string& checkpoint, const std::string& suffix = "meta");

}  // namespace rill::train
