#pragma once

#include "rill/passes/subgraph.h"

namespace rill {

// A read of a reference variable is, in TensorFlow, the variable's own memory: who uses it after an
// update sees the update, though the read itself came before. Here a read is a value, so whoever
// is ordered behind an update, by data or control, gets a read of its own behind that update, and
// fetches of reads get what the variable holds when the step is over. Returns how many inputs and
// fetches changed. Does nothing, and costs a walk, where no variable is both read and changed.
// `fetches_come_last`: references that are fetched are read when the step is over; otherwise reads
// that are fetched wait for the updates outside of branches and loops.
int reread_references(Subgraph& graph, bool fetches_come_last);

}  // namespace rill
