#pragma once

#include <memory>
#include <string>

#include "rill/base/lock_file.h"

namespace rill::train {

// Held while a checkpoint is saved, recorded in the state file of its directory, and old ones are
// deleted: two processes that keep the same list would each forget the other's checkpoints. The
// Savers of one process share it. Throws FailedPrecondition while another process saves. Clears
// away what saves that were killed left in the directory.
std::shared_ptr<LockFile> lock_state(const std::string& directory,
                                     const std::string& latest_filename,
                                     const std::string& save_path);

}  // namespace rill::train
