#pragma once

#include <string>
#include <vector>

#include "rill/inspect/profiler/report.h"

namespace rill::profiler {

// What a view explains of itself, and the heads of its columns: "node name | # parameters".
std::string explanation(ViewKind kind, const ProfileOptions& options);
std::string head(ViewKind kind, const ProfileOptions& options);

// What stands behind a name: in a tree "4/12 params, 1us/3us", in the op view aligned cells.
std::string tree_cells(const ProfiledModel& model, ViewKind kind, const Row& row,
                       const ProfileOptions& options);
std::string op_cells(const ProfiledModel& model, const Row& row, const Figures& all,
                     const ProfileOptions& options);

}  // namespace rill::profiler
