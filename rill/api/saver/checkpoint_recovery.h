#pragma once

#include <optional>
#include <string>

#include "rill/base/function_ref.h"
#include "rill/proto/messages_fwd.h"

// What training goes on from after a crash of the machine. Where the state file or the newest
// checkpoint is damaged, that is the newest whole checkpoint of the directory, and an error is
// logged that says so. With RILL_RECOVER=0 in the environment, or set_checkpoint_recovery(false),
// it is refused: DataLoss.
namespace rill::train {

bool checkpoint_recovery();
void set_checkpoint_recovery(bool wanted);

// As get_checkpoint_state, which ignores a file that it cannot read. Nothing when there is no file,
// or a damaged one and no checkpoint beside it; throws DataLoss when all of those are damaged.
std::optional<tensorflow::CheckpointState> recover_checkpoint_state(
    const std::string& checkpoint_dir, const std::string& latest_filename = {});

// Calls `restore` with the checkpoint that the state names and, while those turn out to be damaged,
// with the ones before it. The state then names the one that was restored and the others that are
// there. Errors that are not the checkpoint's fault are those of `restore`.
tensorflow::CheckpointState restore_newest(tensorflow::CheckpointState state,
                                           FunctionRef<void(const std::string& path)> restore);

}  // namespace rill::train
