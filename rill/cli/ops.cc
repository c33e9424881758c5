#include <google/protobuf/text_format.h>

#include <cstdio>

#include "rill/base/error.h"
#include "rill/base/json.h"
#include "rill/cli/command.h"
#include "rill/cli/coverage.h"
#include "rill/cli/places.h"
#include "rill/graph/op_def.h"
#include "rill/graph/registry.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"
#include "tensorflow/core/framework/op_def.pb.h"

namespace rill::cli {
namespace {

using Families = std::map<std::string, Coverage>;

struct Column {
  const char* title;
  const char* key;
  Count Coverage::*count;
};
constexpr Column kColumns[] = {{"declared", "declared", &Coverage::declared},
                               {"shape", "shape", &Coverage::shape},
                               {"CPU kernel", "cpu_kernel", &Coverage::kernel},
                               {"gradient", "gradient", &Coverage::gradient}};

std::string coverage_json(const Coverage& coverage) {
  std::vector<std::string> members;
  for (const Column& column : kColumns) {
    const Count& count = coverage.*column.count;
    members.push_back(str_cat("\"", column.key, "\": {\"have\": ", count.have, ", \"of\": ",
                              count.total(), ", \"missing\": ", json_list(count.missing), "}"));
  }
  std::vector<std::string> aside;
  for (const auto& [op, reason] : coverage.set_aside)
    aside.push_back(str_cat(rill::quoted(op), ": ", rill::quoted(reason)));
  members.push_back(str_cat("\"set_aside\": {", join(aside, ", "), "}"));
  return str_cat("{", join(members, ", "), "}");
}

void print_json(const Families& families) {
  std::vector<std::string> members;
  for (const auto& [family, coverage] : families)
    members.push_back(str_cat("    ", rill::quoted(family), ": ", coverage_json(coverage)));
  std::printf("{\n  \"families\": {\n%s\n  },\n  \"total\": %s\n}\n", join(members, ",\n").c_str(),
              coverage_json(sum(families)).c_str());
}

std::string table_line(std::string_view family, const Coverage& coverage) {
  std::string line =
      str_cat(family, std::string(22 - std::min<std::size_t>(family.size(), 21), ' '));
  for (const Column& column : kColumns) {
    const Count& count = coverage.*column.count;
    const std::string cell = str_cat(count.have, " / ", count.total());
    line += std::string(14 - std::min<std::size_t>(cell.size(), 13), ' ') + cell;
  }
  return line;
}

void print_missing(const Coverage& coverage) {
  for (const Column& column : kColumns) {
    const Count& count = coverage.*column.count;
    if (count.missing.empty()) continue;
    std::printf("    no %s: %s\n", column.title, join(count.missing, " ").c_str());
  }
}

// By reason, since many ops share one.
void print_set_aside(const Coverage& total) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& [op, reason] : total.set_aside) by_reason[reason].push_back(op);
  if (!by_reason.empty())
    std::printf("\n%s\n", styled("set aside, not counted above", "1").c_str());
  for (const auto& [reason, names] : by_reason)
    std::printf("  %s (%zu)\n    %s\n", reason.c_str(), names.size(), join(names, " ").c_str());
}

void print_table(const Families& families, bool with_missing) {
  std::string header = "family" + std::string(16, ' ');
  for (const Column& column : kColumns)
    header += std::string(14 - std::string_view(column.title).size(), ' ') + column.title;
  std::printf("%s\n", styled(header, "1").c_str());
  for (const auto& [family, coverage] : families) {
    std::printf("%s\n", table_line(family, coverage).c_str());
    if (with_missing) print_missing(coverage);
  }
  const Coverage total = sum(families);
  std::printf("%s\n", styled(table_line("total", total), "1").c_str());
  print_set_aside(total);
}

void print_ops(const Registry& ops, const KernelRegistry& kernels) {
  for (const Op* op : ops.all())
    std::printf("%s%s\n", op->name.c_str(),
                kernels.has_kernel(op->name, "CPU") ? "" : " (no kernel)");
}

void print_op_defs(const std::vector<const Op*>& ops) {
  tensorflow::OpList list;
  for (const Op* op : ops) to_proto(*op, list.add_op());
  std::string text;
  google::protobuf::TextFormat::PrintToString(list, &text);
  std::fputs(text.c_str(), stdout);
}

int ops(std::span<const std::string> arguments) {
  Options options(arguments);
  const auto name = options.value("--opdef");
  const bool coverage = options.flag("--coverage");
  const bool all_defs = options.flag("--opdefs");
  const bool as_json = options.flag("--json"), with_missing = options.flag("--missing");
  std::vector<std::string> rest = options.positional();
  if (rest.size() > (coverage ? 1 : 0)) throw UsageError("ops takes no arguments but options");
  if (!coverage && (as_json || with_missing))
    throw UsageError("--json and --missing go with --coverage");

  const Registry& registry = standard_ops();
  const KernelRegistry& kernels = standard_kernels();
  if (name || all_defs) {
    print_op_defs(name ? std::vector{&registry.at(*name)} : registry.all());
  } else if (coverage) {
    const std::filesystem::path tables =
        rest.empty() ? fact_tables() : std::filesystem::path(rest[0]);
    const Families families = measure_coverage(tables, registry, kernels);
    as_json ? print_json(families) : print_table(families, with_missing);
  } else {
    print_ops(registry, kernels);
  }
  return 0;
}

}  // namespace

const Command kOps{
    "ops", "list the ops, or compare them with TensorFlow's",
    "ops [--coverage [TABLE_DIR] [--missing] [--json]] [--opdef NAME | --opdefs]\n\n"
    "  --opdef NAME            the definition of an op, as the text of a tensorflow.OpList\n"
    "  --opdefs                the definitions of all\n"
    "  --coverage [TABLE_DIR]  family by family, what there is of TensorFlow 1.15's ops, and "
    "which\n"
    "                          are set aside and why; by the tables of TABLE_DIR where it is "
    "given\n"
    "  --missing               and the names of those that are not there\n"
    "  --json                  the same for programs",
    ops};

}  // namespace rill::cli
