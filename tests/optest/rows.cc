#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "rill/base/error.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"
#include "tests/optest/commands.h"

namespace rill {
namespace {

constexpr const char* kList = "tests/optest/without_rows.tsv";

// Ops that rows cannot show, each with the file that tests it; the third column says why.
std::map<std::string, std::string> listed_ops() {
  std::ifstream in(kList);
  std::string line;
  if (!std::getline(in, line)) raise(Code::kNotFound, "cannot read ", kList);
  std::map<std::string, std::string> result;
  while (std::getline(in, line)) {
    const auto cells = split(line, '\t');
    require(cells.size() == 3 && !cells[2].empty(), kList,
            " has a line that is not 'op, file, reason': ", line);
    result.emplace(cells[0], cells[1]);
  }
  return result;
}

std::string contents(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::set<std::string> ops_with_rows() {
  std::set<std::string> result;
  for (const OpCases* table : all_cases())
    for (const OpCase& row : table->make()) result.insert(row.op);
  return result;
}

}  // namespace

std::vector<std::string> missing_rows() {
  const auto listed = listed_ops();
  const auto with_rows = ops_with_rows();
  std::vector<std::string> complaints;
  for (const Op* op : standard_ops().all()) {
    const bool has_rows = with_rows.contains(op->name);
    const auto it = listed.find(op->name);
    if (it != listed.end() && has_rows)
      complaints.push_back(str_cat(op->name, " has rows and need not be in ", kList));
    else if (it != listed.end() && contents(it->second).find(op->name) == std::string::npos)
      complaints.push_back(str_cat(op->name, " is not tested in ", it->second));
    else if (it == listed.end() && !has_rows && standard_kernels().has_kernel(op->name, "CPU"))
      complaints.push_back(
          str_cat(op->name, " has no row in any *.cases.cc and is not in ", kList));
  }
  return complaints;
}

}  // namespace rill
