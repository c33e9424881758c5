#include "rill/cli/coverage.h"

#include <fstream>
#include <set>

#include "rill/base/error.h"
#include "rill/cli/set_aside.h"
#include "rill/graph/registry.h"
#include "rill/kernel/kernel_registry.h"

namespace rill::cli {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string, std::less<>>;

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result;
  for (const std::string_view cell : split(line, '\t')) result.emplace_back(cell);
  return result;
}

Names ops_with_cpu_kernel(const fs::path& table_dir) {
  Names names;
  for (const Row& row : read_table(table_dir / "tf1_cpu_kernels.tsv", {"op", "device"}))
    if (row.at("device") != "GPU") names.insert(row.at("op"));
  return names;
}

std::map<std::string, std::string> gradient_status(const fs::path& table_dir) {
  std::map<std::string, std::string> status;
  for (const Row& row : read_table(table_dir / "tf1_gradients.tsv", {"op", "status"}))
    status.emplace(row.at("op"), row.at("status"));
  return status;
}

bool states_gradient(const Op& op, const std::string& status) {
  return status == "not_differentiable" ? op.grad == not_differentiable
                                        : op.grad != nullptr && op.grad != not_differentiable;
}

void append(Count* to, const Count& from) {
  to->have += from.have;
  to->missing.insert(to->missing.end(), from.missing.begin(), from.missing.end());
}

}  // namespace

void Count::add(const std::string& op, bool present) {
  if (present)
    ++have;
  else
    missing.push_back(op);
}

std::vector<Row> read_table(const fs::path& file, const std::vector<std::string>& columns) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) raise(Code::kNotFound, "cannot read ", file.string());
  const std::vector<std::string> header = cells(line);
  for (const std::string& column : columns)
    if (std::find(header.begin(), header.end(), column) == header.end())
      raise(Code::kDataLoss, file.string(), " has no column '", column, "'");
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> values = cells(line);
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < header.size(); ++i)
      row[header[i]] = i < values.size() ? values[i] : std::string();
  }
  return rows;
}

std::map<std::string, Coverage> measure_coverage(const fs::path& table_dir, const Registry& ops,
                                                 const KernelRegistry& kernels) {
  const Names with_kernel = ops_with_cpu_kernel(table_dir);
  const auto gradients = gradient_status(table_dir);
  std::map<std::string, Coverage> families;
  for (const Row& row : read_table(table_dir / "tf1_ops.tsv", {"op", "family"})) {
    const std::string& name = row.at("op");
    const std::string& family = row.at("family");
    Coverage& c = families[family.empty() ? "other" : family];
    const Op* op = ops.find(name);
    if (const std::string_view reason = set_aside_reason(name, family);
        op == nullptr && !reason.empty()) {
      c.set_aside.emplace(name, reason);
      continue;
    }
    c.declared.add(name, op != nullptr);
    c.shape.add(name, op != nullptr && (op->shape != nullptr || op->outputs.empty()));
    if (with_kernel.contains(name)) c.kernel.add(name, kernels.has_kernel(name, "CPU"));
    if (const auto it = gradients.find(name); it != gradients.end())
      c.gradient.add(name, op != nullptr && states_gradient(*op, it->second));
  }
  return families;
}

Coverage sum(const std::map<std::string, Coverage>& families) {
  Coverage total;
  for (const auto& [name, c] : families) {
    append(&total.declared, c.declared);
    append(&total.shape, c.shape);
    append(&total.kernel, c.kernel);
    append(&total.gradient, c.gradient);
    total.set_aside.insert(c.set_aside.begin(), c.set_aside.end());
  }
  return total;
}

}  // namespace rill::cli
