#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rill {
class KernelRegistry;
class Registry;
}  // namespace rill

namespace rill::cli {

// Of the ops that a table names, those that the library has and those that it lacks.
struct Count {
  int have = 0;
  std::vector<std::string> missing;

  int total() const { return have + static_cast<int>(missing.size()); }
  void add(const std::string& op, bool present);
};

// What one family of ops has: declarations and shape functions of all its ops, kernels of those
// that have one on TensorFlow's CPU, gradients (or the statement that there is none) of those for
// which TensorFlow states either.
struct Coverage {
  Count declared, shape, kernel, gradient;
  std::map<std::string, std::string> set_aside;  // ops that count nowhere, and why
};

// By family, from tf1_ops.tsv, tf1_cpu_kernels.tsv and tf1_gradients.tsv in `table_dir`. Throws
// NotFound when one is not there and DataLoss when it lacks a column.
std::map<std::string, Coverage> measure_coverage(const std::filesystem::path& table_dir,
                                                 const Registry& ops,
                                                 const KernelRegistry& kernels);
Coverage sum(const std::map<std::string, Coverage>& families);

// A tab-separated table with a header line: each row as a map from column to cell.
using Row = std::map<std::string, std::string, std::less<>>;
std::vector<Row> read_table(const std::filesystem::path& file,
                            const std::vector<std::string>& columns);

}  // namespace rill::cli
