#pragma once

#include "rill/kernel/device.h"

namespace rill {

// The CPU for kernels' functions that are called outside of every session; always there.
Device& host_device();

}  // namespace rill
