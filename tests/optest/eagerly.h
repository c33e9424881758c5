#pragma once

#include <optional>
#include <vector>

#include "tests/optest/case_graph.h"

namespace rill {

// Rows that run eagerly: op by op, as a program would call them.

void run_rows_eagerly();  // from now on
bool rows_run_eagerly();

// The values of the fetches of a row; none where it belongs to graphs: it has references to
// variables, or branches and loops made of nodes. Throws what the ops throw; an op that waits
// longer than `timeout_ms` is DeadlineExceeded (0: no limit).
std::optional<std::vector<Tensor>> run_eagerly(const CaseGraph& graph, std::int64_t timeout_ms);

}  // namespace rill
