#pragma once

#include "call.h"
#include "rill/api/parsing/features.h"

namespace rill::python {

// What a dict of FixedLenFeatures and their kin describes; raises TypeError or ValueError for
// anything else.
Features features_of(nb::handle dict);

}  // namespace rill::python
