#include <algorithm>
#include <cstdio>

#include "rill/api/check/check_model.h"
#include "rill/base/json.h"
#include "rill/base/text.h"
#include "rill/cli/command.h"
#include "rill/cli/coverage.h"
#include "rill/cli/places.h"
#include "rill/cli/python.h"
#include "rill/cli/set_aside.h"
#include "rill/compat/library.h"

namespace rill::cli {
namespace {

// What is known of an op that is not here: left out on purpose, not here yet, or nobody's.
class MissingOps {
 public:
  std::string why(const std::string& op) const {
    const auto found = family_.find(op);
    if (found == family_.end())
      return "no op of TensorFlow 1.15: a custom one, whose library --library takes, or newer";
    const std::string_view reason = set_aside_reason(op, found->second);
    return reason.empty() ? "an op of TensorFlow 1.15 that Rill lacks"
                          : str_cat("left out: ", reason);
  }

 private:
  static std::map<std::string, std::string> families() {
    std::map<std::string, std::string> result;
    try {
      for (const Row& row : read_table(fact_tables() / "tf1_ops.tsv", {"op", "family"}))
        result[row.at("op")] = row.at("family");
    } catch (const Error&) {  // not installed: nothing is known
    }
    return result;
  }
  std::map<std::string, std::string> family_ = families();
};

std::string words_of(const check::Problem& problem, const MissingOps& missing) {
  return problem.unknown_op ? str_cat("is not known: ", missing.why(problem.op)) : problem.what;
}

std::string report_json(const std::string& path, const check::GraphReport& report,
                        const MissingOps& missing) {
  std::vector<std::string> ops, problems;
  for (const auto& [op, count] : report.ops) ops.push_back(str_cat(json_quoted(op), ": ", count));
  for (const check::Problem& problem : report.problems)
    problems.push_back(str_cat("{\"op\": ", json_quoted(problem.op),
                               ", \"what\": ", json_quoted(words_of(problem, missing)),
                               ", \"nodes\": ", json_list(problem.nodes), "}"));
  return str_cat("{\"model\": ", json_quoted(path), ", \"tags\": ", json_quoted(report.name),
                 ", \"runs\": ", report.runs(), ", \"nodes\": ", report.nodes,
                 ", \"functions\": ", report.functions, ", \"ops\": {", join(ops, ", "),
                 "}, \"problems\": [", join(problems, ", "),
                 "], \"notes\": ", json_list(report.notes), "}");
}

void print_report(const std::string& path, const check::GraphReport& report,
                  const MissingOps& missing, bool all) {
  constexpr std::size_t kMax = 5;
  const std::string which = report.name.empty() ? "" : str_cat(" (", report.name, ")");
  std::printf("%s%s: %lld nodes of %zu ops", path.c_str(), which.c_str(),
              static_cast<long long>(report.nodes), report.ops.size());
  if (report.functions > 0)
    std::printf(", %lld functions", static_cast<long long>(report.functions));
  std::printf(": %s\n", report.runs() ? styled("all can run", "32").c_str()
                                      : styled("cannot run", "31").c_str());
  if (all)
    for (const auto& [op, count] : report.ops)
      if (std::ranges::none_of(report.problems,
                               [&](const auto& problem) { return problem.op == op; }))
        std::printf("  %-28s %5lld\n", op.c_str(), static_cast<long long>(count));
  for (const check::Problem& problem : report.problems) {
    const std::string subject = problem.op.empty() ? "" : problem.op + " ";
    std::printf("  %s%s\n", subject.c_str(), words_of(problem, missing).c_str());
    const std::size_t shown = all ? problem.nodes.size() : std::min(kMax, problem.nodes.size());
    for (std::size_t i = 0; i < shown; ++i) std::printf("    %s\n", problem.nodes[i].c_str());
    if (shown < problem.nodes.size())
      std::printf("    and %zu more\n", problem.nodes.size() - shown);
  }
  for (const std::string& note : report.notes) std::printf("  %s\n", note.c_str());
}

int check_models(Options& given) {
  const bool as_json = given.flag("--json"), all = given.flag("--all");
  while (const auto library = given.value("--library")) load_op_library(*library);
  const MissingOps missing;
  std::vector<std::string> lines;
  bool runs = true;
  for (const std::string& path : given.positional())
    for (const check::GraphReport& report : check::check_model(path)) {
      runs = runs && report.runs();
      if (as_json)
        lines.push_back(report_json(path, report, missing));
      else
        print_report(path, report, missing, all);
    }
  if (as_json) std::printf("[%s]\n", join(lines, ",\n ").c_str());
  return runs ? 0 : 1;
}

int check(std::span<const std::string> arguments) {
  if (arguments.empty()) throw UsageError("check needs a program or a model");
  const auto is_program = [](const std::string& word) { return word.ends_with(".py"); };
  if (std::ranges::any_of(arguments, is_program)) become_tool("rill._check", arguments);
  Options given(arguments);
  return check_models(given);
}

}  // namespace

const Command kCheck{
    "check", "say what a program or a model uses that Rill lacks, before it runs",
    "check [--all] [--json] PROGRAM.py...\n"
    "       rill check [--all] [--json] [--library FILE.so] MODEL...\n\n"
    "Of programs: every name of TensorFlow that they use and that is missing or differs, with its "
    "line.\n"
    "Of models (SavedModels, .pb, .pbtxt and .meta files): the ops, attributes and types that "
    "cannot\n"
    "run, with the nodes that have them.\n"
    "Ends with 0 when there is nothing to say and with 1 otherwise.\n\n"
    "  --all      also what is there\n"
    "  --json     the same for programs\n"
    "  --library  custom ops that the model uses",
    check};

}  // namespace rill::cli
