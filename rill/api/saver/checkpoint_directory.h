#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Directories of checkpoints, by what lies there and not by what their state file says.
namespace rill::train {

struct StoredCheckpoint {
  std::string prefix;
  std::optional<std::int64_t> step;  // as its name ends
  int format_version = 2;
  std::vector<std::string> files;  // meta graph included
  std::uint64_t bytes = 0;
  std::int64_t modified_nanos = 0;
};

// Newest first, by the time they were written. Temporary files are none. Throws NotFound when there
// is no such directory.
std::vector<StoredCheckpoint> checkpoints_in(const std::string& directory);

// "model" of "model-30": what the checkpoints of one Saver have in common.
std::string checkpoint_family(const std::string& prefix);

// Checkpoints that were cut short while they were written, and what else a killed process left.
std::vector<std::string> left_over_files(const std::string& directory);

struct PruneOptions {
  int keep = 5;          // whole ones, the newest
  bool dry_run = false;  // only says what would go
};
struct Pruned {
  std::vector<std::string> checkpoints, files;  // that are gone
  std::uint64_t bytes = 0;
};
// Removes damaged checkpoints, old ones and what was left over, and records the rest. Throws
// FailedPrecondition when no whole one would stay, or while somebody saves there.
Pruned prune_checkpoints(const std::string& directory, const PruneOptions& options = {});

struct Repaired {
  std::string newest;  // that the state file names now
  bool state_changed = false;
  std::vector<std::string> whole, damaged;  // newest first
};
// Makes the state file name the newest whole checkpoint, and no damaged one. Removes nothing but
// what killed writers left over. Throws DataLoss when there is no whole one, FailedPrecondition
// while somebody saves there.
Repaired repair_checkpoints(const std::string& directory);

}  // namespace rill::train
