#include <cstdio>
#include <filesystem>
#include <fstream>

#include "rill/base/error.h"
#include "rill/graph/graph_def.h"
#include "rill/ops/register.h"
#include "tests/optest/commands.h"

namespace rill {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const tensorflow::GraphDef& graph) {
  std::ofstream out(file, std::ios::binary);
  if (!graph.SerializeToOstream(&out) || !out.flush())
    raise(Code::kUnknown, "cannot write ", file.string());
}

// As the row is written, or as a graph writes it that has read it.
tensorflow::GraphDef definition(const NamedCase& c, InputMode mode, bool through_graph) {
  const Op& op = standard_ops().at(c.row.op);
  if (!c.row.plain.empty()) return plain_graph(c.row, op).def;
  const CaseGraph graph = case_graph(c.row, op, mode);
  return through_graph ? export_graph_def(*load(graph)) : graph.def;
}

bool export_case(const fs::path& folder, const NamedCase& c, bool through_graph) {
  const bool fails = c.row.error[0] != '\0';
  if (!c.row.want.empty() || (fails && through_graph)) return false;
  write(folder / (c.name + ".pb"), definition(c, InputMode::kConstant, through_graph));
  if (fails) write(folder / (c.name + "@fed.pb"), definition(c, InputMode::kFed, false));
  return true;
}

}  // namespace

int export_cases(const std::string& stem, const std::string& directory, bool through_graph) {
  int count = 0;
  for (const OpCases* table : selected(stem)) {
    const fs::path folder = fs::path(directory) / table->stem;
    fs::create_directories(folder);
    for (const NamedCase& c : named_cases(*table)) count += export_case(folder, c, through_graph);
  }
  std::printf("%d cases exported\n", count);
  return 0;
}

}  // namespace rill
