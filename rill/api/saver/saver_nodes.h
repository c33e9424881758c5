#pragma once

#include <string>
#include <vector>

#include "rill/api/saver/saveable.h"

// The nodes that save and restore, without a Saver around them; saver_builder.cc.
namespace rill::train {

// Writes a checkpoint, each machine its own part of it; the result is the path.
Output save_nodes(Output prefix, const std::vector<SaveableRef>& saveables);
// One operation for each of them.
std::vector<Node*> restore_nodes(Output prefix, const std::vector<SaveableRef>& saveables);

}  // namespace rill::train
