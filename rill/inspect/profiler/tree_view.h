#pragma once

#include "rill/inspect/profiler/view.h"

namespace rill::profiler {

// In what the views that are trees differ.
struct TreeRules {
  // Rows that do not count stay where something below them does; else they give their place to it.
  bool keeps_uncounted = true;
  // What is trimmed goes with all below it; else it is shown, and what is below counts.
  bool drops_trimmed = false;
  // The least parameters and operations are those of all below a row; else its own.
  bool least_of_totals = false;
};

// What these views have in common once there is a tree of rows with their own figures: where it
// begins and ends, what is summed, and which rows are shown.
RowPtr shown_tree(RowPtr root, const Filter& filter, const TreeRules& rules = {});

}  // namespace rill::profiler
