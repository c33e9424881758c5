// Writes the files that follow from the op declarations below the directory given, at the paths
// they have in the repository: the C++ raw builders in rill/api/gen, TensorFlow's in
// include/tensorflow/cc/ops, and the functions that are one op each, for C++ and Python.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "rill/base/error.h"
#include "rill/ops/register.h"
#include "tools/opgen/builders.h"
#include "tools/opgen/fact_tables.h"
#include "tools/opgen/plain_functions.h"
#include "tools/opgen/tensorflow_ops.h"

namespace rill::opgen {
namespace {

namespace fs = std::filesystem;

// Unchanged files keep their time, so that nothing is compiled again.
void write(const fs::path& path, const std::string& text) {
  std::ifstream old_file(path, std::ios::binary);
  const std::string old((std::istreambuf_iterator<char>(old_file)), {});
  if (old_file && old == text) return;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::vector<const Op*> public_ops(const Registry& registry) {
  std::vector<const Op*> ops;
  for (const Op* op : registry.all())
    if (!op->name.starts_with("_")) ops.push_back(op);
  return ops;
}

void write_builders(const fs::path& root) {
  const fs::path folder = root / "rill" / "api" / "gen";
  std::vector<std::string> families;
  for (const OpFamily& family : op_families()) {
    Registry registry;
    family.add(registry);
    const auto ops = public_ops(registry);
    if (ops.empty()) continue;
    families.emplace_back(family.name);
    write(folder / (families.back() + ".h"), builders_header(ops));
    write(folder / (families.back() + ".cc"), builders_source(families.back(), ops));
  }
  write(folder / "raw_ops.h", all_builders_header(families));
}

// A header for one or more families; TensorFlow's other headers lead to all of them. Programs that
// are written for TensorFlow see its ops alone.
void write_tensorflow_ops(const fs::path& root) {
  const fs::path folder = root / "include" / "tensorflow" / "cc" / "ops";
  const auto tensorflows = tensorflow_op_names();
  std::deque<Registry> registries;
  std::map<std::string, std::vector<const Op*>> headers;
  for (const OpFamily& family : op_families()) {
    family.add(registries.emplace_back());
    for (const Op* op : public_ops(registries.back()))
      if (tensorflows.contains(op->name))
        headers[tensorflow_header_name(family.name, op->name)].push_back(op);
  }
  std::vector<std::string> names;
  for (auto& [name, ops] : headers) {
    std::ranges::sort(ops, {}, &Op::name);
    names.push_back(name);
    write(folder / (name + ".h"), tensorflow_ops_header({name, ops}));
  }
  write(folder / "standard_ops.h", tensorflow_standard_ops(names));
  for (const std::string& name : tensorflow_header_names())
    if (std::ranges::find(names, name) == names.end())
      write(folder / (name + ".h"), tensorflow_forwarding_header(name));
}

// The headers of the raw builders of these functions' ops.
std::vector<std::string> raw_headers(const std::vector<PlainFunction>& functions) {
  std::map<std::string, std::string> family_of;
  for (const OpFamily& family : op_families()) {
    Registry registry;
    family.add(registry);
    for (const Op* op : registry.all()) family_of[op->name] = family.name;
  }
  std::set<std::string> headers;
  for (const PlainFunction& f : functions) headers.insert(family_of.at(f.op->name));
  return {headers.begin(), headers.end()};
}

void write_plain_functions(const fs::path& root) {
  std::vector<std::string> families;
  std::vector<PlainFunction> all;
  for (const auto& [family, functions] : plain_functions(standard_ops())) {
    if (functions.empty()) continue;
    families.push_back(family);
    all.insert(all.end(), functions.begin(), functions.end());
    write(root / "rill" / "api" / "gen" / str_cat("plain_", family, ".h"),
          plain_functions_header(functions, raw_headers(functions)));
  }
  write(root / "rill" / "api" / "gen" / "plain_ops.h", all_plain_functions_header(families));
  write(root / "python" / "src" / "plain_functions.gen.cc", plain_python_source(all));
}

}  // namespace
}  // namespace rill::opgen

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: opgen DIRECTORY\n");
    return 2;
  }
  try {
    rill::opgen::write_builders(argv[1]);
    rill::opgen::write_tensorflow_ops(argv[1]);
    rill::opgen::write_plain_functions(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "opgen: %s\n", error.what());
    return 1;
  }
  return 0;
}
