#pragma once

#include <span>
#include <string>

#include "rill/base/lock_file.h"
#include "rill/io/bundle_index.h"

namespace rill {

// Keeps a checkpoint, of either format, to one writer while this lives. Throws FailedPrecondition
// while another one writes it. Clears away what a writer that was killed left behind.
std::shared_ptr<LockFile> lock_checkpoint(const std::string& prefix);

// Gives the files at `data` the names of the shards of checkpoint `prefix`, and writes its index. A
// checkpoint that has the name already can be read until the new one can: there is no moment
// without one, wherever the process ends.
void publish_bundle(const std::string& prefix, BundleIndex index,
                    std::span<const std::string> data);

// Removes the shards of `prefix` that its index does not speak of, and temporary files.
void remove_left_over(const std::string& prefix);

}  // namespace rill
