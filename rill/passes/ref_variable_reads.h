#pragma once

#include "rill/passes/subgraph.h"

namespace rill {

// In TensorFlow a read of a reference variable returns the variable's own buffer, so a node that
// uses the read after an update sees the new value, though the read came before the update. Here a
// read is an immutable value. To get TensorFlow's results this pass looks for users of a read that
// data or control edges order after an update, and gives each a second read behind that update.
// Fetched reads return what the variable holds at the end of the step. Returns how many inputs and
// fetches changed; in a graph where no variable is both read and updated it only walks the items.
// `fetches_come_last`: fetched references are read after the step; otherwise fetched reads wait for
// the updates outside of branches and loops.
int ref_variable_reads(Subgraph& graph, bool fetches_come_last);

}  // namespace rill
