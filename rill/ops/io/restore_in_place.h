#pragma once

#include <span>
#include <string>
#include <vector>

#include "rill/io/checkpoint_reader.h"
#include "rill/kernel/kernel_call.h"

namespace rill {

// Restores what RestoreV2 has been offered the memory of variables for (kFillsVariables): output i
// is the whole tensor names[i]. Nothing is written before all of them were found sound, so that a
// broken checkpoint leaves every variable as it was. What was offered any memory of a device goes
// to that device, piece by piece. Returns which outputs are done.
std::vector<bool> restore_in_place(const KernelCall& call, const CheckpointReader& reader,
                                   std::span<const std::string> names,
                                   std::span<const std::string> specs);

}  // namespace rill
