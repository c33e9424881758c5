#include "tools/opgen/fact_tables.h"

#include <fstream>

#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill::opgen {

std::vector<std::vector<std::string>> table_rows(const std::filesystem::path& path) {
  std::ifstream file(path);
  require(bool(file), "cannot read ", path.string(), "; opgen runs in the root of the repository");
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    auto& row = rows.emplace_back();
    for (const std::string_view field : split(line, '\t')) row.emplace_back(field);
  }
  return rows;
}

std::set<std::string, std::less<>> tensorflow_op_names() {
  std::set<std::string, std::less<>> names;
  for (const char* table : {"tests/facts/tf1_ops.tsv", "tests/facts/tf1_contrib_ops.tsv"})
    for (const auto& row : table_rows(table)) names.insert(row[0]);
  return names;
}

}  // namespace rill::opgen
