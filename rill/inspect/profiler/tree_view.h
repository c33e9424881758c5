#pragma once

#include "rill/inspect/profiler/view.h"

namespace rill::profiler {

// Rows that do not count stay where something below them does, or give their place to it.
enum class Uncounted { stay, give_place };

// What the views of names and of the graph have in common once there is a tree of rows with their
// own figures: where it begins and ends, what is summed, and which rows are shown.
RowPtr shown_tree(RowPtr root, const Filter& filter, Uncounted uncounted);

}  // namespace rill::profiler
