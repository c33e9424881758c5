#pragma once

#include <memory>
#include <string>

#include "rill/runtime/session/session.h"
#include "tests/optest/case_graph.h"

namespace rill {

// The sub-commands of rill_optest. Each takes the stem to look at ("": all) and returns the exit
// status.
int test_cases(const std::string& stem);
// Gradients of every row that has one, against central differences.
int check_gradients(const std::string& stem);
// Every op with senseless arguments, in processes of its own.
int run_hostile(const std::string& stem);
int measure_cases(const std::string& stem);
int print_support(const std::string& stem);
// Writes DIRECTORY/<stem>/<row>.pb, a GraphDef each; rows that must fail also as <row>@fed.pb.
// `through_graph`: as Graph writes it after reading, without the rows that must fail.
int export_cases(const std::string& stem, const std::string& directory, bool through_graph);

// Ops with a kernel that no row shows and that tests/optest/without_rows.tsv does not excuse.
std::vector<std::string> missing_rows();

// The tables that `stem` selects; throws NotFound when there is none.
std::vector<const OpCases*> selected(const std::string& stem);

std::shared_ptr<Graph> load(const CaseGraph& graph);  // throws Error as importing does

}  // namespace rill
